package io.srpt.srp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CommandValidatorTest {
    private static final int IMMEDIATE_OFFSET = 68;
    private static final int MAX_LENGTH = 8276;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 14);
    private final SrpCommand command = new SrpCommand().wrap(buffer, 0).initialise();

    private CommandCheck check(int received) {
        return CommandValidator.validate(command, received, IMMEDIATE_OFFSET, MAX_LENGTH);
    }

    private void immediate(int length, int additionalCdb) {
        command.initialise().additionalCdbLength(additionalCdb).dataOutFormat(BufferFormat.IMMEDIATE);
        buffer.putInt(command.descriptorOffset(), length);
    }

    private void indirect(int tableBytes, int total, int countInUnit) {
        command.initialise()
                .dataInFormat(BufferFormat.INDIRECT)
                .dataInCount(countInUnit)
                .indirectDescriptor(0x1000, 1, tableBytes, total);
        DescriptorTable table = command.tableInUnit(Math.min(countInUnit, 255));
        for (int i = 0; i < table.count(); i++) {
            table.descriptor(i, 0x10000L * i, 2, 512);
        }
    }

    @Test
    void acceptsACommandWithoutData() {
        assertThat(check(48)).isEqualTo(CommandCheck.OK);
        assertThat(command.dataLength()).isZero();
        assertThat(command.descriptors().count()).isZero();
    }

    @Test
    @Tag("pitfall-67")
    void refusesAUnitShorterThanItsFields() {
        for (int received = 0; received < 48; received++) {
            assertThat(check(received)).isEqualTo(CommandCheck.UNIT_TOO_SHORT);
        }
        command.dataInFormat(BufferFormat.DIRECT);
        assertThat(check(63)).isEqualTo(CommandCheck.DESCRIPTOR_TRUNCATED);
        assertThat(check(64)).isEqualTo(CommandCheck.OK);
    }

    @Test
    void ignoresTheReservedBitsOfTheAdditionalCdbLength() {
        command.dataInFormat(BufferFormat.DIRECT);
        buffer.put(SrpCommand.ADDITIONAL_CDB_OFFSET, (byte) 0x13);
        assertThat(command.additionalCdbLength()).isEqualTo(16);
        assertThat(check(48)).isEqualTo(CommandCheck.CDB_TRUNCATED);
        assertThat(check(79)).isEqualTo(CommandCheck.DESCRIPTOR_TRUNCATED);
        assertThat(check(80)).isEqualTo(CommandCheck.OK);
    }

    @Test
    @Tag("pitfall-68")
    void refusesAVariableLengthCdbThatRunsPastItsFields() {
        byte[] cdb = new byte[32];
        cdb[0] = 0x7F;
        cdb[7] = 24;
        command.cdb(cdb);
        assertThat(check(64)).isEqualTo(CommandCheck.OK);
        cdb[7] = 25;
        command.cdb(cdb);
        assertThat(check(64)).isEqualTo(CommandCheck.CDB_LENGTH_MISMATCH);
    }

    @Test
    @Tag("pitfall-69")
    void refusesBothDirectionsAndUnknownFormats() {
        command.dataInFormat(BufferFormat.DIRECT).dataOutFormat(BufferFormat.DIRECT);
        assertThat(check(200)).isEqualTo(CommandCheck.BIDIRECTIONAL);
        for (int format = 4; format < 16; format++) {
            command.dataInFormat(0).dataOutFormat(format);
            assertThat(check(200)).isEqualTo(CommandCheck.BAD_FORMAT);
            command.dataInFormat(format).dataOutFormat(0);
            assertThat(check(200)).isEqualTo(CommandCheck.BAD_FORMAT);
        }
        command.dataInFormat(BufferFormat.IMMEDIATE).dataOutFormat(0);
        assertThat(check(200)).isEqualTo(CommandCheck.BAD_FORMAT);
    }

    @Test
    @Tag("pitfall-64")
    void checksImmediateDataWithoutOverflow() {
        immediate(4096, 0);
        assertThat(check(68 + 4096)).isEqualTo(CommandCheck.OK);
        assertThat(check(68 + 4095)).isEqualTo(CommandCheck.IMMEDIATE_TRUNCATED);
        assertThat(CommandValidator.validate(command, 8000, CommandValidator.NO_IMMEDIATE_DATA, MAX_LENGTH))
                .isEqualTo(CommandCheck.IMMEDIATE_NOT_AGREED);
        assertThat(CommandValidator.validate(command, 8000, 48, MAX_LENGTH)).isEqualTo(CommandCheck.IMMEDIATE_OVERLAP);
        immediate(0xFFFFFFBC, 0);
        assertThat(check(MAX_LENGTH)).isEqualTo(CommandCheck.IMMEDIATE_TOO_LONG);
        immediate(0xFFFFFFFF, 0);
        assertThat(check(MAX_LENGTH)).isEqualTo(CommandCheck.IMMEDIATE_TOO_LONG);
        immediate(MAX_LENGTH - 68 + 1, 0);
        assertThat(check(MAX_LENGTH)).isEqualTo(CommandCheck.IMMEDIATE_TOO_LONG);
        immediate(MAX_LENGTH - 68, 0);
        assertThat(check(MAX_LENGTH)).isEqualTo(CommandCheck.OK);
        immediate(0, 0);
        assertThat(check(68)).isEqualTo(CommandCheck.OK);
        immediate(8, 16);
        assertThat(check(76)).isEqualTo(CommandCheck.OK);
        immediate(8, 20);
        assertThat(check(76)).isEqualTo(CommandCheck.IMMEDIATE_OVERLAP);
        immediate(8, 0);
        assertThat(check(51)).isEqualTo(CommandCheck.DESCRIPTOR_TRUNCATED);
    }

    @Test
    @Tag("pitfall-65")
    @Tag("pitfall-66")
    void comparesTheIndirectTableWithWhatCame() {
        indirect(4 * 16, 4 * 512, 4);
        assertThat(check(68 + 4 * 16)).isEqualTo(CommandCheck.OK);
        assertThat(check(68 + 4 * 16 - 1)).isEqualTo(CommandCheck.DESCRIPTOR_TRUNCATED);
        assertThat(check(67)).isEqualTo(CommandCheck.DESCRIPTOR_TRUNCATED);
        indirect(4 * 16 + 15, 4 * 512, 4);
        assertThat(check(68 + 4 * 16)).isEqualTo(CommandCheck.OK);
        indirect(4 * 16, 4 * 512 + 1, 4);
        assertThat(check(68 + 4 * 16)).isEqualTo(CommandCheck.TABLE_BELOW_TOTAL);
        indirect(4 * 16, 100, 4);
        assertThat(check(68 + 4 * 16)).isEqualTo(CommandCheck.OK);
        indirect(0, 0, 0);
        assertThat(check(68)).isEqualTo(CommandCheck.OK);
        indirect(0, 512, 0);
        assertThat(check(68)).isEqualTo(CommandCheck.TABLE_BELOW_TOTAL);
        indirect(2 * 16, 2 * 512, 7);
        assertThat(check(68 + 2 * 16)).isEqualTo(CommandCheck.OK);
        assertThat(command.descriptors().count()).isEqualTo(2);
    }

    @Test
    @Tag("pitfall-65")
    void tellsAPartialTableFromAHugeOne() {
        indirect(300 * 16, 300 * 512, 255);
        assertThat(check(68 + 255 * 16)).isEqualTo(CommandCheck.PARTIAL_TABLE);
        assertThat(CommandCheck.PARTIAL_TABLE.isGood()).isTrue();
        assertThat(command.tableCount()).isEqualTo(300);
        assertThat(command.descriptors().count()).isEqualTo(255);
        indirect(300 * 16, 300 * 512, 0);
        assertThat(check(68)).isEqualTo(CommandCheck.PARTIAL_TABLE);
        indirect(0xFFFFFFF0, 512, 255);
        assertThat(check(MAX_LENGTH)).isEqualTo(CommandCheck.TABLE_TOO_LONG);
    }

    @Test
    @Tag("pitfall-67")
    void neverThrowsAndNeverTrustsRandomOrTruncatedBytes() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] bytes = new byte[512];
        for (int i = 0; i < 200_000; i++) {
            random.nextBytes(bytes);
            bytes[SrpCommand.FORMATS_OFFSET] &= (byte) random.nextInt(256);
            int received = random.nextInt(bytes.length + 1);
            // The unit lies at the very end: a read beyond the received bytes would throw.
            ByteBuffer exact = ByteBuffer.allocate(received);
            exact.put(0, bytes, 0, received);
            SrpCommand random1 = new SrpCommand().wrap(exact, 0);
            CommandCheck check = CommandValidator.validate(random1, received, 52 + random.nextInt(64), MAX_LENGTH);
            if (check.isGood()) {
                DescriptorTable table = random1.descriptors();
                assertThat(table.totalLength()).as("seed %d", seed).isNotNegative();
                assertThat(random1.dataLength()).as("seed %d", seed).isNotNegative();
                if (check == CommandCheck.OK && table.count() > 0) {
                    assertThat(table.totalLength()).as("seed %d", seed).isGreaterThanOrEqualTo(random1.dataLength());
                }
            }
        }
    }
}
