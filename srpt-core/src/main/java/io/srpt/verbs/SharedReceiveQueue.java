package io.srpt.verbs;

/** Receives that several queue pairs of one loop take from, in any order. */
public interface SharedReceiveQueue extends AutoCloseable {
    /** Adds a receive; WRONG_STATE never comes. */
    PostResult postReceive(ReceiveWorkRequest request);

    /** Receives that wait for a message. */
    int posted();

    /** Frees it. Queue pairs that use it must be closed before. */
    @Override
    void close();
}
