package io.srpt.mad;

/**
 * A management datagram that came.
 *
 * <p>Threads: the port's loop.
 *
 * @param agent for whom
 * @param buffer its bytes, at {@link MadBuffer#MAD_OFFSET}; valid until the release
 * @param token names the buffer
 * @param source where it came from, which is also where a reply goes
 */
public record ReceivedMad(MadAgent agent, MadBuffer buffer, long token, MadAddress source) {
    /** Gives the buffer back. False, and counted, if that was done before. */
    public boolean release() {
        return agent.service().releaseReceived(token);
    }
}
