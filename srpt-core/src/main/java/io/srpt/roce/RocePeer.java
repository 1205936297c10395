package io.srpt.roce;

import org.jspecify.annotations.Nullable;

/** The queue pairs of an endpoint that send to one address, as far as they have something to send in this turn. */
final class RocePeer {
    private static final SendPass[] PASSES = SendPass.values();

    private final WorkList<Sender> runnable = new WorkList<>(Sender[]::new);
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

    /** {@code sender} has something to send. Whether it is the first. */
    boolean add(Sender sender) {
        runnable.add(sender);
        return runnable.count() == 1;
    }

    /**
     * Lets them send, kind by kind. Those that cannot send all schedule themselves again; a bug that one has met costs the others no
     * more than a turn.
     */
    void transmit() {
        int count = runnable.count();
        @Nullable Sender[] turn = runnable.swap();
        for (int i = 0; i < count; i++) {
            Sender sender = turn[i];
            if (sender != null) {
                sender.markScheduled(false);
            }
        }
        Sender asked = null;
        try {
            for (SendPass pass : PASSES) {
                for (int i = 0; i < count; i++) {
                    asked = turn[i];
                    if (asked != null) {
                        asked.transmit(pass);
                    }
                }
            }
            asked = null;
        } finally {
            for (int i = 0; i < count; i++) {
                Sender sender = turn[i];
                turn[i] = null;
                if (asked != null && sender != null && sender != asked) {
                    sender.schedule();
                }
            }
        }
    }
}
