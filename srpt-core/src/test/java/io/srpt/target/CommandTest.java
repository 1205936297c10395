package io.srpt.target;

import static io.srpt.target.TargetFixture.read10;
import static io.srpt.target.TargetFixture.sense;
import static io.srpt.target.TargetFixture.write10;
import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.srp.BufferFormat;
import io.srpt.srp.SrpCommand;
import io.srpt.srp.SrpResponse;
import io.srpt.srp.TaskManagementRequest;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CommandTest {
    private final TargetFixture fixture = new TargetFixture();
    private final FakePeer peer = fixture.connect();
    private final TargetCounters counters = fixture.counters();

    @AfterEach
    void givesEverythingBack() {
        assertThat(peer.credits).isEqualTo(128);
        assertThat(counters.commandsInUse.get()).isZero();
        assertThat(counters.chunksInUse.get()).isZero();
        fixture.closeAndCheck();
    }

    private SrpResponse answer() {
        fixture.run();
        return peer.nextResponse();
    }

    private byte[] peerBytes(int at, int length) {
        return Arrays.copyOfRange(peer.wire().peerMemory.array(), at, at + length);
    }

    private byte[] storeBytes(int at, int length) {
        return Arrays.copyOfRange(fixture.store.bytes.array(), at, at + length);
    }

    private static byte[] random(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    @Test
    void answersACommandWithoutData() {
        peer.sendNoData(0x8899_aabb_ccdd_eeffL, TargetFixture.TEST_UNIT_READY);
        SrpResponse response = answer();
        assertThat(response.tag()).isEqualTo(0x8899_aabb_ccdd_eeffL);
        assertThat(response.status()).isZero();
        assertThat(response.flags()).isZero();
        assertThat(response.requestLimitDelta()).isEqualTo(1);
        assertThat(peer.wire().wire).containsExactly("S36");
    }

    @Test
    void orderedCommandsWaitForOlderOnesBeforeTheirDataIsFetched() {
        fixture.store.hold = true;
        peer.sendRead(1, read10(0, 1), 0, 512);
        peer.startCommand(2, write10(0, 1))
                .dataOutFormat(BufferFormat.DIRECT)
                .taskAttribute(SrpCommand.ATTRIBUTE_ORDERED);
        peer.send(peer.command.directDescriptor(FakeQueuePair.PEER_BASE + 4096, 1, 512));
        peer.sendNoData(3, TargetFixture.TEST_UNIT_READY);
        fixture.run();
        assertThat(peer.wire().wire).isEmpty();
        fixture.store.release();
        fixture.run();
        assertThat(peer.wire().wire).containsExactly("W512", "S36", "R512");
        fixture.store.release();
        fixture.run();
        for (int tag = 1; tag <= 3; tag++) {
            SrpResponse response = peer.nextResponse();
            assertThat(response.tag()).isEqualTo(tag);
            assertThat(response.status()).isZero();
        }
        fixture.store.hold = false;
    }

    @Test
    void aCommandThatWaitsForOlderOnesCanBeAborted() {
        fixture.store.hold = true;
        peer.sendRead(1, read10(0, 1), 0, 512);
        peer.startCommand(2, TargetFixture.TEST_UNIT_READY).taskAttribute(SrpCommand.ATTRIBUTE_ORDERED);
        peer.send(SrpCommand.LENGTH);
        peer.sendTaskManagement(3, TaskManagementRequest.ABORT_TASK, 0, 2);
        assertThat(answer().tag()).isEqualTo(3);
        fixture.store.release();
        assertThat(answer().tag()).isEqualTo(1);
        fixture.store.hold = false;
    }

    @Test
    void answersAnUnknownLunAndAnUnknownCommandWithSense() {
        SrpCommand command = peer.startCommand(1, TargetFixture.TEST_UNIT_READY).lun(0x0005_0000_0000_0000L);
        peer.send(SrpCommand.LENGTH);
        SrpResponse response = answer();
        assertThat(sense(response)).isEqualTo("5/25/00");
        assertThat(command.lun()).isEqualTo(0x0005_0000_0000_0000L);
        peer.sendNoData(2, "ff 00 00 00 00 00");
        assertThat(sense(answer())).isEqualTo("5/20/00");
        assertThat(counters.checkConditions.get()).isGreaterThanOrEqualTo(2);
    }

    @Test
    @Tag("pitfall-73")
    @Tag("pitfall-74")
    void writesOnlyRealDataAndReportsTheResidual() {
        Arrays.fill(peer.wire().peerMemory.array(), 0, 600, (byte) 0xAA);
        peer.sendRead(1, "12 00 00 00 ff 00", 100, 255);
        SrpResponse response = answer();
        assertThat(response.status()).isZero();
        assertThat(response.flags()).isEqualTo(SrpResponse.DATA_IN_UNDER);
        int length = 255 - (int) response.dataInResidual();
        assertThat(length).isGreaterThanOrEqualTo(36).isLessThan(255);
        assertThat(peer.wire().wire).containsExactly("W" + length, "S36");
        assertThat(peerBytes(100 + length, 100)).containsOnly(0xAA);
        assertThat(peerBytes(0, 100)).containsOnly(0xAA);
        assertThat(new String(peerBytes(108, 8), java.nio.charset.StandardCharsets.US_ASCII))
                .startsWith("SRPT");
    }

    @Test
    @Tag("pitfall-74")
    void reportsOverflowWhenTheBufferIsTooSmall() {
        peer.sendRead(1, read10(0, 1), 0, 200);
        SrpResponse response = answer();
        assertThat(response.flags()).isEqualTo(SrpResponse.DATA_IN_OVER);
        assertThat(response.dataInResidual()).isEqualTo(312);
        assertThat(peer.wire().wire).containsExactly("W200", "S36");
    }

    @Test
    void fetchesAndStoresDirectData() {
        byte[] data = random(1, 200 * 512);
        peer.wire().peerMemory.put(4096, data);
        peer.sendWrite(1, write10(3, 200), 4096, data.length);
        SrpResponse response = answer();
        assertThat(response.status()).isZero();
        assertThat(response.flags()).isZero();
        assertThat(storeBytes(3 * 512, data.length)).isEqualTo(data);
        assertThat(peer.wire().wire).containsExactly("R" + data.length, "S36");
        assertThat(counters.directCommands.get()).isEqualTo(1);
        assertThat(counters.bytesRead.get()).isEqualTo(data.length);

        peer.wire().wire.clear();
        peer.sendRead(2, read10(3, 200), 1 << 20, data.length);
        assertThat(answer().flags()).isZero();
        assertThat(peerBytes(1 << 20, data.length)).isEqualTo(data);
        assertThat(peer.wire().wire).containsExactly("W" + data.length, "S36");
        assertThat(counters.bytesWritten.get()).isEqualTo(data.length);
    }

    @Test
    @Tag("pitfall-76")
    void cutsLargeTransfersIntoWhatAWorkRequestHolds() {
        byte[] data = random(2, 1 << 20);
        peer.wire().peerMemory.put(77, data);
        peer.sendWrite(1, write10(0, 2048), 77, data.length);
        assertThat(answer().status()).isZero();
        assertThat(storeBytes(0, data.length)).isEqualTo(data);
        assertThat(peer.wire().wire).containsExactly("R262144", "R262144", "R262144", "R262144", "S36");
    }

    @Test
    @Tag("pitfall-63")
    void takesImmediateDataInPlaceWhateverTheGapHolds() {
        byte[] data = random(3, 8192);
        peer.sendImmediate(1, write10(8, 16), data);
        SrpResponse response = answer();
        assertThat(response.status()).isZero();
        assertThat(storeBytes(8 * 512, data.length)).isEqualTo(data);
        assertThat(peer.wire().wire).containsExactly("S36");
        assertThat(counters.immediateCommands.get()).isEqualTo(1);
        assertThat(counters.immediateBytes.get()).isEqualTo(8192);
        assertThat(counters.chunksInUse.get()).isZero();
    }

    @Test
    @Tag("pitfall-77")
    void followsAnIndirectTableInOrder() {
        int[] lengths = {512, 1536, 70_000, 16, 1024, 128};
        int total = Arrays.stream(lengths).sum();
        int blocks = total / 512;
        byte[] expected = new byte[blocks * 512];
        int at = 0;
        for (int i = 0; i < lengths.length; i++) {
            byte[] part = random(i, lengths[i]);
            peer.wire().peerMemory.put(i * 100_000, part);
            int copied = Math.min(part.length, expected.length - at);
            System.arraycopy(part, 0, expected, at, copied);
            at += copied;
        }
        peer.sendIndirect(1, write10(0, blocks), true, 0, 100_000, total, lengths.length, lengths);
        SrpResponse response = answer();
        assertThat(response.status()).isZero();
        assertThat(response.flags()).isZero();
        assertThat(storeBytes(0, expected.length)).isEqualTo(expected);
        assertThat(counters.indirectCommands.get()).isEqualTo(1);

        peer.wire().wire.clear();
        Arrays.fill(peer.wire().peerMemory.array(), 0, 700_000, (byte) 0x55);
        int fewer = (blocks - 1) * 512;
        peer.sendIndirect(2, read10(0, blocks - 1), false, 0, 100_000, total, lengths.length, lengths);
        assertThat(answer().dataInResidual()).isEqualTo(512);
        at = 0;
        for (int i = 0; i < lengths.length; i++) {
            int part = Math.min(lengths[i], fewer - at);
            assertThat(peerBytes(i * 100_000, part)).isEqualTo(Arrays.copyOfRange(expected, at, at + part));
            assertThat(peerBytes(i * 100_000 + part, 64)).containsOnly(0x55);
            at += part;
        }
        assertThat(peer.wire().wire.getLast()).isEqualTo("S36");
        assertThat(peer.wire().wire.subList(0, peer.wire().wire.size() - 1)).allMatch(work -> work.startsWith("W"));
    }

    @Test
    @Tag("pitfall-77")
    void readsTheRestOfAPartialTableFromTheInitiator() {
        int[] lengths = new int[300];
        Arrays.fill(lengths, 512);
        byte[] data = random(5, 300 * 512);
        for (int i = 0; i < 300; i++) {
            peer.wire().peerMemory.put(i * 1024, data, i * 512, 512);
        }
        peer.sendIndirect(1, write10(0, 300), true, 0, 1024, data.length, 255, lengths);
        assertThat(answer().status()).isZero();
        assertThat(storeBytes(0, data.length)).isEqualTo(data);
        assertThat(peer.wire().wire.getFirst()).isEqualTo("R4800");
        assertThat(peer.wire().wire).hasSize(1 + 300 + 1);
        assertThat(counters.partialTableCommands.get()).isEqualTo(1);
        assertThat(counters.tableReads.get()).isEqualTo(1);

        peer.wire().wire.clear();
        Arrays.fill(peer.wire().peerMemory.array(), 0, 300 * 1024, (byte) 0);
        peer.sendIndirect(2, read10(0, 300), false, 0, 1024, data.length, 0, lengths);
        assertThat(answer().flags()).isZero();
        for (int i = 0; i < 300; i++) {
            assertThat(peerBytes(i * 1024, 512)).isEqualTo(Arrays.copyOfRange(data, i * 512, i * 512 + 512));
        }
    }

    @Test
    @Tag("pitfall-66")
    void ofATableThatDescribesMoreOnlyTheTotalIsUsed() {
        byte[] data = random(9, 8192);
        peer.wire().peerMemory.put(0, data);
        peer.sendIndirect(1, write10(0, 8), true, 0, 2048, 4096, 4, 2048, 2048, 2048, 2048);
        assertThat(answer().status()).isZero();
        assertThat(storeBytes(0, 4096)).isEqualTo(Arrays.copyOf(data, 4096));
        assertThat(storeBytes(4096, 4096)).containsOnly(0);
        Arrays.fill(peer.wire().peerMemory.array(), 0, 8192, (byte) 0x55);
        peer.sendIndirect(2, read10(0, 16), false, 0, 2048, 4096, 4, 2048, 2048, 2048, 2048);
        assertThat(answer().flags()).isEqualTo(SrpResponse.DATA_IN_OVER);
        assertThat(peerBytes(0, 4096)).isEqualTo(Arrays.copyOf(data, 4096));
        assertThat(peerBytes(4096, 4096)).containsOnly(0x55);
    }

    @Test
    @Tag("pitfall-66")
    void refusesTablesThatDescribeLessThanTheyClaim() {
        peer.sendIndirect(1, write10(0, 8), true, 0, 4096, 4096, 2, 512, 512);
        assertThat(sense(answer())).isEqualTo("5/0E/03");
        int[] lengths = new int[20];
        Arrays.fill(lengths, 512);
        peer.sendIndirect(2, write10(0, 40), true, 0, 4096, 40 * 512, 2, lengths);
        assertThat(sense(answer())).isEqualTo("5/0E/03");
        assertThat(fixture.store.writes).isZero();
    }

    @Test
    @Tag("pitfall-68")
    @Tag("pitfall-69")
    void refusesMalformedUnitsWithSenseAndKeepsTheChannel() {
        peer.startCommand(1, write10(0, 1)).dataOutFormat(BufferFormat.DIRECT).dataInFormat(BufferFormat.DIRECT);
        peer.send(80);
        assertThat(sense(answer())).isEqualTo("5/24/00");
        peer.startCommand(2, write10(0, 1)).dataOutFormat(7);
        peer.send(80);
        assertThat(sense(answer())).isEqualTo("5/0E/03");
        peer.startCommand(3, write10(0, 1)).dataOutFormat(BufferFormat.DIRECT);
        peer.send(50);
        assertThat(sense(answer())).isEqualTo("5/0E/03");
        peer.startCommand(4, "7f 00 00 00 00 00 00 18").additionalCdbLength(0);
        peer.send(48);
        assertThat(sense(answer())).isEqualTo("5/0E/03");
        peer.sendNoData(5, TargetFixture.TEST_UNIT_READY);
        assertThat(answer().status()).isZero();
    }

    @Test
    @Tag("pitfall-74")
    void aWriteWithoutEnoughDataDoesNotTouchTheStore() {
        peer.sendWrite(1, write10(0, 8), 0, 1024);
        SrpResponse response = answer();
        assertThat(response.status()).isEqualTo(2);
        assertThat(fixture.store.bytes.getLong(1024)).isZero();
    }

    @Test
    void refusesATransferLargerThanAllowed() {
        peer.sendRead(1, "28 00 00000000 00 ffff 00", 0, 0x7fff_ffff);
        assertThat(answer().status()).isEqualTo(2);
    }

    @Test
    @Tag("pitfall-55")
    @Tag("pitfall-62")
    void countsEveryCreditOnceOverAMixedLoad() {
        Random random = new Random(42);
        byte[] data = random(6, 4096);
        peer.wire().peerMemory.put(0, data);
        int outstanding = 0;
        for (int i = 0; i < 3000; i++) {
            switch (random.nextInt(5)) {
                case 0 -> peer.sendNoData(i, TargetFixture.TEST_UNIT_READY);
                case 1 -> peer.sendRead(i, read10(random.nextInt(100), 8), 1 << 20, 4096);
                case 2 -> peer.sendWrite(i, write10(random.nextInt(100), 8), 0, 4096);
                case 3 -> peer.sendImmediate(i, write10(random.nextInt(100), 8), data);
                default -> peer.sendTaskManagement(i, 3, 0, 0);
            }
            outstanding++;
            if (peer.credits == 0 || random.nextInt(40) == 0) {
                fixture.run();
                for (; outstanding > 0; outstanding--) {
                    peer.nextResponse();
                }
                assertThat(peer.credits).isEqualTo(128);
            }
        }
        fixture.run();
        for (; outstanding > 0; outstanding--) {
            peer.nextResponse();
        }
        assertThat(peer.wire().receiverNotReady).isZero();
        assertThat(peer.wire().sent).isEmpty();
        assertThat(counters.creditViolations.get()).isZero();
    }
}
