package io.srpt.initiator;

import io.srpt.initiator.SrpTaskManagementCallback.Result;
import org.jspecify.annotations.Nullable;

/**
 * Task management functions in flight. Their tags have the top bit set, which tags of commands never have.
 *
 * <p>Threads: the session's loop.
 */
final class TaskManagementSlots {
    private static final long TAG_BIT = Long.MIN_VALUE;

    private final Entry[] entries;

    TaskManagementSlots(int count, int unitOffset, int unitStride) {
        entries = new Entry[count];
        for (int index = 0; index < count; index++) {
            entries[index] = new Entry(index, unitOffset + index * unitStride);
        }
    }

    @Nullable
    Entry take() {
        for (Entry entry : entries) {
            if (entry.callback == null) {
                entry.generation = (entry.generation + 1) & 0x7FFF_FFFF;
                return entry;
            }
        }
        return null;
    }

    @Nullable
    Entry inFlight(long tag) {
        int index = (int) tag;
        if (tag >= 0 || index < 0 || index >= entries.length) {
            return null;
        }
        Entry entry = entries[index];
        return entry.callback != null && entry.tag() == tag ? entry : null;
    }

    void failAll() {
        for (Entry entry : entries) {
            if (entry.callback != null) {
                entry.end(Result.SESSION_LOST);
            }
        }
    }

    /** Whether a function in flight is overdue at {@code now}. */
    boolean isOverdue(long now) {
        for (Entry entry : entries) {
            if (entry.callback != null && entry.deadlineNanos - now <= 0) {
                return true;
            }
        }
        return false;
    }

    /** One function in flight. */
    static final class Entry {
        private final int index;
        private final int unitOffset;
        private int generation;
        private SrpTaskFunction function = SrpTaskFunction.ABORT_TASK;
        private long lun;
        private long taskTag;
        private long sequence;
        private long deadlineNanos;
        private @Nullable SrpTaskManagementCallback callback;

        Entry(int index, int unitOffset) {
            this.index = index;
            this.unitOffset = unitOffset;
        }

        long tag() {
            return TAG_BIT | ((long) generation << 32) | index;
        }

        int index() {
            return index;
        }

        int unitOffset() {
            return unitOffset;
        }

        void onSent(
                SrpTaskFunction sent, long onLun, long onTag, long at, long deadline, SrpTaskManagementCallback told) {
            function = sent;
            lun = onLun;
            taskTag = onTag;
            sequence = at;
            deadlineNanos = deadline;
            callback = told;
        }

        /** Whether a command that is in flight has been ended by this function. */
        boolean covers(InitiatorCommand command) {
            if (command.sequence() >= sequence || command.lun() != lun) {
                return false;
            }
            return switch (function) {
                case ABORT_TASK -> command.tag() == taskTag;
                case ABORT_TASK_SET, CLEAR_TASK_SET, LUN_RESET -> true;
                case CLEAR_ACA -> false;
            };
        }

        void end(Result result) {
            SrpTaskManagementCallback told = callback;
            callback = null;
            if (told != null) {
                told.onTaskManagementEnd(function, result);
            }
        }
    }
}
