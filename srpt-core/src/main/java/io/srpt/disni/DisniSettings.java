package io.srpt.disni;

import io.srpt.verbs.Gid;
import java.util.List;

/**
 * How a device is used.
 *
 * @param device its name, such as {@code mlx5_0}
 * @param addresses those of its addresses that are served; all if empty
 * @param madSend how replies to management datagrams leave
 * @param madBuffers buffers for management datagrams of each port
 */
public record DisniSettings(String device, List<Gid> addresses, MadSendMode madSend, int madBuffers) {
    private static final int MAD_BUFFERS = 256;

    /** Copies the list. */
    public DisniSettings {
        addresses = List.copyOf(addresses);
    }

    /** All addresses of {@code device}, and all else by default. */
    public static DisniSettings of(String device) {
        return new DisniSettings(device, List.of(), MadSendMode.QUEUE_PAIR, MAD_BUFFERS);
    }

    /** The same with {@code served} only. */
    public DisniSettings withAddresses(List<Gid> served) {
        return new DisniSettings(device, served, madSend, madBuffers);
    }

    /** The same with another way for replies. */
    public DisniSettings withMadSend(MadSendMode mode) {
        return new DisniSettings(device, addresses, mode, madBuffers);
    }

    /** How replies to management datagrams leave. */
    public enum MadSendMode {
        /** From a datagram queue pair of ours, which tells when they are on the wire; the source is not queue pair 1. */
        QUEUE_PAIR,
        /** Through the kernel's queue pair 1, which tells nothing: they count as sent when it has taken them. */
        UMAD
    }
}
