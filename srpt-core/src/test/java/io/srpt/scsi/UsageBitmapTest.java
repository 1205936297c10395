package io.srpt.scsi;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.scsi.ScsiTestBed.Outcome;
import io.srpt.store.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What REPORT SUPPORTED OPERATION CODES says of each bit of each CDB is what the device server does with it: a bit that is 0
 * there is ignored, or refused as reserved ones are; it never changes what a command does (SPC-4 §6.35.3).
 */
class UsageBitmapTest {
    private static final int NACA = 0x04;
    private static final int REPORT_TIMESTAMP = 0x0F;

    private record Answer(ScsiStatus status, String sense, String data) {
        static Answer of(Outcome outcome) {
            return new Answer(outcome.status(), outcome.sense(), outcome.hex());
        }

        boolean refusesAField() {
            return sense.equals("5/24/00");
        }
    }

    @Test
    void aBitThatIsNotSaidToBeUsedNeverChangesWhatACommandDoes() throws Exception {
        List<String> lies = new ArrayList<>();
        for (CommandDescriptor command : CommandTable.forDisk().all()) {
            Answer plain = answer(command, -1);
            for (int bit = 8; bit < 8 * command.cdbLength(); bit++) {
                if (!isUsed(command, bit) && !selectsCommand(command, bit)) {
                    Answer changed = answer(command, bit);
                    if (!changed.equals(plain) && !changed.refusesAField()) {
                        lies.add(command.name() + ", byte " + bit / 8 + " bit " + (7 - bit % 8) + ": " + plain
                                + " becomes " + changed);
                    }
                }
            }
        }
        assertThat(lies).isEmpty();
    }

    @Test
    void ofTheControlByteOnlyNacaIsUsed() throws Exception {
        for (CommandDescriptor command : CommandTable.forDisk().all()) {
            int control = command.controlOffset();
            assertThat(command.usage()[control]).as(command.name()).isEqualTo((byte) NACA);
            assertThat(answer(command, 8 * control + 5).sense())
                    .as(command.name())
                    .isEqualTo("5/24/00");
        }
    }

    private static boolean isUsed(CommandDescriptor command, int bit) {
        return (command.usage()[bit / 8] & 0x80 >> bit % 8) != 0;
    }

    /** Whether the bit makes it another command. */
    private static boolean selectsCommand(CommandDescriptor command, int bit) {
        boolean variable = command.operationCode() == CommandDescriptor.VARIABLE_LENGTH;
        return command.hasServiceAction() && (variable ? bit / 8 == 8 || bit / 8 == 9 : bit / 8 == 1 && bit % 8 >= 3);
    }

    /** What a fresh disk answers to the command with nothing but its code and, if it is not negative, {@code bit}. */
    private static Answer answer(CommandDescriptor command, int bit) throws Exception {
        try (MemoryStore store = MemoryStore.open(8192)) {
            ScsiTestBed bed = ScsiTestBed.withDisk(store);
            byte[] cdb = new byte[command.cdbLength()];
            cdb[0] = (byte) command.operationCode();
            if (command.operationCode() == CommandDescriptor.VARIABLE_LENGTH) {
                cdb[7] = (byte) (cdb.length - 8);
                cdb[9] = (byte) command.serviceAction();
            } else if (command.hasServiceAction()) {
                cdb[1] = (byte) command.serviceAction();
            }
            allocate(command, cdb);
            if (bit >= 0) {
                cdb[bit / 8] ^= (byte) (0x80 >> bit % 8);
            }
            Outcome outcome = bed.run(new ScsiTask(bed), bed.nexus, 0, cdb, new byte[0], 1024);
            return command.operationCode() == 0xA3 && command.serviceAction() == REPORT_TIMESTAMP
                    ? new Answer(outcome.status(), outcome.sense(), "")
                    : Answer.of(outcome);
        }
    }

    /** Gives the parameter data of those that report something 255 bytes. */
    private static void allocate(CommandDescriptor command, byte[] cdb) {
        switch (command.operationCode()) {
            case 0x03, 0x12, 0x1A -> cdb[4] = (byte) 0xFF;
            case 0x37, 0x3C, 0x4D, 0x5A, 0x5E -> cdb[8] = (byte) 0xFF;
            case 0xA0, 0xA3, 0xB7 -> cdb[9] = (byte) 0xFF;
            case 0x9E, 0x84 -> cdb[13] = (byte) 0xFF;
            default -> {}
        }
        if (command.operationCode() == 0x4D) {
            cdb[2] = 0x40;
        } else if (command.operationCode() == 0x1A || command.operationCode() == 0x5A) {
            cdb[2] = 0x3F;
        }
    }
}
