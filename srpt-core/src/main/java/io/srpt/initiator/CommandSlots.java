package io.srpt.initiator;

import org.jspecify.annotations.Nullable;

/**
 * The command slots of a session: a stack of free ones and a queue of those that wait for a credit.
 *
 * <p>Threads: the session's loop.
 */
final class CommandSlots {
    private final InitiatorCommand[] slots;
    private final int[] free;
    private final int[] waiting;
    private int freeCount;
    private int waitingHead;
    private int waitingCount;

    CommandSlots(InitiatorCommand[] slots) {
        this.slots = slots;
        free = new int[slots.length];
        waiting = new int[slots.length];
        for (int index = slots.length - 1; index >= 0; index--) {
            free[freeCount++] = index;
        }
    }

    int count() {
        return slots.length;
    }

    int freeCount() {
        return freeCount;
    }

    InitiatorCommand get(int index) {
        return slots[index];
    }

    @Nullable
    InitiatorCommand take() {
        return freeCount == 0 ? null : slots[free[--freeCount]];
    }

    void putBack(InitiatorCommand command) {
        free[freeCount++] = command.index();
    }

    /** Appends a command to the queue of those that wait. */
    void await(InitiatorCommand command) {
        waiting[(waitingHead + waitingCount++) % waiting.length] = command.index();
    }

    boolean hasWaiting() {
        return waitingCount > 0;
    }

    /** The command that has waited longest; call only if there is one. */
    InitiatorCommand firstWaiting() {
        return slots[waiting[waitingHead]];
    }

    void removeFirstWaiting() {
        waitingHead = (waitingHead + 1) % waiting.length;
        waitingCount--;
    }

    /** Takes {@code command} out of the queue, wherever it stands. */
    void removeWaiting(InitiatorCommand command) {
        int kept = 0;
        int count = waitingCount;
        for (int position = 0; position < count; position++) {
            int index = waiting[(waitingHead + position) % waiting.length];
            if (index != command.index()) {
                waiting[(waitingHead + kept++) % waiting.length] = index;
            }
        }
        waitingCount = kept;
    }

    /** The slot that {@code tag} belongs to, or null if no command with it is in flight. */
    @Nullable
    InitiatorCommand inFlight(long tag) {
        int index = (int) tag;
        if (index < 0 || index >= slots.length) {
            return null;
        }
        InitiatorCommand command = slots[index];
        return command.isInFlight() && command.tag() == tag ? command : null;
    }
}
