package io.srpt.scsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.scsi.ScsiTestBed.Outcome;
import io.srpt.store.MemoryStore;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Routing, unit attention, sense and residuals. */
class DeviceServerTest {
    private static final byte[] NOTHING = new byte[0];
    private static final String TEST_UNIT_READY = "00 00 00 00 00 00";

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
    void answersTestUnitReady() {
        assertThat(bed.none(TEST_UNIT_READY).status()).isEqualTo(ScsiStatus.GOOD);
    }

    @ParameterizedTest
    @CsvSource({
        "ff 00 00 00 00 00, 5/20/00", // no such operation code
        "15 10 00 00 04 00, 5/1A/00", // MODE SELECT without its parameters
        "9e 17 00 00 00 00 00 00 00 00 00 00 00 20 00 00, 5/24/00", // service action of READ CAPACITY(16)'s code
        "00 00 00 00 00 04, 5/24/00", // NACA
        "28 00 00 00 00 00 00 00 01, 5/24/00", // too short
        "28 00 00 00 08 00 00 00 01 00, 5/21/00", // first LBA behind the end
        "28 00 00 00 07 ff 00 00 02 00, 5/21/00", // runs over the end
        "88 00 ff ff ff ff ff ff ff ff 00 00 00 01 00 00, 5/21/00",
        "88 00 00 00 00 00 00 00 00 00 ff ff ff ff 00 00, 5/21/00",
        "28 20 00 00 00 00 00 00 01 00, 5/24/00", // RDPROTECT
        "2a 20 00 00 00 00 00 00 01 00, 5/24/00", // WRPROTECT
        "35 00 00 00 08 01 00 00 00 00, 5/21/00",
        "1b 00 00 00 02 00, 5/24/00", // eject
        "1b 00 00 00 30 00, 5/24/00", // power condition
        "2a 00 00 00 00 00 00 00 01 00, 5/0E/03", // WRITE of one block without data
    })
    void refusesWithSense(String cdb, String sense) {
        Outcome outcome = bed.none(cdb);
        assertThat(outcome.status()).isEqualTo(ScsiStatus.CHECK_CONDITION);
        assertThat(outcome.sense()).isEqualTo(sense);
    }

    @Test
    void writesFixedSenseOfEighteenBytes() {
        ScsiTask task = new ScsiTask(bed);
        bed.run(task, bed.nexus, 0, new byte[] {(byte) 0xFF, 0, 0, 0, 0, 0}, NOTHING, 0);
        byte[] sense = new byte[task.senseLength()];
        task.sense().get(0, sense);
        assertThat(sense).isEqualTo(new byte[] {0x70, 0, 5, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x20, 0, 0, 0, 0, 0});
    }

    @Test
    void readsBackBothSenseFormats() {
        ByteBuffer buffer = ByteBuffer.allocate(SenseData.MAX_LENGTH);
        for (boolean descriptor : new boolean[] {false, true}) {
            int length = SenseData.encode(buffer, 0, Sense.UNRECOVERED_READ_ERROR, descriptor, 0x1234_5678L);
            assertThat(SenseData.decode(buffer, 0, length))
                    .isEqualTo(new SenseData.Decoded(descriptor ? 0x72 : 0x70, 3, 0x11, 0, 0x1234_5678L));
        }
        int length = SenseData.encode(buffer, 0, Sense.WRITE_ERROR, false, 1L << 40);
        assertThat(SenseData.decode(buffer, 0, length))
                .isEqualTo(new SenseData.Decoded(0x70, 3, 0x0C, 0, SenseData.NO_INFORMATION));
        assertThat(SenseData.decode(ByteBuffer.allocate(18), 0, 18)).isNull();
        assertThat(SenseData.decode(buffer, 0, 3)).isNull();
    }

    @Test
    void answersForLunsWithoutUnit() {
        long lun = Lun.encode(5);
        assertThat(bed.run(bed.nexus, lun, TEST_UNIT_READY, NOTHING, 0).sense()).isEqualTo("5/25/00");
        assertThat(bed.run(bed.nexus, lun, "12 00 00 00 24 00", NOTHING, 36).data()[0])
                .isEqualTo((byte) 0x7F);
        assertThat(bed.run(bed.nexus, lun, "12 01 00 00 ff 00", NOTHING, 255).hex())
                .isEqualTo("7f 00 00 01 00");
        assertThat(bed.run(bed.nexus, lun, "12 01 83 00 ff 00", NOTHING, 255).sense())
                .isEqualTo("5/24/00");
        assertThat(bed.run(bed.nexus, lun, "03 00 00 00 12 00", NOTHING, 18).hex())
                .isEqualTo("70 00 05 00 00 00 00 0a 00 00 00 00 25 00 00 00 00 00");
        assertThat(bed.run(bed.nexus, lun, "a0 00 00 00 00 00 00 00 00 10 00 00", NOTHING, 16)
                        .status())
                .isEqualTo(ScsiStatus.GOOD);
        assertThat(bed.server.unknownLuns().get()).isEqualTo(6);
    }

