package io.srpt.reactor.event;

import io.srpt.scsi.DataDirection;
import io.srpt.target.CommandOutcome;

/**
 * A command ended: its response was acknowledged, or it got none.
 *
 * @param port where
 * @param channel the channel's id
 * @param lun the eight raw bytes of the LUN
 * @param operationCode byte 0 of the CDB
 * @param direction where its data went
 * @param bytes data bytes that it moved or was to move
 * @param status SCSI status code, {@link CommandOutcome#NO_RESPONSE} if it was aborted or its channel ended
 * @param senseKey sense key, 0 without sense
 * @param senseCode additional sense code above its qualifier, 0 without sense
 * @param nanos from the arrival of the unit to the completion of the response
 */
public record CommandCompleted(
        String port,
        long channel,
        long lun,
        int operationCode,
        DataDirection direction,
        long bytes,
        int status,
        int senseKey,
        int senseCode,
        long nanos)
        implements CommandEvent {
    /** A copy of {@code outcome}, which is valid during a call only. */
    public static CommandCompleted of(CommandOutcome outcome) {
        return new CommandCompleted(
                outcome.port(),
                outcome.channel(),
                outcome.lun(),
                outcome.operationCode(),
                outcome.direction(),
                outcome.bytes(),
                outcome.status(),
                outcome.senseKey(),
                outcome.senseCode(),
                outcome.nanos());
    }
}
