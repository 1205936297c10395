package io.srpt.target;

import io.srpt.srp.PortId;
import java.net.InetAddress;

/**
 * A channel at one moment, for logs and status.
 *
 * @param id counts the channels of the process
 * @param port name of the port
 * @param initiatorPort who logged in
 * @param address the initiator's IP address
 * @param rule what let it in, for the log
 * @param queuePair number of our queue pair
 * @param state where it is in its life
 * @param immediateData whether immediate data was agreed
 * @param maxResponseLength longest unit that the initiator takes
 * @param counters what it does; they go on counting
 */
public record ChannelInfo(
        long id,
        String port,
        PortId initiatorPort,
        InetAddress address,
        String rule,
        int queuePair,
        ChannelState state,
        boolean immediateData,
        int maxResponseLength,
        ChannelCounters counters) {}
