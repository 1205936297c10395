package io.srpt.scsi;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.scsi.ScsiTestBed.HeldStore;
import io.srpt.scsi.ScsiTestBed.Outcome;
import io.srpt.store.MemoryStore;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bytes of every response, on a disk of 2048 blocks of 512 bytes. */
class CommandsTest {
    private MemoryStore store;
    private ScsiTestBed bed;

    @BeforeEach
    void makeDisk() throws Exception {
        store = MemoryStore.open(1 << 20);
        bed = ScsiTestBed.withDisk(store);
    }

    @AfterEach
    void closeDisk() {
        store.close();
    }

    @Test
    void inquiryTellsWhatTheDiskIs() {
        String expected = "00 00 06 02 5b 08 00 02" + ascii("SRPT    VIRTUAL DISK    0.1 ") + " 00".repeat(22)
                + " 00 c0 09 40 05 c0 06 00 04 60 04 c0" + " 00".repeat(26);
        assertThat(bed.in("12 00 00 00 ff 00", 255).hex()).isEqualTo(expected);
        assertThat(bed.in("12 00 00 00 05 00", 5).hex()).isEqualTo("00 00 06 02 5b");
        assertThat(bed.in("12 00 01 00 ff 00", 255).sense()).isEqualTo("5/24/00");
        bed.server.targetPorts().add(1, 1);
        assertThat(bed.in("12 00 00 00 08 00", 8).hex()).endsWith(" 00 02");
        bed.server.targetPorts().add(2, 2);
        assertThat(bed.in("12 00 00 00 08 00", 8).hex()).endsWith(" 10 02");
    }

    @Test
    void vitalProductDataPages() {
        assertThat(bed.in("12 01 00 00 ff 00", 255).hex()).isEqualTo("00 00 00 0a 00 80 83 86 87 88 8f b0 b1 b2");
        assertThat(bed.in("12 01 80 00 ff 00", 255).hex()).isEqualTo("00 80 00 10" + ascii(ScsiTestBed.SERIAL));
        assertThat(bed.in("12 01 b0 00 ff 00", 255).hex())
                .isEqualTo("00 b0 00 3c 01 ff 00 08 00 00 20 00 00 00 08 00 00 00 00 00 ff ff ff ff 00 00 01 00"
                        + " 00 00 00 08 80 00 00 00 00 00 00 00 00 00 80 00 00 00 08 00" + " 00".repeat(16));
        assertThat(bed.in("12 01 b1 00 ff 00", 255).hex()).isEqualTo("00 b1 00 3c 00 01 00 40" + " 00".repeat(56));
        assertThat(bed.in("12 01 b2 00 ff 00", 255).hex()).isEqualTo("00 b2 00 04 0b e4 02 00");
        assertThat(bed.in("12 01 86 00 ff 00", 255).hex())
                .isEqualTo("00 86 00 3c 00 07 00 01 00 00 00 00 00 1c" + " 00".repeat(50));
        assertThat(bed.in("12 01 87 00 ff 00", 255).hex()).isEqualTo("00 87 00 04 3f ff 00 00");
        assertThat(bed.in("12 01 89 00 ff 00", 255).sense()).isEqualTo("5/24/00");
    }

    @Test
    void deviceIdentificationBeginsWithALocallyAdministeredNaa() {
        byte[] page = bed.in("12 01 83 00 ff 00", 255).data();
        assertThat(HexFormat.ofDelimiter(" ").formatHex(page, 0, 11)).isEqualTo("00 83 00 5c 01 03 00 10 60 25 35");
        assertThat(page[11] & 0xF0).isEqualTo(0x20);
        assertThat(HexFormat.ofDelimiter(" ").formatHex(page, 24, 68))
                .isEqualTo("02 01 00 28" + ascii("SRPT    VIRTUAL DISK    " + ScsiTestBed.SERIAL));
        assertThat(LogicalUnitConfig.defaults("A").naaIdentifier())
                .isEqualTo(LogicalUnitConfig.defaults("A").naaIdentifier())
                .isNotEqualTo(LogicalUnitConfig.defaults("B").naaIdentifier());
        assertThat(LogicalUnitConfig.serialFrom("guid", "0", "memory"))
                .hasSize(16)
                .isEqualTo(LogicalUnitConfig.serialFrom("guid", "0", "memory"))
                .isNotEqualTo(LogicalUnitConfig.serialFrom("guid", "1", "memory"));
    }