    @ParameterizedTest
    @CsvSource({
        "0000000000000000, 0",
        "0007000000000000, 7",
        "4007000000000000, 7",
        "7fff000000000000, 16383",
        "0100000000000000, -1", // bus 1
        "8000000000000000, -1", // logical unit addressing
        "c101000000000000, -1", // extended: the REPORT LUNS well-known unit
        "0000000100000000, -1", // second level
    })
    void decodesLuns(String raw, int lun) {
        assertThat(Lun.decode(Long.parseUnsignedLong(raw, 16))).isEqualTo(lun);
    }

    @Test
    void encodesLunsThatItDecodes() {
        for (int lun = 0; lun <= Lun.MAX; lun++) {
            assertThat(Lun.decode(Lun.encode(lun))).isEqualTo(lun);
        }
        assertThat(Lun.encode(256)).isEqualTo(0x4100_0000_0000_0000L);
    }

    @Test
    void tellsANewNexusOfPowerOnOnce() {
        Nexus other = bed.server.openNexus(ScsiTestBed.initiator(2), ScsiTestBed.PORT);
        assertThat(bed.run(other, 0, "12 00 00 00 24 00", NOTHING, 36).status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(bed.run(other, 0, "a0 00 00 00 00 00 00 00 00 10 00 00", NOTHING, 16)
                        .status())
                .isEqualTo(ScsiStatus.GOOD);
        assertThat(bed.run(other, 0, TEST_UNIT_READY, NOTHING, 0).sense()).isEqualTo("6/29/01");
        assertThat(bed.run(other, 0, TEST_UNIT_READY, NOTHING, 0).status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(bed.none(TEST_UNIT_READY).status()).isEqualTo(ScsiStatus.GOOD);
    }

    @Test
    void reportsAUnitAttentionByRequestSenseToo() {
        Nexus other = bed.server.openNexus(ScsiTestBed.initiator(2), ScsiTestBed.PORT);
        assertThat(bed.run(other, 0, "03 00 00 00 ff 00", NOTHING, 255).hex())
                .isEqualTo("70 00 06 00 00 00 00 0a 00 00 00 00 29 01 00 00 00 00");
        assertThat(bed.run(other, 0, "03 01 00 00 ff 00", NOTHING, 255).hex()).isEqualTo("72 00 00 00 00 00 00 00");
        assertThat(bed.run(other, 0, TEST_UNIT_READY, NOTHING, 0).status()).isEqualTo(ScsiStatus.GOOD);
    }

    @Test
    void knowsANexusThatComesBack() {
        Nexus first = bed.server.openNexus(ScsiTestBed.initiator(2), ScsiTestBed.PORT);
        assertThat(bed.server.openNexus(ScsiTestBed.initiator(2), ScsiTestBed.PORT))
                .isSameAs(first);
        first.close();
        assertThat(bed.run(first, 0, TEST_UNIT_READY, NOTHING, 0).sense()).isEqualTo("6/29/01");
        first.close();
        Nexus again = bed.server.openNexus(ScsiTestBed.initiator(2), ScsiTestBed.PORT);
        assertThat(again).isNotSameAs(first);
        assertThat(bed.run(again, 0, TEST_UNIT_READY, NOTHING, 0).sense()).isEqualTo("6/29/07");
    }

    @Test
    void announcesChangedLunsUntilTheyAreReported() throws Exception {
        try (MemoryStore second = MemoryStore.open(4096)) {
            bed.server.addLogicalUnit(300, new LogicalUnit(LogicalUnitConfig.defaults("B"), second));
            assertThat(bed.none(TEST_UNIT_READY).sense()).isEqualTo("6/3F/0E");
            assertThat(bed.none(TEST_UNIT_READY).status()).isEqualTo(ScsiStatus.GOOD);
            assertThat(bed.server.removeLogicalUnit(300)).isNotNull();
            assertThat(bed.in("a0 00 00 00 00 00 00 00 00 10 00 00", 16).status())
                    .isEqualTo(ScsiStatus.GOOD);
            assertThat(bed.none(TEST_UNIT_READY).status()).isEqualTo(ScsiStatus.GOOD);
            assertThat(bed.server.removeLogicalUnit(300)).isNull();
        }
    }

    @Test
    void announcesThatAUnitHasGrownAsLongAsItIsThere() {
        store.grow(2 << 20, (status, at) -> {});
        bed.drain();
        assertThat(bed.none(TEST_UNIT_READY).sense()).isEqualTo("6/2A/09");
        assertThat(bed.in("25 00 00 00 00 00 00 00 00 00", 8).hex()).isEqualTo("00 00 0f ff 00 00 02 00");
        store.grow(3 << 20, (status, at) -> {});
        LogicalUnit unit = bed.server.removeLogicalUnit(0);
        bed.drain();
        assertThat(bed.nexus.pollAttention(unit)).isNull();
    }

    @Test
    void reportsTheMostImportantConditionFirst() {
        UnitAttentionQueue queue = new UnitAttentionQueue();
        queue.establish(UnitAttention.REPORTED_LUNS_CHANGED);
        queue.establish(UnitAttention.CAPACITY_CHANGED);
        assertThat(queue.poll()).isEqualTo(UnitAttention.CAPACITY_CHANGED);
        queue.establish(UnitAttention.BUS_DEVICE_RESET);
        queue.establish(UnitAttention.I_T_NEXUS_LOSS);
        queue.establish(UnitAttention.CAPACITY_CHANGED);
        assertThat(queue.poll()).isEqualTo(UnitAttention.BUS_DEVICE_RESET);
        assertThat(queue.poll()).isEqualTo(UnitAttention.CAPACITY_CHANGED);
        assertThat(queue.poll()).isNull();
    }

    @Test
    @Tag("pitfall-74")
    void computesResidualsOfReads() {
        String readTwo = "28 00 00 00 00 00 00 00 02 00";
        assertThat(bed.in(readTwo, 1024).residualIn()).isZero();
        assertThat(bed.in(readTwo, 4096).residualIn()).isEqualTo(3072);
        Outcome overflow = bed.in(readTwo, 1000);
        assertThat(overflow.status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(overflow.data()).hasSize(1000);
        assertThat(overflow.residualIn()).isEqualTo(-24);
        assertThat(bed.in(readTwo, 0).residualIn()).isEqualTo(-1024);
    }

    @Test
    void computesResidualsOfParameterData() {
        assertThat(bed.in("12 00 00 00 ff 00", 255).residualIn()).isEqualTo(255 - 96);
        assertThat(bed.in("12 00 00 00 ff 00", 36).residualIn()).isEqualTo(36 - 96);
        assertThat(bed.in("12 00 00 00 24 00", 36).residualIn()).isZero();
        assertThat(bed.in("12 00 00 00 00 00", 36).residualIn()).isEqualTo(36);
        assertThat(bed.in(TEST_UNIT_READY, 100).residualIn()).isEqualTo(100);
        assertThat(bed.in("ff 00 00 00 00 00", 10).residualIn()).isEqualTo(10);
    }

    @Test
    @Tag("pitfall-74")
    void refusesWritesWhoseDescriptorsDisagree() {
        String writeTwo = "2a 00 00 00 00 00 00 00 02 00";
        for (int length : new int[] {0, 512, 1023, 1025, 4096}) {
            Outcome outcome = bed.out(writeTwo, new byte[length]);
            assertThat(outcome.sense()).isEqualTo("5/0E/03");
            assertThat(outcome.residualOut()).isEqualTo(length);
        }
        assertThat(bed.out(writeTwo, new byte[1024]).residualOut()).isZero();
        assertThat(bed.out("2a 00 00 00 00 00 00 00 00 00", NOTHING).status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(bed.out("2a 00 00 00 00 00 00 00 00 00", new byte[512]).sense())
                .isEqualTo("5/0E/03");
    }

    @Test
    void refusesTheAcaAttribute() {
        ScsiTask task = new ScsiTask(bed);
        task.prepare(bed.nexus, 0, TaskAttribute.ACA, ByteBuffer.allocate(6), 0, 6, 0, 0);
        assertThat(bed.server.begin(task)).isEqualTo(TaskPhase.DONE);
        assertThat(SenseData.decode(task.sense(), 0, task.senseLength())).hasToString("5/49/00");
    }

    @Test
    void refusesToBeReusedWhileBegun() {
        ScsiTask task = new ScsiTask(bed);
        bed.prepare(task, bed.nexus, 0, new byte[] {0x12, 0, 0, 0, 36, 0}, 0, 36);
        assertThatThrownBy(task::reset).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> bed.server.execute(task)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> task.data(new ByteBuffer[0], 0, 35)).isInstanceOf(IllegalArgumentException.class);
        assertThat(bed.server.abort(task)).isFalse();
        task.reset();
    }
}
