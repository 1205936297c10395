package io.srpt.target;

import static io.srpt.target.TargetFixture.TEST_UNIT_READY;
import static io.srpt.target.TargetFixture.read10;
import static io.srpt.target.TargetFixture.write10;
import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.srp.CreditResponse;
import io.srpt.srp.InformationUnitType;
import io.srpt.srp.InitiatorLogout;
import io.srpt.srp.LoginRequest;
import io.srpt.srp.SrpCommand;
import io.srpt.srp.SrpResponse;
import io.srpt.verbs.QueuePairEventListener;
import io.srpt.verbs.RejectReason;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ChannelTest {
    private TargetFixture fixture = new TargetFixture();

    @AfterEach
    void leavesNothingBehind() {
        fixture.closeAndCheck();
    }

    private void use(TargetConfig config, int maxSegments) {
        fixture.closeAndCheck();
        fixture = new TargetFixture(config, new TargetFixture.FakeRdmaSettings(4096, maxSegments));
    }

    @Test
    @Tag("pitfall-11")
    void commandsBeforeTheConnectionStandsWaitAndRunInOrder() {
        FakePeer peer = fixture.tryLogin(FakePeer.login(LoginRequest.IMMEDIATE_DATA));
        peer.sendNoData(0, TEST_UNIT_READY);
        for (int i = 1; i < 10; i++) {
            peer.sendImmediate(i, write10(0, 1), filled(i));
        }
        fixture.run();
        assertThat(peer.wire().sent).isEmpty();
        assertThat(fixture.counters().unitsWaited.get()).isEqualTo(10);
        peer.establish();
        for (int i = 10; i < 20; i++) {
            peer.sendImmediate(i, write10(0, 1), filled(i));
        }
        fixture.run();
        for (int i = 0; i < 20; i++) {
            assertThat(peer.nextResponse().tag()).isEqualTo(i);
        }
        assertThat(fixture.store.bytes.get(0)).isEqualTo((byte) 19);
        assertThat(peer.credits).isEqualTo(128);
    }

    private static byte[] filled(int value) {
        byte[] data = new byte[512];
        Arrays.fill(data, (byte) value);
        return data;
    }

    @Test
    @Tag("pitfall-60")
    void unitsBeyondTheContextsWaitUntilResponsesAreConfirmed() {
        FakePeer peer = fixture.connect();
        peer.wire().holdCompletions = true;
        for (int i = 0; i < 128; i++) {
            peer.sendNoData(i, TEST_UNIT_READY);
        }
        fixture.run();
        for (int i = 0; i < 128; i++) {
            assertThat(peer.nextResponse().tag()).isEqualTo(i);
        }
        for (int i = 128; i < 256; i++) {
            peer.sendImmediate(i, write10(0, 1), filled(i));
        }
        fixture.run();
        assertThat(peer.wire().sent).hasSize(4);
        assertThat(fixture.counters().unitsWaited.get()).isEqualTo(124);
        peer.wire().holdCompletions = false;
        fixture.run();
        for (int i = 128; i < 256; i++) {
            assertThat(peer.nextResponse().tag()).isEqualTo(i);
        }
        assertThat(peer.credits).isEqualTo(128);
        assertThat(peer.wire().receiverNotReady).isZero();
        assertThat(fixture.counters().creditViolations.get()).isZero();
        assertThat(fixture.counters().commandsInUse.get()).isZero();
    }

    /** It needs no context, and still does not overtake commands that wait for one. */
    @Test
    void aLogoutComesAfterTheCommandsThatWait() {
        FakePeer peer = fixture.connect();
        peer.wire().holdCompletions = true;
        for (int i = 0; i < 140; i++) {
            peer.sendNoData(i, TEST_UNIT_READY);
            if (i == 127) {
                fixture.run();
                for (int answered = 0; answered < 128; answered++) {
                    peer.nextResponse();
                }
            }
        }
        ByteBuffer unit = ByteBuffer.allocate(InitiatorLogout.LENGTH);
        new InitiatorLogout().wrap(unit, 0).initialise().tag(999);
        peer.sendRaw(unit.array());
        fixture.run();
        assertThat(fixture.counters().unitsWaited.get()).isEqualTo(9);
        assertThat(peer.disconnects).isZero();
        peer.wire().holdCompletions = false;
        fixture.run();
        assertThat(fixture.counters().commands.get())
                .as("all were served, and one at the connection")
                .isEqualTo(141);
        assertThat(peer.disconnects).isEqualTo(1);
    }

    @Test
    void countsUnitsThatCameWithoutCredit() {
        FakePeer peer = fixture.connect();
        fixture.store.hold = true;
        for (int i = 0; i < 130; i++) {
            peer.sendRead(i, read10(0, 1), 0, 512);
        }
        fixture.run();
        assertThat(fixture.counters().creditViolations.get()).isEqualTo(2);
        fixture.store.release();
        fixture.run();
        assertThat(peer.wire().sent).hasSize(130);
    }

    @Test
    @Tag("pitfall-61")
    void workLargerThanTheSendQueueGoesThroughItInParts() {
        use(TargetFixture.config().sendQueueSize(16).build(), 1);
        FakePeer peer = fixture.connect();
        int[] lengths = new int[255];
        Arrays.fill(lengths, 512);
        byte[] data = new byte[255 * 512];
        new Random(1).nextBytes(data);
        fixture.store.bytes.put(0, data);
        for (int i = 0; i < 8; i++) {
            peer.sendIndirect(i, read10(0, 255), false, 0, 1024, data.length, 255, lengths);
        }
        fixture.run();
        for (int i = 0; i < 8; i++) {
            assertThat(peer.nextResponse().tag()).isEqualTo(i);
        }
        for (int i = 0; i < 255; i++) {
            assertThat(Arrays.copyOfRange(peer.wire().peerMemory.array(), i * 1024, i * 1024 + 512))
                    .isEqualTo(Arrays.copyOfRange(data, i * 512, i * 512 + 512));
        }
        assertThat(fixture.counters().sendQueueFull.get()).isPositive();
        peer.wire().wire.clear();
        peer.sendIndirect(9, write10(0, 255), true, 0, 1024, data.length, 255, lengths);
        fixture.run();
        assertThat(peer.nextResponse().status()).isZero();
        assertThat(peer.wire().wire).hasSize(256);
    }

    @Test
    @Tag("pitfall-75")
    void senseIsCutToWhatTheInitiatorTakes() {
        use(TargetFixture.config().maxResponseLength(40).build(), 4);
        FakePeer peer = fixture.connect();
        peer.sendNoData(1, "ff 00 00 00 00 00");
        fixture.run();
        assertThat(peer.wire().sent.element()).hasSize(40);
        SrpResponse response = peer.nextResponse();
        assertThat(response.status()).isEqualTo(2);
        assertThat(response.senseLength()).isEqualTo(4);
    }

    @Test
    void commandsThatFindNoBuffersWaitInOrder() {
        use(
                TargetFixture.config()
                        .maxTransferLength(1 << 20)
                        .dataBufferBytes(1 << 20)
                        .build(),
                4);
        FakePeer peer = fixture.connect();
        fixture.store.hold = true;
        for (int i = 0; i < 40; i++) {
            peer.sendWrite(i, write10(i * 128, 128), 0, 64 << 10);
        }
        peer.sendRead(40, read10(0, 2048), 0, 1 << 20);
        peer.sendRead(41, read10(0, 1), 0, 512);
        fixture.run();
        assertThat(fixture.store.writes).isEqualTo(16);
        assertThat(fixture.counters().chunksInUse.get()).isEqualTo(16);
        assertThat(fixture.counters().commandsWaiting.get()).isEqualTo(26);
        while (!fixture.store.held.isEmpty()) {
            fixture.store.release();
            fixture.run();
        }
        for (int i = 0; i < 42; i++) {
            assertThat(peer.nextResponse().tag()).isEqualTo(i);
        }
        assertThat(peer.credits).isEqualTo(128);
        assertThat(fixture.counters().dataBufferBytes.get()).isEqualTo(1 << 20);
    }

    @Test
    void aLogoutOfTheInitiatorEndsTheChannel() {
        FakePeer peer = fixture.connect();
        ByteBuffer unit = ByteBuffer.allocate(InitiatorLogout.LENGTH);
        new InitiatorLogout().wrap(unit, 0).initialise().tag(7);
        peer.sendRaw(unit.array());
        fixture.run();
        assertThat(peer.disconnects).isEqualTo(1);
        assertThat(peer.closed).isTrue();
        assertThat(fixture.events).containsExactly("login", "released INITIATOR_LOGOUT");
        assertThat(fixture.counters().initiatorLogouts.get()).isEqualTo(1);
        fixture.assertNothingInUse();
    }

    @Test
    @Tag("pitfall-58")
    void unitsThatCostNoCreditNeverWedgeTheChannel() {
        FakePeer peer = fixture.connect();
        ByteBuffer unit = ByteBuffer.allocate(CreditResponse.LENGTH);
        new CreditResponse().wrap(unit, 0).initialise().tag(7);
        for (int i = 0; i < 1000; i++) {
            peer.sendRaw(unit.array());
            if (i % 3 == 0) {
                fixture.run();
            }
        }
        fixture.run();
        peer.sendNoData(1, TEST_UNIT_READY);
        fixture.run();
        assertThat(peer.nextResponse().tag()).isEqualTo(1);
        assertThat(fixture.counters().targetRequestResponses.get()).isEqualTo(1000);
    }

    @Test
    @Tag("pitfall-58")
    @Tag("pitfall-67")
    void brokenUnitsCloseTheChannel() {
        byte[][] units = {
            {},
            {0x77},
            new byte[64],
            Arrays.copyOf(new byte[] {InformationUnitType.CMD}, SrpCommand.LENGTH - 1),
            Arrays.copyOf(new byte[] {InformationUnitType.TSK_MGMT}, 47),
            Arrays.copyOf(new byte[] {InformationUnitType.I_LOGOUT}, 15),
            Arrays.copyOf(new byte[] {(byte) InformationUnitType.RSP}, 36)
        };
        for (byte[] unit : units) {
            FakePeer peer = fixture.connect();
            peer.sendRaw(unit);
            fixture.run();
            assertThat(peer.closed).as(Arrays.toString(unit)).isTrue();
            assertThat(fixture.events).last().isEqualTo("released PROTOCOL_ERROR");
        }
        assertThat(fixture.counters().protocolErrors.get()).isEqualTo(units.length);
        fixture.assertNothingInUse();
    }

    @Test
    void randomUnitsNeverThrowOutOfTheLoop() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        FakePeer peer = fixture.connect();
        for (int i = 0; i < 4_000; i++) {
            byte[] unit = new byte[random.nextInt(300)];
            random.nextBytes(unit);
            if (unit.length > 48 && random.nextInt(10) != 0) {
                unit[0] = (byte) (random.nextInt(8) == 0 ? InformationUnitType.TSK_MGMT : InformationUnitType.CMD);
                unit[SrpCommand.FORMATS_OFFSET] = (byte) (random.nextBoolean() ? 1 << random.nextInt(6) : 0x20);
                unit[SrpCommand.ADDITIONAL_CDB_OFFSET] = (byte) (random.nextInt(3) == 0 ? 4 : 0);
                Arrays.fill(unit, SrpCommand.LUN_OFFSET, SrpCommand.LUN_OFFSET + 8, (byte) 0);
                byte[] operations = {0x12, 0x28, 0x2a, 0x25, 0x1a, 0x00, (byte) 0xa0, 0x55, 0x35};
                unit[SrpCommand.CDB_OFFSET] = operations[random.nextInt(operations.length)];
            }
            try {
                peer.sendRaw(unit);
                fixture.run();
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
            peer.wire().sent.clear();
            if (peer.closed) {
                peer = fixture.connect();
            }
        }
        peer.hangUp();
        fixture.run();
        fixture.assertNothingInUse();
    }

    @Test
    @Tag("pitfall-70")
    void aFailedReadEndsTheChannelAndNeverReachesTheStore() {
        FakePeer peer = fixture.connect();
        peer.wire().peerKeys.clear();
        peer.sendWrite(1, write10(0, 1), 0, 512);
        fixture.run();
        assertThat(fixture.store.writes).isZero();
        assertThat(fixture.events).last().isEqualTo("released TRANSPORT_ERROR");
        assertThat(fixture.counters().commandsWithoutResponse.get()).isEqualTo(1);
        fixture.assertNothingInUse();
    }

    @Test
    void aQueuePairThatFailsByItselfEndsTheChannel() {
        FakePeer peer = fixture.connect();
        Objects.requireNonNull((QueuePairEventListener) peer.handler)
                .onQueuePairEvent(peer.wire(), QueuePairEventListener.Event.FATAL);
        fixture.run();
        assertThat(fixture.events).last().isEqualTo("released TRANSPORT_ERROR");
        FakePeer other = fixture.connect();
        other.wire().modifyToError();
        fixture.run();
        assertThat(fixture.counters().transportErrors.get()).isEqualTo(2);
        fixture.assertNothingInUse();
    }

    @Test
    void refusedOrUnansweredRepliesFreeTheChannel() {
        FakePeer refused = fixture.tryLogin(FakePeer.login(1));
        Objects.requireNonNull(refused.handler).onRejected(refused, RejectReason.STALE_CONNECTION, new byte[148]);
        FakePeer silent = fixture.tryLogin(FakePeer.login(1));
        Objects.requireNonNull(silent.handler).onUnreachable(silent);
        fixture.run();
        assertThat(fixture.events)
                .containsExactly("login", "login", "released NOT_ESTABLISHED", "released NOT_ESTABLISHED");
        fixture.assertNothingInUse();
    }

    @Test
    @Tag("pitfall-95")
    void closingWithWorkInFlightReleasesEverythingOnce() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            FakePeer peer = fixture.connect();
            fixture.store.hold = random.nextBoolean();
            peer.wire().holdSends = random.nextInt(4) == 0;
            int commands = random.nextInt(100);
            for (int i = 0; i < commands; i++) {
                switch (random.nextInt(4)) {
                    case 0 -> peer.sendRead(i, read10(0, 64), 0, 64 * 512);
                    case 1 -> peer.sendWrite(i, write10(0, 64), 0, 64 * 512);
                    case 2 -> peer.sendImmediate(i, write10(0, 1), filled(i));
                    default -> peer.sendTaskManagement(i, 1 << random.nextInt(5), 0, random.nextInt(i + 1));
                }
                if (random.nextInt(10) == 0) {
                    fixture.run();
                }
            }
            switch (random.nextInt(4)) {
                case 0 -> peer.hangUp();
                case 1 -> peer.sendRaw(new byte[64]);
                case 2 -> fixture.tryLogin(FakePeer.login(0)).hangUp();
                default -> peer.wire().modifyToError();
            }
            fixture.run();
            fixture.store.hold = false;
            fixture.store.release();
            fixture.run();
            assertThat(peer.closed).as("seed %d round %d", seed, round).isTrue();
            fixture.assertNothingInUse();
        }
    }

    @Test
    void disablingEndsAllChannelsAndRefusesLogins() {
        FakePeer first = fixture.connect(1);
        FakePeer second = fixture.connect(1);
        fixture.port.disable();
        fixture.run();
        assertThat(first.disconnects).isEqualTo(1);
        assertThat(second.disconnects).isEqualTo(1);
        assertThat(fixture.tryLogin(FakePeer.login(0)).reject).isNotNull();
        fixture.assertNothingInUse();
        fixture.port.enable();
        fixture.run();
        fixture.connect();
    }

    @Test
    void aStuckStoreDelaysTheReleaseButNotOthers() {
        FakePeer stuck = fixture.connect(0x81);
        FakePeer other = fixture.connect(0x81);
        fixture.store.hold = true;
        stuck.sendWrite(1, write10(0, 8), 0, 4096);
        fixture.run();
        stuck.hangUp();
        fixture.run();
        assertThat(stuck.closed).isFalse();
        assertThat(fixture.port.channels()).extracting(ChannelInfo::state).contains(ChannelState.DISCONNECTED);
        other.sendNoData(1, TEST_UNIT_READY);
        fixture.run();
        assertThat(other.nextResponse().status()).isZero();
        fixture.store.release();
        fixture.run();
        assertThat(stuck.closed).isTrue();
    }

    @Test
    @Tag("pitfall-95")
    void loginsAndLogoutsDoNotGrowAnything() {
        int regions = -1;
        for (int i = 0; i < 300; i++) {
            FakePeer peer = fixture.connect();
            peer.sendWrite(1, write10(0, 8), 0, 4096);
            fixture.run();
            peer.nextResponse();
            peer.hangUp();
            fixture.run();
            fixture.assertNothingInUse();
            if (i == 0) {
                regions = fixture.device.regions.size();
            }
        }
        assertThat(fixture.device.regions).hasSize(regions);
    }
}
