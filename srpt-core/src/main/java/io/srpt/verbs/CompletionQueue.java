package io.srpt.verbs;

/**
 * A queue of ended work. The loop that it was made for polls it; each entry goes to the one
 * {@link CompletionListener} given at creation.
 */
public interface CompletionQueue extends AutoCloseable {
    /** No descriptor: only its loop fills this queue, so that it never sleeps over an entry. */
    int NO_DESCRIPTOR = -1;

    /** The loop that owns it. Any thread. */
    RdmaLoop loop();

    /** How many entries fit. Entries beyond it are an overrun, which is fatal to the queue pairs attached. */
    int capacity();

    /** Hands up to {@code max} entries to the listener and returns how many there were. */
    int poll(int max);

    /**
     * Whether it tells its loop by {@link RdmaLoop#ready} that it has entries, so that the loop polls it then only. Otherwise
     * the loop looks into it each turn. The same for life.
     */
    default boolean announcesEntries() {
        return false;
    }

    /** Arms one notification on {@link #descriptor()} for the next entry. Nothing to do without a descriptor. */
    void requestNotification();

    /** The completion channel's file descriptor for epoll, or {@link #NO_DESCRIPTOR}. */
    int descriptor();

    /** Takes the events that made {@link #descriptor()} readable and acknowledges them. */
    void drainNotifications();

    /** Detaches from the loop and frees the queue. Queue pairs that use it must be closed before. */
    @Override
    void close();
}
