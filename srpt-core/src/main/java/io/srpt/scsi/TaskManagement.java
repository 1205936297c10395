package io.srpt.scsi;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Task management functions that concern more than one task (SAM-5 §7). ABORT TASK is {@link DeviceServer#abort}, since only
 * the target knows tags.
 *
 * <p>Tasks of the nexus that asked end without status ({@link ScsiTaskListener#onTaskAborted}), those of others with TASK
 * ABORTED, or without status too if the control mode page says so (TAS is 0). All functions answer at once and never wait for a store. Owner loop only.
 */
public final class TaskManagement {
    /** The answer to a function. */
    public enum Result {
        COMPLETE,
        /** The LUN names no logical unit. */
        INCORRECT_LUN
    }

    private final DeviceServer server;

    TaskManagement(DeviceServer server) {
        this.server = server;
    }

    /** ABORT TASK SET: ends the tasks that {@code nexus} has on the unit. */
    public Result abortTaskSet(Nexus nexus, long rawLun) {
        LogicalUnit unit = server.logicalUnit(nexus, rawLun);
        if (unit == null) {
            return Result.INCORRECT_LUN;
        }
        unit.freeze();
        try {
            for (ScsiTask task : snapshot(unit)) {
                if (task.isActive() && task.nexus() == nexus) {
                    endWithoutStatus(task);
                }
            }
        } finally {
            unit.thaw();
        }
        return Result.COMPLETE;
    }

    /** CLEAR TASK SET: ends all tasks on the unit; nexuses that lose some get a unit attention. */
    public Result clearTaskSet(Nexus nexus, long rawLun) {
        LogicalUnit unit = server.logicalUnit(nexus, rawLun);
        if (unit == null) {
            return Result.INCORRECT_LUN;
        }
        for (ScsiTask task = unit.tasks().first(); task != null; task = task.nextInSet) {
            if (task.nexus() != nexus) {
                tellCleared(task.nexus(), unit);
            }
        }
        endAll(nexus, unit);
        return Result.COMPLETE;
    }

    /** Tells {@code nexus} that another one has cleared commands of its on {@code unit}, also those that had not begun here yet. */
    public void tellCleared(Nexus nexus, LogicalUnit unit) {
        nexus.establish(unit, UnitAttention.COMMANDS_CLEARED);
    }

    /** LOGICAL UNIT RESET: ends all tasks on the unit; every nexus, the one that asked included, gets a unit attention. */
    public Result lunReset(Nexus nexus, long rawLun) {
        LogicalUnit unit = server.logicalUnit(nexus, rawLun);
        if (unit == null) {
            return Result.INCORRECT_LUN;
        }
        unit.counters().resets.increment();
        endAll(nexus, unit);
        unit.reservations().reset();
        unit.mode().reset();
        for (Nexus each : server.nexuses()) {
            each.establish(unit, UnitAttention.BUS_DEVICE_RESET);
        }
        return Result.COMPLETE;
    }

    /** PREEMPT AND ABORT: ends the tasks of {@code preempted} on the unit of {@code by}, but for that task itself. */
    void preempt(ScsiTask by, Set<NexusId> preempted) {
        LogicalUnit unit = by.unit();
        boolean tellOthers = unit.mode().taskAborted();
        unit.freeze();
        try {
            for (ScsiTask task : snapshot(unit)) {
                if (task != by
                        && task.isActive()
                        && preempted.contains(task.nexus().id())) {
                    if (!tellOthers && task.nexus() != by.nexus()) {
                        task.nexus().establish(unit, UnitAttention.COMMANDS_CLEARED);
                    }
                    end(task, by.nexus(), tellOthers);
                }
            }
        } finally {
            unit.thaw();
        }
    }

    private static void endAll(Nexus issuer, LogicalUnit unit) {
        boolean tellOthers = unit.mode().taskAborted();
        unit.freeze();
        try {
            for (ScsiTask task : snapshot(unit)) {
                if (task.isActive()) {
                    end(task, issuer, tellOthers);
                }
            }
        } finally {
            unit.thaw();
        }
    }

    private static void end(ScsiTask task, Nexus issuer, boolean tellOthers) {
        if (task.nexus() == issuer || !tellOthers) {
            endWithoutStatus(task);
        } else {
            task.finish(ScsiStatus.TASK_ABORTED);
        }
    }

    /** The task set as it is now: what a listener does meanwhile does not disturb the walk, and new tasks are left alone. */
    private static List<ScsiTask> snapshot(LogicalUnit unit) {
        List<ScsiTask> tasks = new ArrayList<>();
        for (ScsiTask task = unit.tasks().first(); task != null; task = task.nextInSet) {
            tasks.add(task);
        }
        return tasks;
    }

    private static void endWithoutStatus(ScsiTask task) {
        task.markAborted();
        task.listener().onTaskAborted(task);
    }
}
