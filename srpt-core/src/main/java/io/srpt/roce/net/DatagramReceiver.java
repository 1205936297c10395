package io.srpt.roce.net;

/** Who takes the datagrams of a {@link DatagramPort}, on the port's loop. */
public interface DatagramReceiver {
    /** A datagram came; {@code datagram} is valid during the call. Never throws for what the bytes are. */
    void onDatagram(Datagram datagram);

    /** The port takes datagrams again after {@link DatagramPort#claim()} returned null. */
    void onWritable();
}
