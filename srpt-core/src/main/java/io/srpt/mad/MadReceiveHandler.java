package io.srpt.mad;

/**
 * Gets the datagrams for an agent: requests of its class, version and methods, and responses to what it sent.
 *
 * <p>Threads: the port's loop; must not block. If it throws, the service releases the datagram, counts and goes on.
 */
@FunctionalInterface
public interface MadReceiveHandler {
    /** Ignores and releases everything: for agents that only send. */
    MadReceiveHandler IGNORE = (agent, mad) -> mad.release();

    /** A datagram came. The callee owns it and must see to it that {@link ReceivedMad#release()} is called. */
    void onReceive(MadAgent agent, ReceivedMad mad);

    /** {@code agent} closes: the last call for it. What is not released by the end of it is released by the service. */
    default void onClosed(MadAgent agent) {}
}
