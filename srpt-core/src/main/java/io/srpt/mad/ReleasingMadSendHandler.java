package io.srpt.mad;

import io.srpt.counter.Counter;
import io.srpt.verbs.WorkCompletionStatus;

/**
 * The default {@link MadSendHandler}: frees address handle and buffer of each send at once and counts it by its status.
 *
 * <p>Threads: the port's loop; counters from anywhere.
 */
public final class ReleasingMadSendHandler implements MadSendHandler {
    private static final WorkCompletionStatus[] STATUSES = WorkCompletionStatus.values();

    private final Counter[] byStatus = new Counter[STATUSES.length];

    public ReleasingMadSendHandler() {
        for (int i = 0; i < byStatus.length; i++) {
            byStatus[i] = new Counter();
        }
    }

    @Override
    public void onSendCompletion(MadAgent agent, MadSendCompletion completion) {
        byStatus[completion.status().ordinal()].increment();
        completion.release();
    }

    /** Sends that ended with {@code status}. */
    public Counter completions(WorkCompletionStatus status) {
        return byStatus[status.ordinal()];
    }
}
