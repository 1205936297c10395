package io.srpt.service;

/**
 * One thing that a running target does to be as its configuration says. All changes are prepared first; when each of them
 * could be, all are applied, else those that were prepared are undone and nothing has changed.
 *
 * @param text for the log and for whoever asked
 * @param prepare does what may fail
 * @param apply does the rest
 * @param undo takes back what {@code prepare} has done
 */
record Change(String text, Step prepare, Step apply, Step undo) {
    private static final Step NOTHING = server -> {};
    private static final Step IMPOSSIBLE = server -> {};

    /** A part of it. */
    @FunctionalInterface
    interface Step {
        void on(SrptServer server) throws ServiceException;
    }

    /** One that can hardly fail. */
    static Change simple(String text, Step apply) {
        return new Change(text, NOTHING, apply, NOTHING);
    }

    /** One that is done when it has been prepared, and then for good. */
    static Change forGood(String text, Step prepare) {
        return new Change(text, prepare, NOTHING, IMPOSSIBLE);
    }

    /** Whether it cannot be undone. */
    boolean isForGood() {
        return undo == IMPOSSIBLE;
    }

    /** One that is done when it has been prepared. */
    static Change tried(String text, Step prepare, Step undo) {
        return new Change(text, prepare, NOTHING, undo);
    }
}
