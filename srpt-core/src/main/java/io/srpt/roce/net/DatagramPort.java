package io.srpt.roce.net;

import io.srpt.verbs.Gid;
import org.jspecify.annotations.Nullable;

/**
 * Sends and receives the datagrams of one local address, UDP port 4791.
 *
 * <p>To send: {@link #claim()} a slot, fill it, {@link #send} it, and {@link #flush()} once for a batch. One slot is
 * claimed at a time. What is lent to datagrams is not looked at after the flush.
 *
 * <p>Threads: the loop that owns it, {@link #localGid()} from anywhere.
 */
public interface DatagramPort extends AutoCloseable {
    /** The local address. */
    Gid localGid();

    /** Starts to hand datagrams to {@code receiver}. Once. */
    void open(DatagramReceiver receiver);

    /** A slot to fill, or null when no more can be taken now; {@link DatagramReceiver#onWritable()} follows then. */
    @Nullable
    Datagram claim();

    /**
     * The IPv4 identification with which a datagram of {@code length} bytes in the claimed slot, its peer set, will leave: 0,
     * or its place in a batch that the system cuts into datagrams. Asked before the ICRC is made; {@link #send} takes the
     * datagram's own {@link Datagram#identification()}, where 0 is always possible.
     */
    default int identificationOf(Datagram datagram, int length) {
        return 0;
    }

    /** Queues the slot claimed last. */
    void send(Datagram datagram);

    /** Hands what is queued to the network, as far as it takes it. */
    void flush();

    /** Bytes of received datagrams that wait here at most without loss. */
    int receiveBufferBytes();

    /** Datagrams that the network refused. */
    long sendErrors();

    @Override
    void close();
}
