package io.srpt.mad;

import io.srpt.verbs.WorkCompletionStatus;

/**
 * A management send that ended: the agent, the work completion's values, and an opaque token for what it holds.
 *
 * @param agent who sent it
 * @param token names the address handle and the buffer that {@link #release()} frees; goes stale with the release
 * @param status how it ended: {@link WorkCompletionStatus#RESPONSE_TIMEOUT} if the response did not come,
 *     {@link WorkCompletionStatus#WORK_REQUEST_FLUSHED} if the agent closed first
 * @param vendorError the provider's own error number
 * @param method the datagram's method
 * @param attributeId its attribute
 * @param transactionId its transaction id
 */
public record MadSendCompletion(
        MadAgent agent,
        long token,
        WorkCompletionStatus status,
        int vendorError,
        int method,
        int attributeId,
        long transactionId) {
    /**
     * Frees the address handle and the buffer. False, and counted, if that was done before. From another thread than the
     * port's loop it is done there soon, and the answer is true.
     */
    public boolean release() {
        MadService service = agent.service();
        if (service.loop().inEventLoop()) {
            return service.releaseSend(token);
        }
        service.loop().execute(() -> service.releaseSend(token));
        return true;
    }

    /** Whether {@link #release()} is still due. Port's loop. */
    public boolean isHeld() {
        return agent.service().isHeldSend(token);
    }
}
