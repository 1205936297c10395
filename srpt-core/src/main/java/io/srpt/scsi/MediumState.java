package io.srpt.scsi;

/**
 * That the medium of a disk is being formatted or sanitized, or was not to the end: what has to be known after a restart, so that
 * nobody reads what was to be gone.
 *
 * @param kind which of the two
 * @param mayExit whether SANITIZE, EXIT FAILURE MODE gives the disk back (AUSE of the command that began)
 */
public record MediumState(Kind kind, boolean mayExit) {
    /** What the whole medium becomes. */
    public enum Kind {
        FORMAT(Sense.FORMAT_IN_PROGRESS, Sense.FORMAT_COMMAND_FAILED),
        SANITIZE(Sense.SANITIZE_IN_PROGRESS, Sense.SANITIZE_COMMAND_FAILED);

        private final Sense inProgress;
        private final Sense failed;

        Kind(Sense inProgress, Sense failed) {
            this.inProgress = inProgress;
            this.failed = failed;
        }

        Sense inProgress() {
            return inProgress;
        }

        Sense failed() {
            return failed;
        }
    }
}
