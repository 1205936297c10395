package io.srpt.initiator;

import io.srpt.initiator.InitiatorCommand.Outcome;
import io.srpt.scsi.SenseData;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * How a command of a {@link BlockingSrpClient} ended, copied out of its slot.
 *
 * @param outcome whether the target executed it
 * @param status the SCSI status, if it did
 * @param data what it read; do not modify
 * @param sense sense data; do not modify
 * @param residual bytes not transferred, below 0 if there would have been more
 * @param description for messages
 */
public record ScsiResult(Outcome outcome, int status, byte[] data, byte[] sense, int residual, String description) {
    private static final int CHECK_CONDITION = 2;
    private static final int UNIT_ATTENTION = 6;

    static ScsiResult of(InitiatorCommand command, boolean read) {
        byte[] data = new byte[read && command.outcome() == Outcome.ANSWERED ? command.transferred() : 0];
        command.data().get(0, data);
        byte[] sense = new byte[command.senseLength()];
        System.arraycopy(command.sense(), 0, sense, 0, sense.length);
        return new ScsiResult(
                command.outcome(), command.scsiStatus(), data, sense, command.residual(), command.describe());
    }

    /** Whether the target executed it with status GOOD. */
    public boolean isGood() {
        return outcome == Outcome.ANSWERED && status == 0;
    }

    /** The sense data decoded, or null if there is none. */
    public SenseData.@Nullable Decoded decodedSense() {
        return SenseData.decode(ByteBuffer.wrap(sense), 0, sense.length);
    }

    /** Whether it only reported a unit attention, so that the command should be sent again. */
    public boolean isUnitAttention() {
        SenseData.Decoded decoded = status == CHECK_CONDITION ? decodedSense() : null;
        return decoded != null && decoded.key() == UNIT_ATTENTION;
    }
}
