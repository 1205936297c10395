package io.srpt.roce;

import org.jspecify.annotations.Nullable;

/** The queue pairs of an endpoint that send to one address, as far as they have something to send in this turn. */
final class RocePeer {
    private static final SendPass[] PASSES = SendPass.values();

    private final WorkList<RoceQueuePair> runnable = new WorkList<>(RoceQueuePair[]::new);
    private int users;

    /** A queue pair's path leads here from now on. */
    void use() {
        users++;
    }

    /** One does no more; whether none is left. */
    boolean unuse() {
        users--;
        assert users >= 0;
        return users == 0;
    }

    /** {@code queuePair} has something to send. Whether it is the first. */
    boolean add(RoceQueuePair queuePair) {
        runnable.add(queuePair);
        return runnable.count() == 1;
    }

    /** Lets them send, kind by kind. Those that cannot send all schedule themselves again. */
    void transmit() {
        int count = runnable.count();
        @Nullable RoceQueuePair[] turn = runnable.swap();
        for (int i = 0; i < count; i++) {
            RoceQueuePair queuePair = turn[i];
            if (queuePair != null) {
                queuePair.markScheduled(false);
            }
        }
        for (SendPass pass : PASSES) {
            for (int i = 0; i < count; i++) {
                RoceQueuePair queuePair = turn[i];
                if (queuePair != null) {
                    queuePair.transmit(pass);
                }
            }
        }
        for (int i = 0; i < count; i++) {
            turn[i] = null;
        }
    }
}
