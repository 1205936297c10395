package io.srpt.scsi;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.scsi.ScsiTestBed.HeldStore;
import io.srpt.scsi.ScsiTestBed.Outcome;
import io.srpt.store.MemoryStore;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that verify, compare, repeat and deallocate blocks, on a disk of 2048 blocks of 512 bytes. */
class BlockCommandsTest {
    private static final int BLOCK = 512;

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

    private static byte[] filled(int blocks, int value) {
        byte[] data = new byte[blocks * BLOCK];
        Arrays.fill(data, (byte) value);
        return data;
    }

    private void write(int lba, byte[] data) {
        byte[] cdb = new byte[16];
        CdbEncoder.write16(ByteBuffer.wrap(cdb), 0, lba, data.length / BLOCK, false);
        assertThat(bed.run(new ScsiTask(bed), bed.nexus, 0, cdb, data, 0).status())
                .isEqualTo(ScsiStatus.GOOD);
    }

    private byte[] read(int lba, int blocks) {
        byte[] cdb = new byte[16];
        CdbEncoder.read10(ByteBuffer.wrap(cdb), 0, lba, blocks);
        Outcome outcome = bed.run(new ScsiTask(bed), bed.nexus, 0, cdb, new byte[0], blocks * BLOCK);
        assertThat(outcome.status()).isEqualTo(ScsiStatus.GOOD);
        return outcome.data();
    }

