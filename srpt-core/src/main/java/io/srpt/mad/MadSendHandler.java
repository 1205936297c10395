package io.srpt.mad;

/**
 * Owns the completions of management sends ({@code srpt_mad_send_handler} of the Linux driver): each send of a port is
 * delivered here exactly once, good or bad, in the order of the completion queue (sends that wait for a response: when it
 * came, or did not in time).
 *
 * <p>The handler must see to it that {@link MadSendCompletion#release()} is called, now or later, on the port's loop: it
 * frees the address handle and the buffer. What it still holds when the agent closes is released by the service. If it
 * throws, the service releases the send, counts and goes on.
 *
 * <p>Threads: the port's loop; must not block.
 */
@FunctionalInterface
public interface MadSendHandler {
    /** A send of {@code agent} ended. The completion is immutable and may be kept. */
    void onSendCompletion(MadAgent agent, MadSendCompletion completion);

    /**
     * Whether what the handler holds stays its own when the agent that sent it closes; if not, the service releases it
     * then.
     */
    default boolean keepsAfterAgentClosed() {
        return false;
    }

    /** The service closed: the last call. What is not released by the end of it is freed by the service. */
    default void onClosed() {}
}
