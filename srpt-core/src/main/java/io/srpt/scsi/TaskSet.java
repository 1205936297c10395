package io.srpt.scsi;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of one unit from their arrival to their end, and who of them may run (SAM-5 §8).
 *
 * <pre>
 *   SIMPLE         waits for every HEAD OF QUEUE task, and for ORDERED tasks that are older
 *   ORDERED        waits for every HEAD OF QUEUE task, and for all tasks that are older
 *   HEAD OF QUEUE  does not wait
 * </pre>
 *
 * <p>A task that waits is dormant: nothing of it is looked at, not even its CDB, before its turn. Those that may run do so in any order
 * (unrestricted reordering). While only SIMPLE tasks are there, this costs a look at three numbers. Owner loop only.
 */
final class TaskSet {
    private final ArrayDeque<ScsiTask> dormant = new ArrayDeque<>(0);
    private @Nullable ScsiTask first;
    private int running;
    private int runningOrdered;
    private int runningHeadOfQueue;
    private boolean frozen;
    private boolean advancing;

    /** Takes a new task; false when it has to wait for its turn. */
    boolean enter(ScsiTask task) {
        ScsiTask next = first;
        boolean runs = switch (task.attribute()) {
            case HEAD_OF_QUEUE -> true;
            case ORDERED -> next == null;
            case SIMPLE, ACA ->
                task.isInternal() || runningOrdered == 0 && runningHeadOfQueue == 0 && dormant.isEmpty();
        };
        task.nextInSet = next;
        task.previousInSet = null;
        if (next != null) {
            next.previousInSet = task;
        }
        first = task;
        if (runs) {
            count(task, 1);
        } else {
            dormant.add(task);
        }
        task.dormant = !runs;
        return runs;
    }

    private void count(ScsiTask task, int by) {
        running += by;
        switch (task.attribute()) {
            case ORDERED -> runningOrdered += by;
            case HEAD_OF_QUEUE -> runningHeadOfQueue += by;
            case SIMPLE, ACA -> {}
        }
    }

    /** A task has ended; {@link #advance()} belongs after it. */
    void leave(ScsiTask task) {
        ScsiTask previous = task.previousInSet;
        ScsiTask next = task.nextInSet;
        if (previous == null) {
            first = next;
        } else {
            previous.nextInSet = next;
        }
        if (next != null) {
            next.previousInSet = previous;
        }
        task.previousInSet = null;
        task.nextInSet = null;
        if (task.dormant) {
            task.dormant = false;
            dormant.remove(task);
        } else {
            count(task, -1);
        }
    }

    /** Lets those begin whose turn it is. */
    void advance() {
        if (dormant.isEmpty() || advancing || frozen) {
            return;
        }
        advancing = true;
        try {
            for (ScsiTask next = dormant.peek(); next != null && mayRun(next); next = dormant.peek()) {
                dormant.remove();
                next.dormant = false;
                count(next, 1);
                next.server().resume(next);
            }
        } finally {
            advancing = false;
        }
    }

    /** Of the oldest dormant task: those that run are older, or of HEAD OF QUEUE. */
    private boolean mayRun(ScsiTask task) {
        boolean ordered = task.attribute() == TaskAttribute.ORDERED;
        return runningHeadOfQueue == 0 && (ordered ? running : runningOrdered) == 0;
    }

    /** Whether tasks are being ended, and nobody is to begin or go on who may be among them. */
    boolean isFrozen() {
        return frozen;
    }

    void frozen(boolean now) {
        frozen = now;
    }

    /** The head of the set, linked by {@link ScsiTask#nextInSet}; the youngest comes first. */
    @Nullable
    ScsiTask first() {
        return first;
    }

    /** Whether nobody runs, or only {@code task}, which then is one that runs. */
    boolean isNoneRunningBut(@Nullable ScsiTask task) {
        return running == (task == null ? 0 : 1);
    }

    /** Whether the set holds another command of this task's nexus. */
    boolean hasOtherOfNexus(ScsiTask task) {
        for (ScsiTask other = first; other != null; other = other.nextInSet) {
            if (other != task && other.nexus() == task.nexus()) {
                return true;
            }
        }
        return false;
    }
}
