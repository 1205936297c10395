package io.srpt.target;

import static io.srpt.target.TargetFixture.TEST_UNIT_READY;
import static io.srpt.target.TargetFixture.read10;
import static io.srpt.target.TargetFixture.write10;
import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.srp.InformationUnitType;
import io.srpt.srp.LoginRequest;
import io.srpt.srp.LoginResponse;
import io.srpt.srp.TargetLogout;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The states of a channel, and its end with work in flight. */
class ChannelLifeTest {
    private static final Duration BOUND = Duration.ofSeconds(5);
    private static final String GROWS = "LIVE DISCONNECTING, DISCONNECTING DRAINING, DRAINING DISCONNECTED";

    private TargetFixture fixture = new TargetFixture();

    @AfterEach
    void leavesNothingBehind() {
        fixture.closeAndCheck();
    }

    private void use(TargetConfig.Builder config) {
        fixture.closeAndCheck();
        fixture = new TargetFixture(config.build());
    }

    private FakePeer withWritesInTheStore(int commands) {
        FakePeer peer = fixture.connect(0x81);
        fixture.store.hold = true;
        for (int i = 0; i < commands; i++) {
            peer.sendWrite(i, write10(i * 8, 8), 0, 4096);
        }
        fixture.run();
        fixture.store.hold = false;
        fixture.states.clear();
        return peer;
    }

    /** The marker, not an event of the queue pair, ends the drain. */
    @Test
    @Tag("pitfall-96")
    void theDrainMarkerEndsTheDrainOnceAllPostedWorkIsFlushed() {
        FakePeer peer = fixture.connect();
        fixture.states.clear();
        peer.wire().holdCompletions = true;
        assertThat(peer.wire().postedReceives()).isGreaterThan(128);
        peer.hangUp();
        fixture.run();
        assertThat(fixture.states).containsExactly("LIVE DISCONNECTING", "DISCONNECTING DRAINING");
        assertThat(fixture.device.queuePairs).isEqualTo(1);
        peer.wire().holdCompletions = false;
        fixture.run();
        assertThat(String.join(", ", fixture.states)).isEqualTo(GROWS);
        assertThat(fixture.events).containsExactly("login", "released PEER_DISCONNECTED");
        fixture.assertNothingInUse();
    }

    /** A second DISCONNECTED, or one after our own end, has no effect. */
    @Test
    @Tag("pitfall-99")
    void aStateOnlyGrowsAndTheEndHappensOnce() {
        FakePeer peer = fixture.connect();
        fixture.states.clear();
        fixture.port.disable();
        fixture.port.disable();
        fixture.device.loop.execute(() -> {
            Objects.requireNonNull(peer.handler).onDisconnected(peer);
            peer.handler.onDisconnected(peer);
            peer.handler.onUnreachable(peer);
            peer.handler.onEstablished(peer, new byte[0]);
        });
        fixture.run();
        assertThat(String.join(", ", fixture.states)).isEqualTo(GROWS);
        assertThat(fixture.events).containsExactly("login", "released DISABLED");
        assertThat(peer.disconnects).isEqualTo(1);
        assertThat(peer.closed).isTrue();
    }

    @Test
    void aQueuePairThatDoesNotDrainIsDestroyedWhenTimeIsOver() {
        FakePeer peer = fixture.connect();
        peer.sendWrite(1, write10(0, 8), 0, 4096);
        peer.wire().holdSends = true;
        fixture.run();
        peer.wire().holdCompletions = true;
        peer.hangUp();
        fixture.pass(BOUND.minusMillis(1));
        assertThat(fixture.device.queuePairs).isEqualTo(1);
        fixture.pass(Duration.ofMillis(2));
        fixture.assertNothingInUse();
        assertThat(fixture.events).last().isEqualTo("released PEER_DISCONNECTED");
        assertThat(fixture.store.writes).isZero();
    }

    @Test
    @Tag("pitfall-97")
    @Tag("pitfall-108")
    void aStalledStoreHoldsUpNothingButItsOwnBuffers() {
        FakePeer stuck = withWritesInTheStore(3);
        FakePeer other = fixture.connect(0x81);
        stuck.hangUp();
        fixture.run();
        assertThat(stuck.closed).isFalse();
        assertThat(fixture.port.channels())
                .as("the wait is visible")
                .filteredOn(channel -> channel.state() == ChannelState.DISCONNECTED)
                .singleElement()
                .satisfies(channel ->
                        assertThat(channel.counters().commandsInUse.get()).isEqualTo(3));
        for (int i = 0; i < 100; i++) {
            other.sendRead(i, read10(1000, 8), 0, 4096);
            fixture.run();
            assertThat(other.nextResponse().tag()).isEqualTo(i);
        }
        fixture.pass(BOUND);
        assertThat(stuck.closed).isTrue();
        assertThat(fixture.port.channels()).hasSize(1);
        assertThat(fixture.device.queuePairs).isEqualTo(1);
        assertThat(fixture.counters().commandsStranded.get()).isEqualTo(3);
        assertThat(fixture.counters().chunksInUse.get()).isEqualTo(3);
        assertThat(fixture.errors).singleElement().asString().contains("does not let go of 3 commands");
        fixture.store.release();
        fixture.run();
        assertThat(fixture.counters().commandsStranded.get()).isZero();
        assertThat(fixture.counters().chunksInUse.get()).isZero();
        assertThat(fixture.counters().commandsInUse.get()).isZero();
        assertThat(fixture.events)
                .filteredOn(event -> event.startsWith("released"))
                .hasSize(1);
    }