    @Test
    void readCapacity() throws Exception {
        assertThat(bed.in("25 00 00 00 00 00 00 00 00 00", 8).hex()).isEqualTo("00 00 07 ff 00 00 02 00");
        assertThat(bed.in("9e 10 00 00 00 00 00 00 00 00 00 00 00 20 00 00", 32).hex())
                .isEqualTo("00 00 00 00 00 00 07 ff 00 00 02 00 00 03 c0" + " 00".repeat(17));
        assertThat(bed.in("9e 10 00 00 00 00 00 00 00 00 00 00 00 0c 00 00", 32).data())
                .hasSize(12);
        try (MemoryStore big = MemoryStore.open(1 << 20)) {
            bed.add(1, LogicalUnitConfig.defaults("4K").withBlockSizes(4096, 4096), big);
            assertThat(bed.run(bed.nexus, Lun.encode(1), "25 00 00 00 00 00 00 00 00 00", new byte[0], 8)
                            .hex())
                    .isEqualTo("00 00 00 ff 00 00 10 00");
            assertThat(bed.run(
                                    bed.nexus,
                                    Lun.encode(1),
                                    "9e 10 00 00 00 00 00 00 00 00 00 00 00 20 00 00",
                                    new byte[0],
                                    32)
                            .hex())
                    .isEqualTo("00 00 00 00 00 00 00 ff 00 00 10 00 00 00 c0" + " 00".repeat(17));
        }
    }

    @Test
    void reportLuns() throws Exception {
        try (MemoryStore other = MemoryStore.open(4096)) {
            bed.add(300, LogicalUnitConfig.defaults("B"), other);
            String lun0 = " 00 00 00 00 00 00 00 00";
            String all = "00 00 00 10 00 00 00 00" + lun0 + " 41 2c 00 00 00 00 00 00";
            assertThat(bed.in("a0 00 00 00 00 00 00 00 10 00 00 00", 4096).hex())
                    .isEqualTo(all);
            assertThat(bed.in("a0 00 02 00 00 00 00 00 10 00 00 00", 4096).hex())
                    .isEqualTo(all);
            assertThat(bed.in("a0 00 00 00 00 00 00 00 00 10 00 00", 16).hex())
                    .isEqualTo("00 00 00 10 00 00 00 00" + lun0);
            assertThat(bed.in("a0 00 01 00 00 00 00 00 10 00 00 00", 4096).hex())
                    .isEqualTo("00 00 00 00 00 00 00 00");
            assertThat(bed.in("a0 00 03 00 00 00 00 00 10 00 00 00", 4096).sense())
                    .isEqualTo("5/24/00");
            assertThat(bed.in("a0 00 00 00 00 00 00 00 00 0f 00 00", 15).sense())
                    .isEqualTo("5/24/00");
            assertThat(new ScsiTestBed()
                            .in("a0 00 00 00 00 00 ff ff ff ff 00 00", 64)
                            .hex())
                    .isEqualTo("00 00 00 08 00 00 00 00" + lun0);
        }
    }