    private long information() {
        ScsiTask last = bed.done.getLast();
        SenseData.Decoded sense = SenseData.decode(last.sense(), 0, last.senseLength());
        return sense == null ? -2 : sense.information();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2f 02 00 00 00 10 00 04 00 00",
                "af 02 00 00 00 10 00 00 04 00 00 00",
                "8f 02 00 00 00 00 00 00 00 10 00 00 04 00 00 00",
                "2e 02 00 00 00 10 00 04 00 00",
            })
    void comparesEveryByteOfALongRange(String cdb) {
        byte[] data = filled(1024, 7);
        write(16, data);
        assertThat(bed.out(cdb, data).status()).isEqualTo(ScsiStatus.GOOD);
        if (!cdb.startsWith("2e")) {
            data[1000 * BLOCK + 5] ^= 1;
            assertThat(bed.out(cdb, data).sense()).isEqualTo("E/1D/00");
            assertThat(information()).isEqualTo(1016);
        }
        assertThat(bed.out(cdb, filled(2, 7)).sense()).isEqualTo("5/0E/03");
    }

    @Test
    void verifiesAgainstOneBlockAndWithoutData() {
        write(16, filled(600, 3));
        assertThat(bed.out("2f 06 00 00 00 10 00 02 58 00", filled(1, 3)).status())
                .isEqualTo(ScsiStatus.GOOD);
        assertThat(bed.out("2f 06 00 00 00 0f 00 02 58 00", filled(1, 3)).sense())
                .isEqualTo("E/1D/00");
        assertThat(information()).isEqualTo(15);
        assertThat(bed.none("2f 00 00 00 00 10 00 02 58 00").status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(bed.none("2f 04 00 00 00 10 00 02 58 00").sense()).isEqualTo("5/24/00");
        assertThat(bed.none("2f 00 00 00 00 10 00 00 00 00").status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(bed.none("2f 20 00 00 00 10 00 00 01 00").sense()).isEqualTo("5/24/00");
    }

    @Test
    void writeAndVerifyWritesThroughAndReadsBack() throws Exception {
        HeldStore held = new HeldStore(store, true);
        bed.add(1, LogicalUnitConfig.defaults("H"), held);
        ScsiTask task = new ScsiTask(bed);
        byte[] cdb = HexFormat.of().parseHex("2e020000001000000200");
        bed.prepare(task, bed.nexus, Lun.encode(1), cdb, 1024, 0);
        ScsiTestBed.supply(task, filled(2, 9));
        bed.server.execute(task);
        held.endOne();
        bed.drain();
        held.endOne();
        bed.drain();
        assertThat(held.calls).containsExactly("write-through", "read");
        assertThat(task.status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(read(16, 2)).isEqualTo(filled(2, 9));
    }

    @ParameterizedTest
    @CsvSource({
        "41 00 00 00 00 08 00 00 10 00, false",
        "93 00 00 00 00 00 00 00 00 08 00 00 00 10 00 00, false",
        "93 01 00 00 00 00 00 00 00 08 00 00 00 10 00 00, true",
        "7f 00 00 00 00 00 00 18 00 0d 00 00 00 00 00 00 00 00 00 08 00 00 00 00 00 00 00 00 00 00 00 10, false",
        "7f 00 00 00 00 00 00 18 00 0d 01 00 00 00 00 00 00 00 00 08 00 00 00 00 00 00 00 00 00 00 00 10, true",
    })
    void writesTheSameBlockIntoARange(String cdb, boolean noData) {
        write(0, filled(64, 1));
        Outcome outcome = noData ? bed.none(cdb) : bed.out(cdb, filled(1, 5));
        assertThat(outcome.status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(read(0, 8)).isEqualTo(filled(8, 1));
        assertThat(read(8, 16)).isEqualTo(filled(16, noData ? 0 : 5));
        assertThat(read(24, 40)).isEqualTo(filled(40, 1));
    }

    @Test
    void writeSameDeallocatesWithUnmap() {
        write(0, filled(2048, 1));
        assertThat(bed.out("41 08 00 00 00 08 00 00 10 00", filled(1, 0)).status())
                .isEqualTo(ScsiStatus.GOOD);
        assertThat(bed.in("9e 12 00 00 00 00 00 00 00 00 00 00 01 00 00 00", 256)
                        .hex())
                .isEqualTo("00 00 00 34 00 00 00 00"
                        + " 00 00 00 00 00 00 00 00 00 00 00 08 00 00 00 00"
                        + " 00 00 00 00 00 00 00 08 00 00 00 10 01 00 00 00"
                        + " 00 00 00 00 00 00 00 18 00 00 07 e8 00 00 00 00");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "41 08 00 00 00 08 00 00 10 00",
                "93 08 00 00 00 00 00 00 00 08 00 00 00 10 00 00",
                "7f 00 00 00 00 00 00 18 00 0d 08 00 00 00 00 00 00 00 00 08 00 00 00 00 00 00 00 00 00 00 00 10",
            })
    void writeSameWithUnmapWritesWhatDeallocatedBlocksWouldNotReadAs(String cdb) {
        assertThat(bed.out(cdb, filled(1, 5)).status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(read(7, 1)).isEqualTo(filled(1, 0));
        assertThat(read(8, 16)).isEqualTo(filled(16, 5));
        assertThat(read(24, 1)).isEqualTo(filled(1, 0));
    }

    @ParameterizedTest
    @CsvSource({
        "41 10 00 00 00 08 00 00 10 00, 5/24/00", // ANCHOR
        "41 18 00 00 00 08 00 00 10 00, 5/24/00", // ANCHOR and UNMAP
        "41 20 00 00 00 08 00 00 10 00, 5/24/00", // WRPROTECT
        "41 01 00 00 00 08 00 00 10 00, 5/24/00", // there is no NDOB
        "41 00 00 00 00 08 00 00 00 00, 5/24/00", // no length of 0 (WSNZ)
        "93 00 00 00 00 00 00 00 00 08 00 00 00 00 00 00, 5/24/00",
        "41 00 00 00 08 01 00 00 00 00, 5/21/00",
        "41 00 00 00 07 f8 00 00 10 00, 5/21/00",
        "93 00 ff ff ff ff ff ff ff ff 00 00 00 01 00 00, 5/21/00",
    })
    void refusesWriteSame(String cdb, String sense) {
        assertThat(bed.out(cdb, filled(1, 6)).sense()).isEqualTo(sense);
        assertThat(read(0, 64)).isEqualTo(filled(64, 0));
    }

    @Test
    void writeSameWantsExactlyOneBlock() {
        assertThat(bed.out("41 00 00 00 00 08 00 00 10 00", filled(2, 6)).sense())
                .isEqualTo("5/0E/03");
        assertThat(bed.none("41 00 00 00 00 08 00 00 10 00").sense()).isEqualTo("5/0E/03");
        assertThat(read(8, 16)).isEqualTo(filled(16, 0));
    }

    @Test
    void unmapDeallocatesAllItsRangesOrNone() {
        write(0, filled(64, 1));
        assertThat(bed.out("42 00 00 00 00 00 00 00 28 00", unmapList(0, 8, 16, 8))
                        .status())
                .isEqualTo(ScsiStatus.GOOD);
        assertThat(read(0, 8)).isEqualTo(filled(8, 0));
        assertThat(read(8, 8)).isEqualTo(filled(8, 1));
        assertThat(read(16, 8)).isEqualTo(filled(8, 0));
        assertThat(bed.out("42 00 00 00 00 00 00 00 28 00", unmapList(8, 8, 2047, 2))
                        .sense())
                .isEqualTo("5/21/00");
        assertThat(read(8, 8)).isEqualTo(filled(8, 1));
        assertThat(bed.none("42 00 00 00 00 00 00 00 00 00").status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(bed.out("42 00 00 00 00 00 00 00 07 00", new byte[7]).sense())
                .isEqualTo("5/1A/00");
        assertThat(bed.out("42 01 00 00 00 00 00 00 18 00", unmapList(0, 8)).sense())
                .isEqualTo("5/24/00");
        assertThat(bed.out("42 00 00 00 00 00 00 10 18 00", unmapList(new int[2 * 257]))
                        .sense())
                .isEqualTo("5/26/00");
    }

    private static byte[] unmapList(int... lbasAndBlocks) {
        ByteBuffer list = ByteBuffer.allocate(8 + 8 * lbasAndBlocks.length);
        list.putShort(0, (short) (list.capacity() - 2)).putShort(2, (short) (list.capacity() - 8));
        for (int i = 0; i < lbasAndBlocks.length; i += 2) {
            list.putLong(8 + 8 * i, lbasAndBlocks[i]).putInt(16 + 8 * i, lbasAndBlocks[i + 1]);
        }
        return list.array();
    }

    @Test
    void lbaStatusBeginsAtTheBlockThatWasAskedFor() {
        write(0, filled(64, 1));
        String cdb = "9e 12 00 00 00 00 00 00 00 09 00 00 00 18 00 00";
        assertThat(bed.in(cdb, 24).hex())
                .isEqualTo("00 00 00 14 00 00 00 00 00 00 00 00 00 00 00 09 00 00 00 37 00 00 00 00");
        assertThat(bed.in("9e 12 00 00 00 00 00 00 08 00 00 00 00 18 00 00", 24).sense())
                .isEqualTo("5/21/00");
    }

    @Test
    void compareAndWriteWritesOnlyWhatItFoundAndSaysWhereItDiffers() {
        write(8, filled(4, 1));
        String cdb = "89 00 00 00 00 00 00 00 00 08 00 00 00 04 00 00";
        byte[] data = new byte[8 * BLOCK];
        Arrays.fill(data, 0, 4 * BLOCK, (byte) 1);
        Arrays.fill(data, 4 * BLOCK, 8 * BLOCK, (byte) 2);
        assertThat(bed.out(cdb, data).status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(read(8, 4)).isEqualTo(filled(4, 2));
        Arrays.fill(data, 0, 4 * BLOCK, (byte) 2);
        data[2 * BLOCK + 17] = 3;
        assertThat(bed.out(cdb, data).sense()).isEqualTo("E/1D/00");
        assertThat(information()).isEqualTo(2 * BLOCK + 17);
        assertThat(read(8, 4)).isEqualTo(filled(4, 2));
        assertThat(bed.out(cdb, filled(4, 2)).sense()).isEqualTo("5/0E/03");
        assertThat(bed.none("89 00 00 00 00 00 00 00 00 08 00 00 00 00 00 00").status())
                .isEqualTo(ScsiStatus.GOOD);
    }

    @Test
    void orWriteSetsBits() {
        write(8, filled(600, 0x21));
        byte[] mask = filled(600, 0x12);
        String cdb = "8b 00 00 00 00 00 00 00 00 08 00 00 02 58 00 00";
        assertThat(bed.out(cdb, mask).status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(read(8, 600)).isEqualTo(filled(600, 0x33));
    }

    @Test
    void writeAtomicEnforcesItsLimits() {
        String cdb = "9c 00 00 00 00 00 00 00 00 08 00 00 00 02 00 00";
        assertThat(bed.out(cdb, filled(2, 4)).status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(read(8, 2)).isEqualTo(filled(2, 4));
        assertThat(bed.none("9c 00 00 00 00 00 00 00 00 08 00 00 08 01 00 00").sense())
                .isEqualTo("5/24/00");
        assertThat(bed.out("9c 00 00 00 00 00 00 00 00 08 00 02 00 02 00 00", filled(2, 4))
                        .sense())
                .isEqualTo("5/24/00");
    }

    @Test
    void aDiskThatIsNotThinHasNoUnmap() {
        bed.add(1, LogicalUnitConfig.defaults("H"), new HeldStore(store, false));
        assertThat(onSecond("42 00 00 00 00 00 00 00 00 00").sense()).isEqualTo("5/20/00");
        assertThat(onSecond("48 02 00 00 00 00 00 00 00 00").sense()).isEqualTo("5/24/00");
        assertThat(onSecond("12 01 b2 00 ff 00").hex()).isEqualTo("00 b2 00 04 00 00 01 00");
        assertThat(onSecond("a3 0c 01 42 00 00 00 00 00 ff 00 00").hex()).isEqualTo("00 01 00 00");
    }

    private Outcome onSecond(String cdb) {
        return bed.run(bed.nexus, Lun.encode(1), cdb, new byte[0], 255);
    }
}
