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
    /**
     * Gives the buffer back. False, and counted, if that was done before. From another thread than the port's loop it is done
     * there soon, and the answer is true.
     */
    public boolean release() {
        MadService service = agent.service();
        if (service.loop().inEventLoop()) {
            return service.releaseReceived(token);
        }
        service.loop().execute(() -> service.releaseReceived(token));
        return true;
    }

    /** Whether {@link #release()} is still due. Port's loop. */
    public boolean isHeld() {
        return agent.service().isHeldReceive(token);
    }
}
