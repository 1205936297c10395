package io.srpt.scsi;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.scsi.ScsiTestBed.HeldStore;
import io.srpt.scsi.ScsiTestBed.Outcome;
import io.srpt.store.MemoryStore;
import io.srpt.store.StoreStatus;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** MODE SELECT, SANITIZE, FORMAT UNIT and the small commands, on a disk of 2048 blocks of 512 bytes. */
class ModeAndMediumTest {
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

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private Outcome select(String list) {
        byte[] data = bytes(list);
        return bed.out("15 10 00 00 " + HexFormat.of().toHexDigits((byte) data.length) + " 00", data);
    }

    private static String control(String senseByte, String swpByte, String tasByte) {
        return " 0a 0a " + senseByte + " 10 " + swpByte + " " + tasByte + " 00 00 ff ff 00 00";
    }

    @Test
    void descriptorSenseReallySwitches() {
        assertThat(select("00 00 00 00" + control("06", "00", "40")).status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(bed.none("28 00 00 00 08 00 00 00 01 00").sense()).isEqualTo("5/21/00");
        ScsiTask task = new ScsiTask(bed);
        bed.run(task, bed.nexus, 0, bytes("28 00 00 00 08 00 00 00 01 00"), new byte[0], 0);
        assertThat(task.sense().get(0)).isEqualTo((byte) 0x72);
        assertThat(bed.in("1a 08 0a 00 ff 00", 255).hex()).isEqualTo("0f 00 10 00" + control("06", "00", "40"));
        assertThat(bed.in("1a 08 8a 00 ff 00", 255).hex()).isEqualTo("0f 00 10 00" + control("02", "00", "40"));
    }

    @Test
    void softwareWriteProtectRefusesEveryWriteAndIsTold() {
        assertThat(select("00 00 00 00" + control("02", "08", "40")).status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(bed.in("1a 08 08 00 04 00", 4).hex()).isEqualTo("17 00 90 00");
        assertThat(bed.out("2a 00 00 00 00 10 00 00 02 00", new byte[1024]).sense())
                .isEqualTo("7/27/02");
        assertThat(bed.out("41 00 00 00 00 10 00 00 02 00", new byte[512]).sense())
                .isEqualTo("7/27/02");
        assertThat(bed.out("89 00 00 00 00 00 00 00 00 08 00 00 00 01 00 00", new byte[1024])
                        .sense())
                .isEqualTo("7/27/02");
        assertThat(bed.none("48 02 00 00 00 00 00 00 00 00").sense()).isEqualTo("7/27/02");
        assertThat(select("00 00 00 00" + control("02", "00", "40")).status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(bed.out("2a 00 00 00 00 10 00 00 02 00", new byte[1024]).status())
                .isEqualTo(ScsiStatus.GOOD);
    }

    @Test
    void othersHearOfAChange() {
        Nexus other = bed.server.openNexus(ScsiTestBed.initiator(2), ScsiTestBed.PORT);
        LogicalUnit unit = Objects.requireNonNull(bed.server.logicalUnit(0));
        other.forget(unit);
        select("00 00 00 00" + control("02", "00", "00"));
        assertThat(unit.mode().taskAborted()).isFalse();
        assertThat(bed.none("00 00 00 00 00 00").status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(bed.run(other, 0, "00 00 00 00 00 00", new byte[0], 0).sense())
                .isEqualTo("6/2A/01");
        assertThat(select("00 00 00 00" + control("02", "00", "00")).status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(bed.run(other, 0, "00 00 00 00 00 00", new byte[0], 0).status())
                .as("of what stays as it was nobody hears")
                .isEqualTo(ScsiStatus.GOOD);
    }

    @Test
    void writeProtectionComesAfterWhatTheCacheHolds() throws Exception {
        HeldStore held = new HeldStore(store, true);
        bed.add(1, LogicalUnitConfig.defaults("H"), held);
        String list = "00 00 00 00" + control("02", "08", "40");
        assertThat(run(held, "15 10 00 00 10 00", list)).isEqualTo(ScsiStatus.GOOD);
        assertThat(run(held, "15 10 00 00 10 00", list)).isEqualTo(ScsiStatus.GOOD);
        assertThat(held.calls).containsExactly("flush");
    }

    /** Every command that writes, of block 0 which is zero. */
    private static final String[][] WRITES = {
        {"0a 00 00 00 01 00", "512"},
        {"2a 00 00 00 00 00 00 00 01 00", "512"},
        {"aa 00 00 00 00 00 00 00 00 01 00 00", "512"},
        {"8a 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00", "512"},
        {"41 00 00 00 00 00 00 00 01 00", "512"},
        {"93 01 00 00 00 00 00 00 00 00 00 00 00 01 00 00", "0"},
        {"89 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00", "1024"},
        {"8b 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00", "512"},
        {"9c 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00", "512"},
        {"2e 00 00 00 00 00 00 00 01 00", "512"},
    };

    @Test
    void everyCommandThatWritesIsThroughWithoutWriteCache() throws Exception {
        HeldStore held = new HeldStore(store, true);
        bed.add(1, LogicalUnitConfig.defaults("H"), held);
        run(held, "15 10 00 00 18 00", "00 00 00 00 08 12" + " 00".repeat(18));
        for (String[] write : WRITES) {
            held.calls.clear();
            assertThat(run(held, write[0], "00".repeat(Integer.parseInt(write[1]))))
                    .as(write[0])
                    .isEqualTo(ScsiStatus.GOOD);
            assertThat(held.calls).as(write[0]).contains("write-through").doesNotContain("write");
        }
    }

    @Test
    void forcedUnitAccessIsThroughThoughThereIsAWriteCache() throws Exception {
        HeldStore held = new HeldStore(store, true);
        bed.add(1, LogicalUnitConfig.defaults("H"), held);
        for (String[] write : WRITES) {
            String operation = write[0].substring(0, 2);
            boolean hasFua = !List.of("0a", "41", "93", "2e").contains(operation);
            held.calls.clear();
            run(held, write[0], "00".repeat(Integer.parseInt(write[1])));
            assertThat(held.calls).as(write[0]).contains("2e".equals(operation) ? "write-through" : "write");
            if (hasFua) {
                held.calls.clear();
                run(held, operation + " 08" + write[0].substring(5), "00".repeat(Integer.parseInt(write[1])));
                assertThat(held.calls).as(operation).contains("write-through").doesNotContain("write");
            }
        }
        held.calls.clear();
        run(held, "28 08 00 00 00 00 00 00 01 00", "");
        assertThat(held.calls).containsExactly("flush", "read");
    }

    @Test
    void sendDiagnosticReadsTheMedium() throws Exception {
        HeldStore held = new HeldStore(store, true);
        bed.add(1, LogicalUnitConfig.defaults("H"), held);
        assertThat(run(held, "1d 04 00 00 00 00", "")).isEqualTo(ScsiStatus.GOOD);
        assertThat(held.calls).containsExactly("read");
        held.answer = StoreStatus.READ_ERROR;
        assertThat(run(held, "1d 04 00 00 00 00", "")).isEqualTo(ScsiStatus.CHECK_CONDITION);
        assertThat(bed.none("1d 00 00 00 00 00").status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(bed.none("1d 20 00 00 00 00").sense()).isEqualTo("5/24/00");
        assertThat(bed.out("1d 10 00 00 04 00", new byte[4]).sense()).isEqualTo("5/24/00");
    }

    @Test
    void withoutWriteCacheEveryWriteIsThrough() throws Exception {
        HeldStore held = new HeldStore(store, true);
        bed.add(1, LogicalUnitConfig.defaults("H"), held);
        assertThat(run(held, "15 10 00 00 18 00", "00 00 00 00 08 12" + " 00".repeat(18)))
                .isEqualTo(ScsiStatus.GOOD);
        assertThat(held.calls).containsExactly("flush");
        assertThat(run(held, "2a 00 00 00 00 00 00 00 01 00", "00".repeat(512))).isEqualTo(ScsiStatus.GOOD);
        assertThat(held.calls).containsExactly("flush", "write-through");
    }

    /** Other commands of the same disk, whose initiator was told GOOD meanwhile, are made durable by MODE SELECT itself. */
    @Test
    void aWriteUnderWayWhileTheWriteCacheIsSwitchedOffIsDurableBeforeItsStatus() throws Exception {
        for (String[] write : WRITES) {
            HeldStore held = new HeldStore(store, true);
            bed.server.removeLogicalUnit(1);
            bed.add(1, LogicalUnitConfig.defaults("H"), held);
            ScsiTask underWay = begin(write[0], "00".repeat(Integer.parseInt(write[1])));
            while (!held.calls.contains("write") && !held.calls.contains("write-through")) {
                held.endOne(); // what COMPARE AND WRITE and ORWRITE read first
                bed.drain();
            }
            ScsiTask select = begin("15 10 00 00 18 00", "00 00 00 00 08 12" + " 00".repeat(18));
            held.held.add(held.held.remove()); // the flush of MODE SELECT overtakes
            held.endOne();
            bed.drain();
            assertThat(bed.done).as(write[0]).contains(select).doesNotContain(underWay);
            held.endOne();
            bed.drain();
            boolean wasThrough = !held.calls.contains("write");
            if (!wasThrough) {
                assertThat(bed.done).as(write[0]).doesNotContain(underWay);
                assertThat(held.calls).as(write[0]).endsWith("flush");
            }
            while (!held.held.isEmpty()) {
                held.endOne();
                bed.drain();
            }
            assertThat(bed.done).as(write[0]).contains(underWay);
            assertThat(underWay.status()).as(write[0]).isEqualTo(ScsiStatus.GOOD);
        }
    }

    private ScsiStatus run(HeldStore held, String cdb, String data) throws InterruptedException {
        ScsiTask task = begin(cdb, data);
        while (!held.held.isEmpty()) {
            held.endOne();
            bed.drain();
        }
        return task.status();
    }

    private ScsiTask begin(String cdb, String data) {
        ScsiTask task = new ScsiTask(bed);
        byte[] out = bytes(data);
        bed.prepare(task, bed.nexus, Lun.encode(1), bytes(cdb), out.length, 512);
        ScsiTestBed.supply(task, out);
        bed.server.execute(task);
        return task;
    }

    @ParameterizedTest
    @CsvSource({
        "00 00 00, 5/1A/00", // shorter than a header
        "00 00 00 08, 5/1A/00", // shorter than its block descriptor
        "00 00 00 04 00 00 00 00, 5/26/00", // no block descriptor has four bytes
        "00 00 00 08 00 00 00 00 00 00 10 00, 5/26/00", // blocks of 4096 bytes
        "00 00 00 08 00 00 07 ff 00 00 02 00, 5/26/00", // another capacity
        "00 00 00 00 0a 09 02 10 00 40 00 00 ff ff 00, 5/26/00", // page length
        "00 00 00 00 0a 0a 02 10 00 40 00 00 ff ff 00, 5/1A/00", // cut
        "00 00 00 00 0a 0a 02 00 00 40 00 00 ff ff 00 00, 5/26/00", // the queue algorithm modifier cannot be changed
        "00 00 00 00 08 12 04 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00, 5/26/00", // memory has no cache
        "00 00 00 00 02 0a 00 00 00 00 00 00 00 00 00 00, 5/26/00", // no such page
    })
    void refusesWrongParameters(String list, String sense) {
        assertThat(select(list).sense()).isEqualTo(sense);
    }

    @Test
    void takesItsOwnModeData() {
        byte[] all = bed.in("1a 00 3f 00 ff 00", 255).data();
        all[0] = 0;
        assertThat(select(HexFormat.of().formatHex(all)).status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(bed.none("15 10 00 00 00 00").status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(bed.out("15 11 00 00 04 00", new byte[4]).sense()).isEqualTo("5/24/00");
        assertThat(bed.out("15 00 00 00 04 00", new byte[4]).sense()).isEqualTo("5/24/00");
    }

    @Test
    void sanitizeOverwritesEveryBlock() {
        byte[] parameters = bytes("02 00 00 04 a1 b2 c3 d4");
        assertThat(bed.out("48 01 00 00 00 00 00 00 08 00", parameters).status())
                .isEqualTo(ScsiStatus.GOOD);
        byte[] all = bed.in("28 00 00 00 00 00 00 08 00 00", 1 << 20).data();
        assertThat(HexFormat.of().formatHex(all)).isEqualTo("a1b2c3d4".repeat(1 << 18));
        assertThat(bed.out("48 01 00 00 00 00 00 00 08 00", bytes("00 00 00 04 a1 b2 c3 d4"))
                        .sense())
                .isEqualTo("5/26/00");
        assertThat(bed.out("48 01 00 00 00 00 00 00 04 00", bytes("01 00 00 00"))
                        .sense())
                .isEqualTo("5/24/00");
        assertThat(bed.none("48 03 00 00 00 00 00 00 00 00").sense()).isEqualTo("5/24/00");
    }

    /** The pattern itself is what the last pass leaves, however many there are (SBC-4 §5.30.2.2). */
    @ParameterizedTest
    @CsvSource({"1, a1", "2, 5e a1", "3, a1 5e a1"})
    void invertedPassesEndWithThePattern(int passes, String firstBytes) throws Exception {
        HeldStore held = new HeldStore(store, false);
        bed.add(1, LogicalUnitConfig.defaults("H"), held);
        ScsiTask sanitize = sanitize(1, "48 01 00 00 00 00 00 00 05 00", bytes("8" + passes + " 00 00 01 a1"));
        for (String firstByte : firstBytes.split(" ")) {
            for (int part = 0; part < 4; part++) {
                held.endOne();
                bed.drain();
            }
            ByteBuffer block = ByteBuffer.allocate(512);
            held.readBehind(block);
            assertThat(HexFormat.of().toHexDigits(block.get(0))).isEqualTo(firstByte);
        }
        held.endOne();
        bed.drain();
        assertThat(held.calls).endsWith("flush").hasSize(4 * passes + 1);
        assertThat(sanitize.status()).isEqualTo(ScsiStatus.GOOD);
    }

    private ScsiTask sanitize(int lun, String cdb, byte[] parameters) {
        ScsiTask sanitize = new ScsiTask(bed);
        bed.prepare(sanitize, bed.nexus, Lun.encode(lun), bytes(cdb), parameters.length, 0);
        ScsiTestBed.supply(sanitize, parameters);
        bed.server.execute(sanitize);
        return sanitize;
    }

    @Test
    void onlyAnotherSanitizeEndsAFailureInRestrictedMode() throws Exception {
        HeldStore held = new HeldStore(store, false);
        bed.add(1, LogicalUnitConfig.defaults("H"), held);
        ScsiTask failing = sanitize(1, "48 01 00 00 00 00 00 00 05 00", bytes("01 00 00 01 77"));
        held.answer = StoreStatus.WRITE_ERROR;
        held.endOne();
        bed.drain();
        assertThat(SenseData.decode(failing.sense(), 0, failing.senseLength())).hasToString("3/31/03");
        assertThat(second("48 1f 00 00 00 00 00 00 00 00").sense()).isEqualTo("5/24/00");
        assertThat(bed.run(bed.nexus, Lun.encode(1), "48 21 00 00 00 00 00 00 05 00", bytes("01 00 00 01 77"), 0)
                        .sense())
                .isEqualTo("5/24/00");
        assertThat(second("04 00 00 00 00 00").sense()).isEqualTo("3/31/03");
        assertThat(second("28 00 00 00 00 00 00 00 01 00").sense()).isEqualTo("3/31/03");
        held.answer = StoreStatus.OK;
        ScsiTask again = sanitize(1, "48 01 00 00 00 00 00 00 05 00", bytes("01 00 00 01 77"));
        for (int part = 0; part < 5; part++) {
            held.endOne();
            bed.drain();
        }
        assertThat(again.status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(second("00 00 00 00 00 00").status()).isEqualTo(ScsiStatus.GOOD);
    }

    /** Both were let in before one of them began: their parameters were on their way. */
    @Test
    void ofTwoSanitizesAtTheSameTimeTheSecondIsRefused() throws Exception {
        byte[] parameters = bytes("01 00 00 01 77");
        ScsiTask first = new ScsiTask(bed);
        ScsiTask second = new ScsiTask(bed);
        for (ScsiTask task : new ScsiTask[] {first, second}) {
            bed.prepare(task, bed.nexus, 0, bytes("48 01 00 00 00 00 00 00 05 00"), parameters.length, 0);
            ScsiTestBed.supply(task, parameters);
        }
        bed.server.execute(first);
        bed.server.execute(second);
        bed.drain();
        assertThat(SenseData.decode(second.sense(), 0, second.senseLength())).hasToString("2/04/1B");
        assertThat(bed.done).containsExactly(second, first);
        assertThat(first.status()).isEqualTo(ScsiStatus.GOOD);
    }

    @Test
    void blockEraseAndFormatDeallocate() {
        for (String cdb : new String[] {"48 02 00 00 00 00 00 00 00 00", "04 00 00 00 00 00"}) {
            byte[] data = new byte[1 << 20];
            Arrays.fill(data, (byte) 5);
            bed.out("2a 00 00 00 00 00 00 08 00 00", data);
            assertThat(bed.none(cdb).status()).isEqualTo(ScsiStatus.GOOD);
            assertThat(bed.in("28 00 00 00 00 00 00 08 00 00", 1 << 20).data()).containsOnly(0);
            assertThat(bed.in("9e 12 00 00 00 00 00 00 00 00 00 00 00 18 00 00", 24)
                            .hex())
                    .isEqualTo("00 00 00 14 00 00 00 00 00 00 00 00 00 00 00 00 00 00 08 00 01 00 00 00");
        }
    }

    @Test
    void tellsHowFarItIsAndRefusesTheRestMeanwhile() throws Exception {
        HeldStore held = new HeldStore(store, false);
        LogicalUnit unit = bed.add(1, LogicalUnitConfig.defaults("H"), held);
        Nexus other = bed.server.openNexus(ScsiTestBed.initiator(2), ScsiTestBed.PORT);
        other.forget(unit);
        ScsiTask sanitize = new ScsiTask(bed);
        bed.prepare(sanitize, bed.nexus, Lun.encode(1), bytes("48 a1 00 00 00 00 00 00 05 00"), 5, 0);
        ScsiTestBed.supply(sanitize, bytes("01 00 00 01 77"));
        bed.server.execute(sanitize);
        assertThat(sanitize.status()).isEqualTo(ScsiStatus.GOOD);
        held.endOne();
        bed.drain();
        assertThat(second("00 00 00 00 00 00").sense()).isEqualTo("2/04/1B");
        assertThat(second("28 00 00 00 00 00 00 00 01 00").sense()).isEqualTo("2/04/1B");
        for (String refused : new String[] {
            "35 00 00 00 00 00 00 00 00 00", // SYNCHRONIZE CACHE
            "04 00 00 00 00 00", // FORMAT UNIT
            "48 1f 00 00 00 00 00 00 00 00", // SANITIZE, EXIT FAILURE MODE
            "5e 00 00 00 00 00 00 00 ff 00", // PERSISTENT RESERVE IN
            "4d 00 59 00 00 00 00 00 ff 00", // LOG SENSE
            "16 00 00 00 00 00", // RESERVE
        }) {
            assertThat(second(refused).sense()).as(refused).isEqualTo("2/04/1B");
            assertThat(bed.run(other, Lun.encode(1), refused, new byte[0], 255).sense())
                    .as(refused + " of another nexus")
                    .isEqualTo("2/04/1B");
        }
        for (String served : new String[] {
            "12 00 00 00 ff 00", // INQUIRY
            "1a 00 08 00 ff 00", // MODE SENSE
            "25 00 00 00 00 00 00 00 00 00", // READ CAPACITY(10)
            "9e 10 00 00 00 00 00 00 00 00 00 00 00 20 00 00", // READ CAPACITY(16)
            "a0 00 00 00 00 00 00 00 00 ff 00 00", // REPORT LUNS
            "a3 0c 00 00 00 00 00 00 00 ff 00 00", // REPORT SUPPORTED OPERATION CODES
            "a3 0d 00 00 00 00 00 00 00 ff 00 00", // REPORT SUPPORTED TASK MANAGEMENT FUNCTIONS
        }) {
            assertThat(bed.run(other, Lun.encode(1), served, new byte[0], 255).status())
                    .as(served)
                    .isEqualTo(ScsiStatus.GOOD);
        }
        assertThat(second("03 00 00 00 ff 00").hex())
                .isEqualTo("70 00 02 00 00 00 00 0a 00 00 00 00 04 1b 00 80 3f ff");
        held.answer = StoreStatus.WRITE_ERROR;
        held.endOne();
        bed.drain();
        assertThat(second("00 00 00 00 00 00").sense()).isEqualTo("3/31/03");
        assertThat(second("48 1f 00 00 00 00 00 00 00 00").status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(second("00 00 00 00 00 00").status()).isEqualTo(ScsiStatus.GOOD);
    }

    private Outcome second(String cdb) {
        return bed.run(bed.nexus, Lun.encode(1), cdb, new byte[0], 255);
    }

    @Test
    void anEchoBufferIsOfTheNexusThatWroteIt() {
        assertThat(bed.in("3c 0a 00 00 00 00 00 00 04 00", 4).sense()).isEqualTo("5/2C/00");
        assertThat(bed.out("3b 0a 00 00 00 00 00 00 04 00", bytes("01 02 03 04"))
                        .status())
                .isEqualTo(ScsiStatus.GOOD);
        assertThat(bed.in("3c 0a 00 00 00 00 00 00 ff 00", 255).hex()).isEqualTo("01 02 03 04");
        assertThat(bed.in("3c 0b 00 00 00 00 00 00 04 00", 4).hex()).isEqualTo("01 00 10 00");
        Nexus other = bed.server.openNexus(ScsiTestBed.initiator(2), ScsiTestBed.PORT);
        other.forget(Objects.requireNonNull(bed.server.logicalUnit(0)));
        assertThat(bed.run(other, 0, "3c 0a 00 00 00 00 00 00 04 00", new byte[0], 4)
                        .sense())
                .isEqualTo("B/3F/0F");
    }

    @Test
    void reportsOfTheUnit() {
        assertThat(bed.in("a3 0d 00 00 00 00 00 00 00 04 00 00", 4).hex()).isEqualTo("d8 00 00 00");
        assertThat(bed.in("a3 0d 80 00 00 00 00 00 00 ff 00 00", 255).data()).hasSize(16);
        assertThat(bed.in("4d 00 40 00 00 00 00 00 ff 00", 255).hex()).isEqualTo("00 00 00 03 00 0c 19");
        assertThat(bed.in("4d 00 59 00 00 00 00 00 ff 00", 255).data()).hasSize(72);
        assertThat(bed.in("4d 00 59 00 00 00 01 00 ff 00", 255).data()).hasSize(72);
        assertThat(bed.in("4d 00 00 00 00 00 00 00 ff 00", 255).sense()).isEqualTo("5/24/00");
        assertThat(bed.in("37 00 0d 00 00 00 00 00 ff 00", 255).hex()).isEqualTo("00 0d 00 00");
        assertThat(bed.in("b7 0d 00 00 00 00 00 00 00 ff 00 00", 255).hex()).isEqualTo("00 0d 00 00 00 00 00 00");
        assertThat(bed.none("1e 00 00 00 01 00").status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(bed.none("34 00 00 00 07 ff 00 00 02 00").sense()).isEqualTo("5/21/00");
        assertThat(bed.none("2b 00 00 00 07 ff 00 00 00 00").status()).isEqualTo(ScsiStatus.GOOD);
    }

    @Test
    void aTimestampIsWhatTheClockSaysAndCannotBeSet() {
        String report = "a3 0f 00 00 00 00 00 00 00 ff 00 00";
        bed.now = Instant.ofEpochMilli(0x0123_4567_89ABL);
        assertThat(bed.in(report, 255).hex()).isEqualTo("00 0a 03 00 01 23 45 67 89 ab 00 00");
        bed.now = bed.now.plusMillis(1);
        assertThat(bed.in(report, 255).hex()).isEqualTo("00 0a 03 00 01 23 45 67 89 ac 00 00");
        assertThat(bed.in("a3 0f 00 00 00 00 00 00 00 04 00 00", 4).hex()).isEqualTo("00 0a 03 00");
        assertThat(bed.out("a4 0f 00 00 00 00 00 00 00 0c 00 00", new byte[12]).sense())
                .isEqualTo("5/24/00");
    }

    @Test
    void logParametersBehindTheLastAreNone() {
        assertThat(bed.in("4d 00 4c 00 00 00 00 00 ff 00", 255).hex()).startsWith("0c 00 00 0c 00 02");
        assertThat(bed.in("4d 00 4c 00 00 00 02 00 ff 00", 255).hex()).startsWith("0c 00 00 0c 00 02");
        assertThat(bed.in("4d 00 4c 00 00 00 03 00 ff 00", 255).sense()).isEqualTo("5/24/00");
        assertThat(bed.in("4d 00 59 00 00 00 02 00 ff 00", 255).sense()).isEqualTo("5/24/00");
        assertThat(bed.in("4d 00 40 00 00 00 01 00 ff 00", 255).sense()).isEqualTo("5/24/00");
    }
}
