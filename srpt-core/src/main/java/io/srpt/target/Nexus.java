package io.srpt.target;

import io.srpt.scsi.DeviceServer;
import io.srpt.scsi.LunView;
import io.srpt.scsi.Sense;
import io.srpt.scsi.TransportId;
import io.srpt.srp.PortId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An I_T nexus of a port: initiator port and target port, with the channels between them. It lives as long as it has
 * channels. Loop of the port.
 */
final class Nexus {
    /** What identifies it. */
    record Key(PortId initiatorPort, PortId targetPort) {}

    private final SrptPort port;
    private final Key key;
    private final io.srpt.scsi.Nexus scsi;
    private final List<SrptChannel> channels = new ArrayList<>();

    Nexus(SrptPort port, Key key, DeviceServer deviceServer, LunView view) {
        this.port = port;
        this.key = key;
        PortId initiator = key.initiatorPort();
        this.scsi = deviceServer.openNexus(
                new TransportId(initiator.extension(), initiator.guid()), port.targetPort(), view);
        if (port.config().asyncEvents()) {
            scsi.attentionListener(this::report);
        }
    }

    Key key() {
        return key;
    }

    /** The same nexus as the device server knows it. */
    io.srpt.scsi.Nexus scsi() {
        return scsi;
    }

    /** Whether it sees the units as {@code view} says. */
    boolean sees(LunView view) {
        return scsi.view().equals(view);
    }

    /** Changes what it sees; its channels are ending, or about to be. */
    void see(LunView view) {
        scsi.view(view);
    }

    /** Tells the initiator, on one of its channels, of what happened to a unit that it sees. */
    private void report(long lun, Sense event) {
        SrptChannel channel = firstLive();
        if (channel != null) {
            channel.requests().asyncEvent(lun, event);
        }
    }

    void join(SrptChannel channel) {
        channels.add(channel);
    }

    /** A channel is gone; with the last one the nexus is lost. */
    void leave(SrptChannel channel) {
        channels.remove(channel);
        if (channels.isEmpty()) {
            scsi.close();
            port.portChannels().onNexusLost(this);
        }
    }

    /** Whether a command of {@code lun} was ended without status on a channel here, and its RDMA READs have not ended yet. */
    boolean isDetaching(int lun) {
        for (SrptChannel channel : channels) {
            if (channel.dispatcher().isDetaching(lun)) {
                return true;
            }
        }
        return false;
    }

    /** The channel that is LIVE longest, null if there is none. */
    @Nullable
    SrptChannel firstLive() {
        for (SrptChannel channel : channels) {
            if (channel.isLive()) {
                return channel;
            }
        }
        return null;
    }

    /** Whether a channel exists that is not about to end, apart from {@code except}. */
    boolean hasOthers(SrptChannel except) {
        for (SrptChannel channel : channels) {
            if (channel != except && channel.state().compareTo(ChannelState.LIVE) <= 0) {
                return true;
            }
        }
        return false;
    }

    /** Ends all channels but {@code except}; returns whether there was one that was not ending already. */
    boolean endOthers(SrptChannel except) {
        boolean any = hasOthers(except);
        for (SrptChannel channel : List.copyOf(channels)) {
            if (channel != except) {
                channel.end(ChannelEnd.REPLACED, "another login of the nexus asked for a single channel");
            }
        }
        return any;
    }
}
