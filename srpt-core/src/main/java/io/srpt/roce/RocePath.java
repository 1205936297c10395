package io.srpt.roce;

import io.srpt.roce.packet.FlowHeader;
import io.srpt.verbs.Gid;

/**
 * A connected queue pair's way to its peer: the endpoint it uses, those that go to the same address, and the headers that the
 * ICRC covers, both ways.
 */
final class RocePath {
    private final RoceEndpoint endpoint;
    private final Gid remote;
    private final RocePeer peer;
    private final FlowHeader outbound;
    private final FlowHeader inbound;

    RocePath(RoceEndpoint endpoint, Gid remote) {
        this.endpoint = endpoint;
        this.remote = remote;
        this.peer = endpoint.join(remote);
        this.outbound = new FlowHeader(endpoint.gid(), remote, FlowHeader.ROCE_PORT);
        this.inbound = new FlowHeader(remote, endpoint.gid(), FlowHeader.ROCE_PORT);
    }

    RoceEndpoint endpoint() {
        return endpoint;
    }

    Gid remote() {
        return remote;
    }

    RocePeer peer() {
        return peer;
    }

    /** The queue pair is gone. */
    void close() {
        endpoint.leave(remote, peer);
    }

    FlowHeader outbound() {
        return outbound;
    }

    /** For a packet from the UDP port {@code sourcePort}, which a peer may choose anew each time. */
    FlowHeader inbound(int sourcePort) {
        return inbound.sourcePort(sourcePort);
    }
}
