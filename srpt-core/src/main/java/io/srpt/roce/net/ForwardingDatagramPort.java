package io.srpt.roce.net;

import io.srpt.verbs.Gid;
import org.jspecify.annotations.Nullable;

/** A port in front of another, which it owns: passes everything on. Subclasses change what they are there for. */
abstract class ForwardingDatagramPort implements DatagramPort, DatagramReceiver {
    private final DatagramPort port;
    private @Nullable DatagramReceiver receiver;

    ForwardingDatagramPort(DatagramPort port) {
        this.port = port;
    }

    /** Hands a received datagram to whoever opened this port. */
    final void deliver(Datagram datagram) {
        DatagramReceiver to = receiver;
        if (to != null) {
            to.onDatagram(datagram);
        }
    }

    @Override
    public final Gid localGid() {
        return port.localGid();
    }

    @Override
    public final void open(DatagramReceiver newReceiver) {
        receiver = newReceiver;
        port.open(this);
    }

    @Override
    public final @Nullable Datagram claim() {
        return port.claim();
    }

    @Override
    public int identificationOf(Datagram datagram, int length) {
        return port.identificationOf(datagram, length);
    }

    @Override
    public void send(Datagram datagram) {
        port.send(datagram);
    }

    @Override
    public void onDatagram(Datagram datagram) {
        deliver(datagram);
    }

    @Override
    public final void onWritable() {
        DatagramReceiver to = receiver;
        if (to != null) {
            to.onWritable();
        }
    }

    @Override
    public final void flush() {
        port.flush();
    }

    @Override
    public final int receiveBufferBytes() {
        return port.receiveBufferBytes();
    }

    @Override
    public final long sendErrors() {
        return port.sendErrors();
    }

    @Override
    public final void close() {
        port.close();
    }
}
