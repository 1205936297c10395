package io.srpt.initiator;

import io.srpt.counter.Counter;

/** What a session counted. Written on its loop, read from anywhere. */
public final class SrpSessionCounters {
    final Counter commands = new Counter();
    final Counter answers = new Counter();
    final Counter creditWaits = new Counter();
    final Counter taskManagement = new Counter();
    final Counter targetRequests = new Counter();
    final Counter unknownTags = new Counter();
    final Counter malformed = new Counter();

    /** SRP_CMD information units posted. */
    public long commands() {
        return commands.get();
    }

    /** SRP_RSP information units received. */
    public long answers() {
        return answers.get();
    }

    /** Commands that had to wait for a credit or a free send slot. */
    public long creditWaits() {
        return creditWaits.get();
    }

    /** Task management functions posted. */
    public long taskManagement() {
        return taskManagement.get();
    }

    /** SRP_CRED_REQ and SRP_AER_REQ received. */
    public long targetRequests() {
        return targetRequests.get();
    }

    /** Answers whose tag is not, or no longer, in use. */
    public long unknownTags() {
        return unknownTags.get();
    }

    /** Messages that are no valid SRP. */
    public long malformed() {
        return malformed.get();
    }
}
