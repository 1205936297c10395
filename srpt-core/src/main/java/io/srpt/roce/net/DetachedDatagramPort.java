package io.srpt.roce.net;

import io.srpt.verbs.Gid;

/** Stands in for an address that is not there: what is sent is lost, as on a cable that is pulled. */
public final class DetachedDatagramPort implements DatagramPort {
    private final Gid localGid;
    private final Datagram slot = Datagram.allocate(0);
    private long lost;

    public DetachedDatagramPort(Gid localGid) {
        this.localGid = localGid;
    }

    @Override
    public Gid localGid() {
        return localGid;
    }

    @Override
    public void open(DatagramReceiver receiver) {}

    @Override
    public Datagram claim() {
        return slot.reset();
    }

    @Override
    public void send(Datagram datagram) {
        lost++;
    }

    @Override
    public void flush() {}

    @Override
    public int receiveBufferBytes() {
        return Integer.MAX_VALUE;
    }

    @Override
    public long sendErrors() {
        return lost;
    }

    @Override
    public void close() {}
}