    @Test
    void modeSense() {
        String descriptor = " 00 00 08 00 00 00 02 00";
        String recovery = " 01 0a" + " 00".repeat(10);
        String caching = " 08 12" + " 00".repeat(18);
        String control = " 0a 0a 02 10 00 40 00 00 ff ff 00 00";
        String exceptions = " 1c 0a" + " 00".repeat(10);
        assertThat(bed.in("1a 00 3f 00 ff 00", 255).hex())
                .isEqualTo("43 00 10 08" + descriptor + recovery + caching + control + exceptions);
        String provisioning = " 5c 02 00 14" + " 00".repeat(20);
        assertThat(bed.in("1a 00 3f ff ff 00", 255).hex())
                .isEqualTo("5b 00 10 08" + descriptor + recovery + caching + control + exceptions + provisioning);
        assertThat(bed.in("1a 08 1c ff ff 00", 255).hex()).isEqualTo("27 00 10 00" + exceptions + provisioning);
        assertThat(bed.in("1a 08 1c 02 ff 00", 255).hex()).isEqualTo("1b 00 10 00" + provisioning);
        assertThat(bed.in("1a 08 3f 02 ff 00", 255).sense()).isEqualTo("5/24/00");
        assertThat(bed.in("1a 08 08 00 ff 00", 255).hex()).isEqualTo("17 00 10 00" + caching);
        assertThat(bed.in("1a 08 8a 00 ff 00", 255).hex()).isEqualTo("0f 00 10 00" + control);
        assertThat(bed.in("1a 08 4a 00 ff 00", 255).hex()).isEqualTo("0f 00 10 00 0a 0a 04 00 08 40" + " 00".repeat(6));
        assertThat(bed.in("5a 00 0a 00 00 00 00 00 ff 00", 255).hex())
                .isEqualTo("00 1a 00 10 00 00 00 08" + descriptor + control);
        assertThat(bed.in("5a 10 1c 00 00 00 00 00 ff 00", 255).hex())
                .isEqualTo("00 22 00 10 01 00 00 10" + " 00 00 00 00" + descriptor.substring(0, 12)
                        + " 00 00 00 00 00 00 02 00" + exceptions);
        assertThat(bed.in("1a 00 c8 00 ff 00", 255).sense()).isEqualTo("5/39/00");
        assertThat(bed.in("1a 00 02 00 ff 00", 255).sense()).isEqualTo("5/24/00");
        assertThat(bed.in("1a 00 08 01 ff 00", 255).sense()).isEqualTo("5/24/00");
    }

    @Test
    void modeSenseTellsOfTheWriteCache() {
        bed.add(1, LogicalUnitConfig.defaults("C"), new HeldStore(store, true));
        assertThat(bed.run(bed.nexus, Lun.encode(1), "1a 08 08 00 07 00", new byte[0], 7)
                        .hex())
                .isEqualTo("17 00 10 00 08 12 04");
    }

    @Test
    void reportSupportedOperationCodes() {
        byte[] all = bed.in("a3 0c 00 00 00 00 00 00 ff ff 00 00", 65535).data();
        LogicalUnit unit = Objects.requireNonNull(bed.server.logicalUnit(0));
        int count = (int) CommandTable.forDisk().all().stream()
                .filter(each -> each.command().offered(unit))
                .count();
        assertThat(all).hasSize(4 + 8 * count);
        assertThat(bed.in("a3 0c 80 00 00 00 00 00 ff ff 00 00", 65535).data()).hasSize(4 + 20 * count);
        assertThat(bed.in("a3 0c 01 12 00 00 00 00 00 ff 00 00", 255).hex()).isEqualTo("00 03 00 06 12 01 ff ff ff 04");
        assertThat(bed.in("a3 0c 81 12 00 00 00 00 00 ff 00 00", 255).hex())
                .isEqualTo("00 83 00 06 12 01 ff ff ff 04 00 0a" + " 00".repeat(10));
        assertThat(bed.in("a3 0c 01 43 00 00 00 00 00 ff 00 00", 255).hex()).isEqualTo("00 01 00 00");
        assertThat(bed.in("a3 0c 02 9e 00 10 00 00 00 04 00 00", 4).hex()).isEqualTo("00 03 00 10");
        assertThat(bed.in("a3 0c 03 12 00 00 00 00 00 04 00 00", 4).hex()).isEqualTo("00 03 00 06");
        assertThat(bed.in("a3 0c 03 12 00 01 00 00 00 04 00 00", 4).hex()).isEqualTo("00 01 00 00");
        assertThat(bed.in("a3 0c 03 9e 00 17 00 00 00 04 00 00", 4).hex()).isEqualTo("00 01 00 00");
        assertThat(bed.in("a3 0c 01 9e 00 00 00 00 00 04 00 00", 4).sense()).isEqualTo("5/24/00");
        assertThat(bed.in("a3 0c 02 12 00 00 00 00 00 04 00 00", 4).sense()).isEqualTo("5/24/00");
    }

