package io.srpt.verbs;

/** Who is told of each completion of a {@link CompletionQueue}: exactly once, in the queue's order. */
@FunctionalInterface
public interface CompletionListener {
    /**
     * A work request ended. On the queue's loop; must not block and should not throw: what it throws is counted and
     * logged by the loop, and the next completion is delivered.
     *
     * @param completion valid during the call only
     */
    void onCompletion(WorkCompletion completion);

    /** One poll has delivered what it found: the place for work that is cheaper for many completions than for each. */
    default void onPolled() {}
}
