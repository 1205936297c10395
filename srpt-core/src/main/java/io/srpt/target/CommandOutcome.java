package io.srpt.target;

import io.srpt.scsi.DataDirection;
import io.srpt.srp.PortId;

/** How a command ended: a view that is valid during {@link CommandListener#onCommand} only. */
public interface CommandOutcome {
    /** {@link #status()} of a command that got no response: it was aborted, or its channel ended. */
    int NO_RESPONSE = -1;

    /** Name of the port. */
    String port();

    /** The channel's id. */
    long channel();

    /** Who sent the command. */
    PortId initiatorPort();

    /** The eight raw bytes of the LUN. */
    long lun();

    /** Byte 0 of the CDB. */
    int operationCode();

    /** Where its data went. */
    DataDirection direction();

    /** Data bytes that it moved or was to move. */
    long bytes();

    /** SCSI status code, or {@link #NO_RESPONSE}. */
    int status();

    /** Sense key, 0 without sense. */
    int senseKey();

    /** Additional sense code above its qualifier, 0 without sense. */
    int senseCode();

    /** Nanoseconds from the arrival of the unit to the completion of the response. */
    long nanos();
}
