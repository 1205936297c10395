package io.srpt.target;

import io.srpt.scsi.ScsiStatus;
import java.time.Duration;

/** What a {@link CommandInterceptor} does to a command. Immutable: make one and return it as often as needed. */
public sealed interface CommandFault {
    /** Nothing: the command goes on. */
    CommandFault PASS = new Pass();

    /** See {@link Drop}. */
    CommandFault DROP = new Drop();

    /** See {@link KillChannel}. */
    CommandFault KILL_CHANNEL = new KillChannel();

    /** The command begins after {@code time}. */
    static CommandFault delay(Duration time) {
        return new Delay(time.toNanos());
    }

    /** The command ends with {@code status} and without sense. */
    static CommandFault fail(ScsiStatus status) {
        return new Fail(status, false, 0, 0, 0);
    }

    /** The command ends with CHECK CONDITION and this sense. */
    static CommandFault checkCondition(int senseKey, int asc, int ascq) {
        return new Fail(ScsiStatus.CHECK_CONDITION, true, senseKey, asc, ascq);
    }

    /** Nothing happens. */
    record Pass() implements CommandFault {}

    /**
     * The command begins later, as if it had come then: commands that come meanwhile overtake it. It can be aborted while it
     * waits.
     *
     * @param nanos how much later; not negative
     */
    record Delay(long nanos) implements CommandFault {
        /** Checks the time. */
        public Delay {
            if (nanos < 0) {
                throw new IllegalArgumentException("a delay of " + nanos + " ns");
            }
        }
    }

    /**
     * The command is never carried out and never answered. It stays in hand, with its receive and its credit, until a task
     * management function or the end of its channel ends it; then they go back as those of any aborted command.
     */
    record Drop() implements CommandFault {}

    /**
     * The command is not carried out, but answered, without data and without residual.
     *
     * @param status not {@link ScsiStatus#GOOD}: what was not done must not look as if it was
     * @param withSense whether sense data go with it
     * @param senseKey 0 to 15
     * @param asc additional sense code, 0 to 255
     * @param ascq its qualifier, 0 to 255
     */
    record Fail(ScsiStatus status, boolean withSense, int senseKey, int asc, int ascq) implements CommandFault {
        private static final int MAX_KEY = 0xF;
        private static final int MAX_CODE = 0xFF;

        /** Checks the values. */
        public Fail {
            if (status == ScsiStatus.GOOD) {
                throw new IllegalArgumentException("a command that fails can't have status GOOD");
            }
            if (senseKey < 0 || senseKey > MAX_KEY || asc < 0 || asc > MAX_CODE || ascq < 0 || ascq > MAX_CODE) {
                throw new IllegalArgumentException(
                        String.format("there is no sense %X/%02X/%02X", senseKey, asc, ascq));
            }
        }
    }

    /** The channel ends, with {@link ChannelEnd#FAULT_INJECTED}, and all its commands with it. */
    record KillChannel() implements CommandFault {}
}
