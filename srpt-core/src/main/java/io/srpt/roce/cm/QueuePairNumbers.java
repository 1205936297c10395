package io.srpt.roce.cm;

/**
 * Keeps numbers of queue pairs out of use while a connection, its TimeWait included, still needs them. The provider that
 * hands out numbers implements it.
 *
 * <p>Threads: the port's loop.
 */
public interface QueuePairNumbers {
    /** For providers whose device does it. */
    QueuePairNumbers UNGUARDED = new QueuePairNumbers() {
        @Override
        public void hold(int queuePairNumber) {}

        @Override
        public void release(int queuePairNumber) {}
    };

    /** The number must not be given to another queue pair, even when its own is closed. Once a connection. */
    void hold(int queuePairNumber);

    /** The number may be used again once its queue pair is closed. Once after each {@link #hold}. */
    void release(int queuePairNumber);
}
