package io.srpt.scsi;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.scsi.ScsiTestBed.HeldStore;
import io.srpt.scsi.ScsiTestBed.Outcome;
import io.srpt.store.MemoryStore;
import io.srpt.store.StoreStatus;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** EXTENDED COPY from LUN 0 to LUN 1 (512-byte blocks, 2 MiB each, LUN 1's store waits on request) and LUN 2 (4096). */
class ExtendedCopyTest {
    private static final int SIZE = 2 << 20;
    private static final int BLOCK = 512;

    private final byte[] content = new byte[SIZE];
    private MemoryStore sourceStore;
    private MemoryStore largeStore;
    private HeldStore held;
    private ScsiTestBed bed;
    private LogicalUnit source;
    private LogicalUnit destination;
    private LogicalUnit large;

    @BeforeEach
    void makeDisks() throws Exception {
        sourceStore = MemoryStore.open(SIZE);
        largeStore = MemoryStore.open(SIZE);
        held = new HeldStore(MemoryStore.open(SIZE), false);
        bed = new ScsiTestBed();
        source = bed.add(0, LogicalUnitConfig.defaults("SOURCE"), sourceStore);
        destination = bed.add(1, LogicalUnitConfig.defaults("DESTINATION"), held);
        large = bed.add(2, LogicalUnitConfig.defaults("LARGE").withBlockSizes(4096, 4096), largeStore);
        new Random(6).nextBytes(content);
        sourceStore.write(0, new ByteBuffer[] {ByteBuffer.wrap(content)}, 1, false, (status, offset) -> {});
    }

    @AfterEach
    void closeDisks() {
        sourceStore.close();
        largeStore.close();
        held.close();
    }

    @Test
    void copiesSegmentAfterSegmentBetweenUnits() throws Exception {
        CopyRequest request = new CopyRequest(1)
                .target(source)
                .target(destination)
                .blocks(0, 3, 1, 7, 1, false)
                .blocks(0, 0, 1, 0, 0, false)
                .blocks(0, 10, 1, 1000, 2000, false);
        ScsiTask copy = start(request);
        endAll();

        assertThat(bed.done).containsExactly(copy);
        assertThat(copy.status()).isEqualTo(ScsiStatus.GOOD);
        byte[] expected = new byte[SIZE];
        System.arraycopy(content, 3 * BLOCK, expected, 7 * BLOCK, BLOCK);
        System.arraycopy(content, 10 * BLOCK, expected, 1000 * BLOCK, 2000 * BLOCK);
        assertThat(medium(held)).isEqualTo(expected);
        assertThat(results("00", 1).hex()).isEqualTo("00 00 00 08 01 00 03 01 00 00 03 e8");
        assertThat(destination.counters().writtenBytes.get()).isEqualTo(2001 * BLOCK);
    }

    @Test
    void copiesWithinOneUnitAndToOtherBlockSizes() {
        CopyRequest request = new CopyRequest(0, 3)
                .target(source)
                .target(large)
                .blocks(0, 8, 1, 5, 16, false)
                .blocks(0, 0, 1, 9, 3, true)
                .bytes(0, 1, 512, 0, 4000, 1024, 3 * BLOCK)
                .bytes(1, 5, 0, 0, 2000, 0, 4096);
        assertThat(copy(request).status()).isEqualTo(ScsiStatus.GOOD);

        byte[] onLarge = medium(largeStore);
        assertThat(Arrays.copyOfRange(onLarge, 5 * 4096, 7 * 4096)).isEqualTo(slice(8, 16));
        assertThat(Arrays.copyOfRange(onLarge, 9 * 4096, 12 * 4096)).isEqualTo(slice(0, 24));
        byte[] onSource = medium(sourceStore);
        assertThat(Arrays.copyOfRange(onSource, 4002 * BLOCK, 4005 * BLOCK)).isEqualTo(slice(2, 3));
        assertThat(Arrays.copyOfRange(onSource, 2000 * BLOCK, 2008 * BLOCK)).isEqualTo(slice(8, 8));
        assertThat(results("00", 0).sense()).as("it had no list identifier").isEqualTo("5/24/00");
    }

    @Test
    void refusesListsThatAreWrong() {
        CopyRequest good = new CopyRequest(1).target(source).blocks(0, 0, 0, 100, 8, false);
        byte[] list = good.list();
        assertThat(bed.none(CopyRequest.cdb(0)).status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(bed.out(CopyRequest.cdb(list.length - 1), Arrays.copyOf(list, list.length - 1))
                        .sense())
                .isEqualTo("5/1A/00");
        assertThat(bed.out(CopyRequest.cdb(list.length), new byte[8]).sense()).isEqualTo("5/1A/00");
        assertThat(bed.out(CopyRequest.cdb(8), new byte[8]).sense()).isEqualTo("5/1A/00");
        assertThat(bed.out(CopyRequest.cdb(1048), new byte[1048]).sense()).isEqualTo("5/1A/00");

        assertThat(changed(list, 15, 1, 1).sense()).as("inline data").isEqualTo("5/26/0B");
        assertThat(changed(list, 1, 0x18, 0).sense())
                .as("no identifier, but one")
                .isEqualTo("5/26/00");
        assertThat(changed(list, 16, 0xE0, 0).sense()).as("Fibre Channel name").isEqualTo("5/26/07");
        assertThat(changed(list, 17, 1, 0).sense()).as("a tape").isEqualTo("A/0D/03");
        assertThat(changed(list, 25, 1, 0).sense()).as("unknown identifier").isEqualTo("A/0D/02");
        assertThat(changed(list, 23, 200, 0).sense())
                .as("too long an identifier")
                .isEqualTo("A/0D/02");
        assertThat(changed(list, 46, 4, 0).sense()).as("block length").isEqualTo("5/26/00");
        assertThat(changed(list, 48, 3, 0).sense()).as("stream to stream").isEqualTo("5/26/09");
        assertThat(changed(list, 51, 0x1C, 0).sense()).as("segment length").isEqualTo("5/26/00");
        assertThat(changed(list, 53, 1, 0).sense()).as("source").isEqualTo("A/08/04");
        assertThat(changed(list, 55, 1, 0).sense()).as("destination").isEqualTo("A/08/04");
        assertThat(changed(list, 62, 0x80, 0).sense()).as("end of the source").isEqualTo("A/00/00");
        assertThat(changed(list, 60, 0x80, 0).sense()).as("end of the source").isEqualTo("A/00/00");
        assertThat(changed(list, 74, 0x80, 0).sense())
                .as("end of the destination")
                .isEqualTo("A/00/00");
        assertThat(results("00", 1).sense()).as("nothing was begun").isEqualTo("5/24/00");
    }

    @Test
    void refusesMoreThanItsLimits() {
        CopyRequest targets = new CopyRequest(1).blocks(0, 0, 0, 8, 1, false);
        CopyRequest segments = new CopyRequest(1).target(source);
        for (int i = 0; i <= CopyParameters.MAX_TARGETS; i++) {
            targets.target(source);
            segments.blocks(0, 0, 0, 8, 1, false);
        }
        assertThat(copy(targets).sense()).isEqualTo("5/26/06");
        assertThat(copy(segments).sense()).isEqualTo("5/26/08");
        assertThat(copy(new CopyRequest(1).target(source).bytes(0, 0, 0, 0, 0, 0, (16 << 20) + 512))
                        .sense())
                .isEqualTo("5/26/00");
        assertThat(copy(new CopyRequest(1).target(source).target(large).blocks(0, 0, 1, 0, 9, false))
                        .sense())
                .isEqualTo("A/26/0A");
        assertThat(copy(new CopyRequest(1).target(source).bytes(0, 0, 1, 0, 9, 0, 512))
                        .sense())
                .isEqualTo("A/26/0A");
    }

    @Test
    void sourceAndDestinationAreWhatTheNexusSees() {
        bed.nexus.view(LunView.of(Map.of(0, new LunView.Mapping(0, false), 5, new LunView.Mapping(2, true))));
        bed.nexus.clearAttention(UnitAttention.REPORTED_LUNS_CHANGED);

        CopyRequest hidden =
                new CopyRequest(1).target(source).target(destination).blocks(0, 0, 1, 0, 8, false);
        assertThat(copy(hidden).sense()).isEqualTo("A/0D/02");
        CopyRequest readOnly = new CopyRequest(1).target(source).target(large).blocks(0, 0, 1, 0, 8, false);
        assertThat(copy(readOnly).sense()).isEqualTo("A/0D/01");
        assertThat(medium(largeStore)).isEqualTo(new byte[SIZE]);
        CopyRequest fromReadOnly =
                new CopyRequest(2).target(source).target(large).blocks(1, 0, 0, 0, 1, false);
        assertThat(copy(fromReadOnly).status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(Arrays.copyOf(medium(sourceStore), 4096)).isEqualTo(new byte[4096]);
    }

    @Test
    void aUnitTakenAwayMeanwhileIsNotReachable() throws Exception {
        ScsiTask copy =
                start(new CopyRequest(1).target(source).target(destination).blocks(0, 0, 1, 0, 1000, false));
        bed.server.removeLogicalUnit(1);
        endAll();

        assertThat(copy.status()).isEqualTo(ScsiStatus.CHECK_CONDITION);
        assertThat(String.valueOf(SenseData.decode(copy.sense(), 0, copy.senseLength())))
                .isEqualTo("A/0D/02");
    }

    @Test
    void leavesUnitAttentionsToTheInitiator() throws Exception {
        bed.nexus.establish(destination, UnitAttention.CAPACITY_CHANGED);
        ScsiTask copy =
                start(new CopyRequest(1).target(source).target(destination).blocks(0, 0, 1, 0, 8, false));
        endAll();

        assertThat(copy.status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(bed.run(bed.nexus, Lun.encode(1), "00 00 00 00 00 00", new byte[0], 0)
                        .sense())
                .isEqualTo("6/2A/09");
    }

    @Test
    void anOrderedCopyDoesNotWaitForItself() {
        CopyRequest request = new CopyRequest(1).target(source).blocks(0, 0, 0, 2000, 600, false);
        ScsiTask copy = new ScsiTask(bed);
        byte[] cdb = HexFormat.of().parseHex(request.cdb().replace(" ", ""));
        byte[] list = request.list();
        copy.prepare(bed.nexus, 0, TaskAttribute.ORDERED, ByteBuffer.wrap(cdb), 0, 16, list.length, 0);
        assertThat(bed.server.begin(copy)).isEqualTo(TaskPhase.NEEDS_DATA_OUT);
        ScsiTestBed.supply(copy, list);
        bed.server.execute(copy);
        bed.drain();

        assertThat(copy.status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(Arrays.copyOfRange(medium(sourceStore), 2000 * BLOCK, 2600 * BLOCK))
                .isEqualTo(slice(0, 600));
    }

    @Test
    void triesAgainWhenAStoreIsBusy() throws Exception {
        ScsiTask copy =
                start(new CopyRequest(1).target(source).target(destination).blocks(0, 4, 1, 0, 8, false));
        held.answer = StoreStatus.BUSY;
        held.endOne();
        bed.drain();
        assertThat(bed.done).isEmpty();
        held.answer = StoreStatus.OK;
        while (held.held.isEmpty()) {
            Runnable next = bed.loop.poll(10, TimeUnit.SECONDS);
            assertThat(next).as("the next attempt").isNotNull();
            next.run();
        }
        endAll();

        assertThat(copy.status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(Arrays.copyOf(medium(held), 8 * BLOCK)).isEqualTo(slice(4, 8));
    }

    @Test
    void tellsOfACopyThatRunsAndOfOneThatFailed() throws Exception {
        ScsiTask copy =
                start(new CopyRequest(7).target(source).target(destination).blocks(0, 0, 1, 0, 1024, false));
        assertThat(results("00", 7).hex()).isEqualTo("00 00 00 08 00 00 00 01 00 00 00 00");
        assertThat(results("04", 7).sense()).as("it has not ended").isEqualTo("5/24/00");
        held.endOne();
        bed.drain();
        assertThat(results("00", 7).hex()).isEqualTo("00 00 00 08 00 00 00 01 00 00 01 00");
        assertThat(copy(new CopyRequest(7).target(source).blocks(0, 0, 0, 1, 1, false))
                        .sense())
                .as("the same identifier")
                .isEqualTo("5/00/16");

        held.answer = StoreStatus.WRITE_ERROR;
        endAll();
        assertThat(copy.status()).isEqualTo(ScsiStatus.CHECK_CONDITION);
        assertThat(results("00", 7).hex()).isEqualTo("00 00 00 08 02 00 00 01 00 00 01 00");
        assertThat(results("04", 7).hex())
                .isEqualTo("00 00 00 4a" + " 00".repeat(52) + " 02 00 00 12 70 00 0a 00 00 00 00 0a 00 00 00 00 0d 01"
                        + " 00 00 00 00");
        assertThat(results("04", 7).hex()).as("taken once").isEqualTo("00 00 00 00");
        assertThat(results("04", 8).sense()).isEqualTo("5/24/00");
    }

    @Test
    void forgetsCopiesAWhileAfterTheirEnd() {
        long[] now = {0};
        CopyStatuses statuses = new CopyStatuses(() -> now[0]);
        CopyStatus status = new CopyStatus(3);
        statuses.put(status);
        now[0] = Long.MAX_VALUE / 2;
        assertThat(statuses.find(3)).as("it has not ended").isSameAs(status);
        status.end(null);
        now[0] = status.endedAt() + CopyStatuses.KEPT_NANOS;
        assertThat(statuses.find(3)).isSameAs(status);
        now[0]++;
        assertThat(statuses.find(3)).isNull();
        CopyStatus again = new CopyStatus(3);
        statuses.put(again);
        assertThat(statuses.find(3)).isSameAs(again);
    }

    @Test
    void aWriteOfAnAbortedCopyIsNotOvertaken() throws Exception {
        ScsiTask copy =
                start(new CopyRequest(1).target(source).target(destination).blocks(0, 0, 1, 0, 1024, false));
        assertThat(held.calls).containsExactly("write");
        assertThat(bed.server.abort(copy)).as("its own buffers are free").isFalse();
        copy.reset();
        ScsiTask write = new ScsiTask(bed);
        byte[] cdb = HexFormat.of().parseHex("2a000000000300000200");
        bed.prepare(write, bed.nexus, Lun.encode(1), cdb, 1024, 0);
        ScsiTestBed.supply(write, new byte[1024]);
        bed.server.execute(write);
        assertThat(held.calls).as("held back").containsExactly("write");
        endAll();

        assertThat(bed.done).containsExactly(write);
        assertThat(held.calls).containsExactly("write", "write");
        assertThat(Arrays.copyOfRange(medium(held), 3 * BLOCK, 5 * BLOCK)).isEqualTo(new byte[1024]);
        assertThat(destination.counters().activeCommands.get()).isZero();
        assertThat(source.counters().activeCommands.get()).isZero();
    }

    @Test
    void aResetOfTheDestinationEndsTheCopy() throws Exception {
        ScsiTask copy =
                start(new CopyRequest(1).target(source).target(destination).blocks(0, 0, 1, 0, 1024, false));
        bed.server.taskManagement().lunReset(bed.nexus, Lun.encode(1));
        assertThat(bed.done).isEmpty();
        endAll();

        assertThat(bed.done).containsExactly(copy);
        assertThat(String.valueOf(SenseData.decode(copy.sense(), 0, copy.senseLength())))
                .isEqualTo("A/0D/01");
        assertThat(held.calls).containsExactly("write");
    }

    @Test
    void aResetOfItsOwnUnitLeavesNoStatus() throws Exception {
        byte[] list = new CopyRequest(1)
                .target(source)
                .target(destination)
                .blocks(0, 0, 1, 0, 1024, false)
                .list();
        ScsiTask copy = new ScsiTask(bed);
        byte[] cdb = HexFormat.of().parseHex(CopyRequest.cdb(list.length).replace(" ", ""));
        bed.prepare(copy, bed.nexus, Lun.encode(1), cdb, list.length, 0);
        ScsiTestBed.supply(copy, list);
        bed.server.execute(copy);
        bed.drain();
        bed.server.taskManagement().lunReset(bed.nexus, Lun.encode(1));
        endAll();

        assertThat(bed.aborted).containsExactly(copy);
        assertThat(bed.done).isEmpty();
        assertThat(held.calls).containsExactly("write");
        assertThat(results("00", 1).hex()).isEqualTo("00 00 00 08 02 00 00 01 00 00 00 00");
    }

    @Test
    void saysWhatItTakes() {
        assertThat(bed.in("84 03 00 00 00 00 00 00 00 00 00 00 ff ff 00 00", 65535)
                        .hex())
                .isEqualTo("00 00 00 2b 01 00 00 00 00 10 00 10 00 00 04 00 01 00 00 00" + " 00".repeat(14)
                        + " 00 ff ff 09 00 00 00 00 00 03 02 0a e4");
        assertThat(bed.in("12 01 8f 00 ff 00", 255).hex())
                .isEqualTo("00 8f 00 5c"
                        + " 00 01 00 0c 08 83 01 00 84 03 00 03 04 00 00 00"
                        + " 00 04 00 1c 00 00 00 00 00 10 00 10 00 00 04 00" + " 00".repeat(16)
                        + " 00 08 00 04 03 02 0a e4"
                        + " 80 01 00 20 00 00 00 ff 00 00 00 ff 01 00 00 00 09" + " 00".repeat(19));
    }

    private ScsiTask start(CopyRequest request) {
        ScsiTask copy = new ScsiTask(bed);
        byte[] cdb = HexFormat.of().parseHex(request.cdb().replace(" ", ""));
        bed.prepare(copy, bed.nexus, 0, cdb, request.list().length, 0);
        ScsiTestBed.supply(copy, request.list());
        bed.server.execute(copy);
        bed.drain();
        return copy;
    }

    private void endAll() throws InterruptedException {
        while (!held.held.isEmpty()) {
            held.endOne();
            bed.drain();
        }
        bed.drain();
    }

    private Outcome copy(CopyRequest request) {
        return bed.out(request.cdb(), request.list());
    }

    private Outcome changed(byte[] list, int at, int value, int more) {
        byte[] other = Arrays.copyOf(list, list.length + more);
        other[at] = (byte) value;
        return bed.out(CopyRequest.cdb(other.length), other);
    }

    private Outcome results(String serviceAction, int listId) {
        String id = HexFormat.of().toHexDigits((byte) listId);
        return bed.in("84 " + serviceAction + id + "00 00 00 00 00 00 00 00 00 ff ff 00 00", 65535);
    }

    private byte[] slice(int block, int blocks) {
        return Arrays.copyOfRange(content, block * BLOCK, (block + blocks) * BLOCK);
    }

    private static byte[] medium(io.srpt.store.BlockStore store) {
        ByteBuffer all = ByteBuffer.allocate(SIZE);
        if (store instanceof HeldStore waiting) {
            waiting.readBehind(all);
        } else {
            store.read(0, new ByteBuffer[] {all}, 1, (status, offset) -> {});
        }
        return all.array();
    }
}