    @Test
    void everyReadSeesWhatEveryWriteWrote() {
        String[][] forms = {
            {"0a 00 00 10 02 00", "08 00 00 10 02 00"},
            {"2a 08 00 00 00 10 00 00 02 00", "28 18 00 00 00 10 00 00 02 00"},
            {"aa 00 00 00 00 10 00 00 00 02 00 00", "a8 00 00 00 00 10 00 00 00 02 00 00"},
            {"8a 00 00 00 00 00 00 00 00 10 00 00 00 02 00 00", "88 00 00 00 00 00 00 00 00 10 00 00 00 02 00 00"},
        };
        for (int writer = 0; writer < forms.length; writer++) {
            byte[] data = new byte[1024];
            Arrays.fill(data, (byte) (writer + 1));
            assertThat(bed.out(forms[writer][0], data).status()).isEqualTo(ScsiStatus.GOOD);
            for (String[] form : forms) {
                Outcome read = bed.in(form[1], 1024);
                assertThat(read.status()).isEqualTo(ScsiStatus.GOOD);
                assertThat(read.data()).isEqualTo(data);
            }
        }
        assertThat(bed.in("08 00 00 00 00 00", 256 * 512).data()).hasSize(256 * 512);
        LogicalUnitCounters counters =
                Objects.requireNonNull(bed.server.logicalUnit(0)).counters();
        assertThat(counters.writes.get()).isEqualTo(4);
        assertThat(counters.writtenBytes.get()).isEqualTo(4096);
        assertThat(counters.reads.get()).isEqualTo(17);
        assertThat(counters.activeCommands.get()).isZero();
    }

