package io.srpt.mad;

/**
 * Decides for each reply of a {@link MadService} whether something goes wrong with it: for those who test requesters.
 * Without one a reply costs a null check.
 */
@FunctionalInterface
public interface MadReplyInterceptor {
    /**
     * A reply is about to be posted. On the port's loop; must not block. If it throws, that is counted in
     * {@link MadCounters#handlerFailures}, logged once, and the reply passes.
     */
    MadReplyFault intercept(MadReply reply);
}
