package io.srpt.roce.net;

import io.srpt.roce.packet.FlowHeader;
import io.srpt.roce.packet.Icrc;
import io.srpt.roce.packet.PcapWriter;
import io.srpt.verbs.Gid;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * A port that writes what the port behind it sends and receives to a pcap file. The file is of the whole process and is
 * closed by who opened it.
 */
public final class CapturingDatagramPort extends ForwardingDatagramPort {
    private final PcapWriter capture;
    private final FlowHeader flow;
    private final Icrc icrc = new Icrc();
    /** What is sent, with a payload that is lent. */
    private final Datagram whole = Datagram.allocate(0);

    private Gid remote = Gid.ZERO;

    /** Records {@code port}, which it owns from now on. */
    public CapturingDatagramPort(DatagramPort port, PcapWriter capture) {
        super(port);
        this.capture = capture;
        this.flow = new FlowHeader(port.localGid(), port.localGid(), FlowHeader.ROCE_PORT);
    }

    @Override
    public void send(Datagram datagram) {
        flow.set(localGid(), remoteOf(datagram), FlowHeader.ROCE_PORT, FlowHeader.ROCE_PORT);
        if (datagram.payloadLength() == 0) {
            record(datagram, datagram.identification());
        } else {
            record(whole.copyFrom(datagram), datagram.identification());
        }
        super.send(datagram);
    }

    @Override
    public void onDatagram(Datagram datagram) {
        flow.set(remoteOf(datagram), localGid(), datagram.remotePort(), FlowHeader.ROCE_PORT);
        // The socket does not tell the identification of what came; the ICRC does.
        icrc.verify(datagram.buffer(), datagram.offset(), datagram.length(), flow);
        record(datagram, icrc.identification());
        deliver(datagram);
    }

    private void record(Datagram datagram, int identification) {
        Instant now = Instant.now();
        long nanos = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
        capture.write(nanos, flow, datagram.buffer(), datagram.offset(), datagram.length(), identification);
    }

    private Gid remoteOf(Datagram datagram) {
        if (!datagram.isFrom(remote)) {
            remote = new Gid(datagram.remoteHigh(), datagram.remoteLow());
        }
        return remote;
    }
}
