package io.srpt.scsi;

import org.jspecify.annotations.Nullable;

/** How far a copy is, and how it ended, for RECEIVE COPY RESULTS. Owner loop only. */
final class CopyStatus {
    private static final int IN_PROGRESS = 0;
    private static final int ENDED_WELL = 1;
    private static final int FAILED = 2;

    private final int listId;
    private int segmentsDone;
    private long bytes;
    private boolean ended;
    private @Nullable Sense failure;
    private @Nullable Sense details;
    private long endedAt;

    CopyStatus(int listId) {
        this.listId = listId;
    }

    int listId() {
        return listId;
    }

    void copied(long moreBytes) {
        bytes += moreBytes;
    }

    void segmentDone() {
        segmentsDone++;
    }

    /** {@code withFailure}: why it could not be done, or null. */
    void end(@Nullable Sense withFailure) {
        ended = true;
        failure = withFailure;
        details = withFailure;
        endedAt = System.nanoTime();
    }

    boolean ended() {
        return ended;
    }

    /** By {@link System#nanoTime()}. */
    long endedAt() {
        return endedAt;
    }

    /** COPY MANAGER STATUS. */
    int code() {
        return !ended ? IN_PROGRESS : failure == null ? ENDED_WELL : FAILED;
    }

    /** Why it failed; null when it did not, or this was asked for before. */
    @Nullable
    Sense failure() {
        return details;
    }

    void detailsTaken() {
        details = null;
    }

    int segmentsDone() {
        return segmentsDone;
    }

    long bytes() {
        return bytes;
    }
}