    /** The fields of the block limits page, and what they are the limits of: at the limit it is served, behind it not. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            maximum transfer          |  8 | 4 | 28 00 00 00 00 00 00 LL LL 00                          | in  | 1
            maximum transfer          |  8 | 4 | a8 00 00 00 00 00 00 00 LL LL 00 00                    | in  | 1
            maximum transfer          |  8 | 4 | 88 00 00 00 00 00 00 00 00 00 00 00 LL LL 00 00        | in  | 1
            maximum transfer          |  8 | 4 | 2a 00 00 00 00 00 00 LL LL 00                          | out | 1
            maximum transfer          |  8 | 4 | aa 00 00 00 00 00 00 00 LL LL 00 00                    | out | 1
            maximum transfer          |  8 | 4 | 8a 00 00 00 00 00 00 00 00 00 00 00 LL LL 00 00        | out | 1
            maximum transfer          |  8 | 4 | 2e 00 00 00 00 00 00 LL LL 00                          | out | 1
            maximum transfer          |  8 | 4 | ae 00 00 00 00 00 00 00 LL LL 00 00                    | out | 1
            maximum transfer          |  8 | 4 | 8e 00 00 00 00 00 00 00 00 00 00 00 LL LL 00 00        | out | 1
            maximum transfer          |  8 | 4 | 2f 02 00 00 00 00 00 LL LL 00                          | out | 1
            maximum transfer          |  8 | 4 | 8b 00 00 00 00 00 00 00 00 00 00 00 LL LL 00 00        | out | 1
            maximum COMPARE AND WRITE |  5 | 1 | 89 00 00 00 00 00 00 00 00 00 00 00 00 LL 00 00        | out | 2
            maximum WRITE SAME        | 36 | 8 | 41 00 00 00 00 00 00 LL LL 00                          | out | 0
            maximum WRITE SAME        | 36 | 8 | 93 00 00 00 00 00 00 00 00 00 00 00 LL LL 00 00        | out | 0
            maximum WRITE SAME        | 36 | 8 | 93 01 00 00 00 00 00 00 00 00 00 00 LL LL 00 00        | in  | 0
            maximum WRITE ATOMIC      | 44 | 4 | 9c 00 00 00 00 00 00 00 00 00 00 00 LL LL 00 00        | out | 1
            """)
    void servesWhatBlockLimitsAllowAndNoMore(
            String limit, int at, int width, String cdb, String direction, int blocksOfDataPerBlock) throws Exception {
        LogicalUnitConfig small = LogicalUnitConfig.defaults("S").withMaxTransferBytes(256 << 10);
        try (MemoryStore large = MemoryStore.open(64 << 20)) {
            bed.add(1, small, large);
            byte[] page = bed.run(bed.nexus, Lun.encode(1), "12 01 b0 00 ff 00", new byte[0], 255)
                    .data();
            long allowed = new BigInteger(1, Arrays.copyOfRange(page, at, at + width)).longValueExact();
            assertThat(allowed).isBetween(1L, 0xFFFEL);
            for (long blocks : new long[] {allowed, allowed + 1}) {
                String length = HexFormat.of().toHexDigits((short) blocks);
                if (!cdb.contains("LL LL") && blocks > 0xFF) {
                    continue; // the field of the CDB is full
                }
                String hex =
                        cdb.contains("LL LL") ? cdb.replace("LL LL", length) : cdb.replace("LL", length.substring(2));
                int bytes = (int) Math.max(blocks * blocksOfDataPerBlock, 1) * 512;
                Outcome outcome = direction.equals("in")
                        ? bed.run(bed.nexus, Lun.encode(1), hex, new byte[0], bytes)
                        : bed.run(bed.nexus, Lun.encode(1), hex, new byte[bytes], 0);
                assertThat(outcome.sense()).as(hex).isEqualTo(blocks == allowed ? "" : "5/24/00");
            }
        }
    }

    @Test
    void unmapsAsManyRangesAsBlockLimitsAllow() {
        int allowed = ByteBuffer.wrap(bed.in("12 01 b0 00 ff 00", 255).data()).getInt(24);
        for (int count : new int[] {allowed, allowed + 1}) {
            ByteBuffer list = ByteBuffer.allocate(8 + 16 * count)
                    .putShort((short) (6 + 16 * count))
                    .putShort((short) (16 * count));
            String cdb = "42 00 00 00 00 00 00 " + HexFormat.of().toHexDigits((short) list.capacity()) + " 00";
            assertThat(bed.out(cdb, list.array()).sense()).isEqualTo(count == allowed ? "" : "5/26/00");
        }
    }

    @Test
    void enforcesTheTransferLimitThatItReports() throws Exception {
        try (MemoryStore limited = MemoryStore.open(1 << 20)) {
            bed.add(1, LogicalUnitConfig.defaults("L").withMaxTransferBytes(8192), limited);
            assertThat(bed.run(bed.nexus, Lun.encode(1), "28 00 00 00 00 00 00 00 10 00", new byte[0], 8192)
                            .status())
                    .isEqualTo(ScsiStatus.GOOD);
            assertThat(bed.run(bed.nexus, Lun.encode(1), "28 00 00 00 00 00 00 00 11 00", new byte[0], 8704)
                            .sense())
                    .isEqualTo("5/24/00");
        }
    }

    private static String ascii(String text) {
        return " " + HexFormat.ofDelimiter(" ").formatHex(text.getBytes(StandardCharsets.US_ASCII));
    }
}