    @Test
    void immediateDataThatAStalledStoreHoldsIsNotOverwritten() {
        FakePeer stuck = fixture.connect(0x80);
        fixture.store.hold = true;
        byte[] data = new byte[512];
        java.util.Arrays.fill(data, (byte) 7);
        stuck.sendImmediate(1, write10(9, 1), data);
        fixture.run();
        stuck.hangUp();
        fixture.pass(BOUND);
        fixture.store.hold = false;
        for (int i = 0; i < 20; i++) {
            FakePeer next = fixture.connect(0x80);
            next.sendImmediate(1, write10(100, 1), new byte[512]);
            fixture.run();
            next.hangUp();
            fixture.run();
        }
        fixture.store.release();
        fixture.run();
        assertThat(fixture.store.bytes.get(9 * 512)).isEqualTo((byte) 7);
        assertThat(fixture.store.bytes.get(9 * 512 + 511)).isEqualTo((byte) 7);
    }

    /** What ib_srp does when a LUN stalls. */
    @Test
    @Tag("pitfall-87")
    void theInitiatorLogsInAgainWhileTheStoreHoldsItsOldCommands() {
        FakePeer old = withWritesInTheStore(1);
        old.hangUp();
        fixture.run();
        FakePeer next = fixture.connect(0x80);
        assertThat(Objects.requireNonNull(next.response).multichannelResult())
                .as("the old channel is ending already")
                .isEqualTo(LoginResponse.MULTICHANNEL_NONE);
        next.sendWrite(1, write10(0, 1), 4096, 512);
        next.sendNoData(2, TEST_UNIT_READY);
        fixture.run();
        assertThat(next.nextResponse().tag())
                .as("what the late write does not touch is served")
                .isEqualTo(2);
        assertThat(next.wire().sent).isEmpty();
        fixture.pass(BOUND);
        assertThat(fixture.port.channels()).hasSize(1);
        fixture.store.release();
        fixture.run();
        assertThat(next.nextResponse().tag()).isEqualTo(1);
        assertThat(fixture.store.writes).isEqualTo(2);
    }

    @Test
    void thePortClosesWithinTheBoundAlthoughTheStoreIsStuck() {
        withWritesInTheStore(2);
        var closed = fixture.target.close();
        fixture.pass(BOUND.plusMillis(1));
        assertThat(closed).isCompleted();
        assertThat(fixture.device.regions).isEmpty();
        fixture.store.release();
        fixture.run();
        fixture.assertNothingInUse();
    }

    /** Function srpt_send_done: a response that is confirmed late, or never, frees its context once. */
    @Test
    void responsesThatAreNeverConfirmedAreFreedByTheDrain() {
        FakePeer peer = fixture.connect();
        peer.wire().holdCompletions = true;
        for (int i = 0; i < 100; i++) {
            peer.sendRead(i, read10(0, 8), 0, 4096);
        }
        fixture.run();
        assertThat(peer.wire().sent).hasSize(100);
        assertThat(fixture.counters().commandsInUse.get()).isEqualTo(100);
        peer.wire().modifyToError();
        peer.wire().holdCompletions = false;
        fixture.run();
        fixture.assertNothingInUse();
        assertThat(fixture.counters().transportErrors.get()).isEqualTo(1);
    }

    // SRP_T_LOGOUT.

    /** What ends the channel is the disconnect. */
    @Test
    @Tag("pitfall-92")
    void byDefaultTheTargetDisconnectsWithoutALogout() {
        FakePeer peer = fixture.connect();
        fixture.port.disable();
        fixture.run();
        assertThat(peer.wire().sent).isEmpty();
        assertThat(peer.disconnects).isEqualTo(1);
        assertThat(fixture.counters().targetLogouts.get()).isZero();
    }

    @Test
    @Tag("pitfall-92")
    void aLogoutIsSentBeforeTheDisconnectIfConfigured() {
        use(TargetFixture.config().targetLogout(true));
        FakePeer peer = fixture.connect(LoginRequest.SOLICIT_LOGOUT);
        peer.wire().holdCompletions = true;
        fixture.port.disable();
        fixture.run();
        TargetLogout logout = new TargetLogout().wrap(peer.takeRequest(InformationUnitType.T_LOGOUT), 0);
        assertThat(logout.reason()).isEqualTo(TargetLogout.NO_REASON);
        assertThat(logout.isSolicited()).isTrue();
        assertThat(peer.disconnects).isZero();
        peer.wire().holdCompletions = false;
        fixture.run();
        assertThat(peer.disconnects).isEqualTo(1);
        assertThat(fixture.counters().targetLogouts.get()).isEqualTo(1);
        fixture.assertNothingInUse();
    }

    @Test
    void aLogoutThatIsNeverConfirmedDelaysTheDisconnectForAMomentOnly() {
        use(TargetFixture.config().targetLogout(true));
        FakePeer silent = fixture.connect(1);
        FakePeer leaving = fixture.connect(1);
        silent.wire().holdSends = true;
        leaving.wire().holdSends = true;
        fixture.port.disable();
        fixture.run();
        assertThat(silent.disconnects).isZero();
        leaving.hangUp();
        fixture.run();
        assertThat(leaving.closed).isTrue();
        fixture.pass(Duration.ofMillis(100));
        assertThat(silent.disconnects).isEqualTo(1);
        assertThat(silent.closed).isTrue();
    }

    /** An initiator that uses RDMA/CM posts its receives after RTU. */
    @Test
    @Tag("pitfall-33")
    void nothingIsSentBeforeTheFirstCommand() {
        use(TargetFixture.config().targetLogout(true).asyncEvents(true));
        FakePeer peer = fixture.tryLogin(FakePeer.login(0));
        peer.establish();
        fixture.run();
        fixture.store.grow();
        fixture.run();
        fixture.port.disable();
        fixture.run();
        assertThat(peer.wire().sent).isEmpty();
        assertThat(peer.disconnects).isEqualTo(1);
    }
}
