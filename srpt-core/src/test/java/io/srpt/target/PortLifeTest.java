package io.srpt.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.scsi.LunView;
import io.srpt.srp.LoginRejectReason;
import io.srpt.srp.LoginRequest;
import io.srpt.srp.PortId;
import io.srpt.verbs.ConnectionManager;
import io.srpt.verbs.DeviceEventListener;
import io.srpt.verbs.Gid;
import io.srpt.verbs.RejectReason;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ports that are disabled, enabled and renamed, and their groups of access rules. */
class PortLifeTest {
    private static final PortId OTHER = new PortId(0, 0x77);

    private final TargetFixture fixture = new TargetFixture();
    private final SrptPort port = fixture.port;

    @AfterEach
    void leavesNothingBehind() {
        fixture.closeAndCheck();
    }

    private FakePeer login(PortId initiator, int flags) {
        return fixture.tryLogin(new LoginRequest(0, 8260, 6, flags, 0, initiator, FakePeer.TARGET));
    }

    private LoginRejectReason reasonFor(FakePeer peer) {
        return Objects.requireNonNull(peer.reject, "the login was not refused").reason();
    }

    private static AccessRules only(String name, PortId initiator) {
        return only(name, initiator, LunView.ALL);
    }

    private static AccessRules only(String name, PortId initiator, LunView view) {
        return new AccessRules(List.of(new AccessRules.Rule(name, new AccessRules.Port(initiator), view)));
    }

    @Test
    void disablingCompletesWhenTheSessionsAreGone() {
        FakePeer peer = fixture.connect();
        fixture.store.hold = true;
        peer.sendRead(1, TargetFixture.read10(0, 1), 0, 512);
        fixture.run();
        CompletableFuture<Void> disabled = port.disable();
        fixture.run();
        assertThat(peer.disconnects).isEqualTo(1);
        assertThat(disabled).isNotDone();
        assertThat(reasonFor(login(OTHER, 0))).isEqualTo(LoginRejectReason.INSUFFICIENT_CHANNEL_RESOURCES);
        fixture.store.hold = false;
        fixture.store.release();
        fixture.run();
        assertThat(disabled).isCompleted();
        assertThat(port.channels()).isEmpty();
        CompletableFuture<Void> enabled = port.enable();
        fixture.run();
        assertThat(enabled).isCompleted();
        assertThat(login(OTHER, 0).response).isNotNull();
    }

    @Test
    void closesTheSessionOfOneInitiatorAndNoOther() {
        FakePeer peer = fixture.connect();
        FakePeer second = login(OTHER, 1);
        second.establish();
        fixture.run();
        CompletableFuture<Integer> closed = port.closeSession(OTHER);
        CompletableFuture<Integer> nobody = port.closeSession(new PortId(0, 0x99));
        fixture.run();
        assertThat(nobody).isCompletedWithValue(0);
        assertThat(closed).isCompletedWithValue(1);
        assertThat(second.disconnects).isEqualTo(1);
        assertThat(peer.disconnects).isZero();
        assertThat(login(OTHER, 0).response).isNotNull();
    }

    @Test
    @Tag("pitfall-5")
    void loginsThatRaceWithDisableEndInOneAnswerAndNoChannelSurvives() {
        for (int i = 0; i < 200; i++) {
            FakePeer before = new FakePeer(fixture.device, FakePeer.login(1)).request(TargetFixture.RDMA_CM_SERVICE);
            CompletableFuture<Void> changed = i % 2 == 0 ? port.disable() : port.enable();
            FakePeer after = new FakePeer(fixture.device, FakePeer.login(1)).request(TargetFixture.RDMA_CM_SERVICE);
            fixture.run();
            assertThat(before.response == null).isEqualTo(before.reject != null);
            assertThat(after.response == null).isEqualTo(after.reject != null);
            assertThat(changed).isCompleted();
            if (i % 2 == 0) {
                assertThat(port.channels()).isEmpty();
                assertThat(fixture.counters().nexusesInUse.get()).isZero();
            }
        }
    }

    /** What the initiator does every ten seconds while the port is disabled. */
    @Test
    @Tag("pitfall-91")
    void loginsThatAreRefusedForLongLeaveNothing() {
        fixture.connect();
        port.disable();
        fixture.run();
        int regions = fixture.device.regions.size();
        for (int i = 0; i < 600; i++) {
            assertThat(reasonFor(login(FakePeer.INITIATOR, 0)))
                    .isEqualTo(LoginRejectReason.INSUFFICIENT_CHANNEL_RESOURCES);
        }
        assertThat(fixture.device.regions).hasSize(regions);
        fixture.assertNothingInUse();
    }

    @Test
    @Tag("pitfall-7")
    void loginsBeforeTheTargetIsThereAreRefusedByTheConnectionManager() {
        CompletableFuture<Void> gone = fixture.target.removePort(port);
        fixture.run();
        assertThat(gone).isCompleted();
        assertThat(fixture.device.services).as("nobody listens").isEmpty();
        CompletableFuture<SrptPort> added = fixture.target.addPort(fixture.device);
        fixture.run();
        assertThat(reasonFor(login(OTHER, 0)))
                .as("published, and disabled")
                .isEqualTo(LoginRejectReason.INSUFFICIENT_CHANNEL_RESOURCES);
        added.join().enable();
        fixture.run();
        assertThat(login(OTHER, 0).response).isNotNull();
    }

    @Test
    @Tag("pitfall-20")
    void sessionsLiveOnWhenTheRdmaCmPortChanges() {
        FakePeer peer = fixture.connect();
        CompletableFuture<Void> changed = fixture.target.rdmaCmPort(4711);
        fixture.run();
        assertThat(changed).isCompleted();
        assertThat(fixture.device.services).containsOnlyKeys(ConnectionManager.rdmaCmServiceId(4711), FakePeer.GUID);
        peer.sendNoData(1, TargetFixture.TEST_UNIT_READY);
        fixture.run();
        assertThat(peer.nextResponse().status()).isZero();
        assertThat(new FakePeer(fixture.device, FakePeer.login(1))
                        .request(ConnectionManager.rdmaCmServiceId(4711))
                        .response)
                .isNotNull();
        assertThat(fixture.target.config().rdmaCmPort()).isEqualTo(4711);
        fixture.target.rdmaCmPort(0);
        fixture.run();
        assertThat(fixture.device.services).containsOnlyKeys(FakePeer.GUID);
        assertThatThrownBy(() -> fixture.target.rdmaCmPort(65536)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anRdmaCmPortThatIsTakenLeavesTheOneBefore() {
        long taken = ConnectionManager.rdmaCmServiceId(4711);
        fixture.device.services.put(taken, request -> {});
        CompletableFuture<Void> changed = port.rdmaCmPort(4711);
        fixture.run();
        assertThat(changed).isCompletedExceptionally();
        assertThat(fixture.device.services).containsKey(TargetFixture.RDMA_CM_SERVICE);
        fixture.device.services.remove(taken);
    }

    @Test
    @Tag("pitfall-102")
    void withdrawingAccessEndsItsSessionsAndCompletesWhenTheyAreGone() {
        fixture.target.access(only("first", FakePeer.INITIATOR)
                .with(only("second", OTHER).rules().getFirst()));
        fixture.run();
        FakePeer peer = login(FakePeer.INITIATOR, 1);
        FakePeer other = login(OTHER, 1);
        assertThat(port.channels()).extracting(ChannelInfo::rule).containsExactly("first", "second");
        fixture.store.hold = true;
        peer.establish();
        peer.sendNoData(1, TargetFixture.TEST_UNIT_READY);
        peer.sendRead(2, TargetFixture.read10(0, 1), 0, 512);
        fixture.run();
        CompletableFuture<Void> withdrawn = fixture.target.access(only("second", OTHER));
        fixture.run();
        assertThat(withdrawn).isNotDone();
        assertThat(peer.disconnects).isEqualTo(1);
        assertThat(other.disconnects).isZero();
        fixture.store.hold = false;
        fixture.store.release();
        fixture.run();
        assertThat(withdrawn).isCompleted();
        assertThat(port.channels()).extracting(ChannelInfo::rule).containsExactly("second");
        assertThat(reasonFor(login(FakePeer.INITIATOR, 1))).isEqualTo(LoginRejectReason.CHANNEL_LIMIT_REACHED);
    }

    @Test
    void aRuleThatShowsOtherDisksEndsTheSession() {
        LunView asOne = LunView.of(Map.of(1, new LunView.Mapping(0, false)));
        FakePeer peer = fixture.connect();
        CompletableFuture<Void> changed = fixture.target.access(only("one", FakePeer.INITIATOR, asOne));
        fixture.run();
        assertThat(changed).isCompleted();
        assertThat(peer.disconnects).isEqualTo(1);
        FakePeer again = login(FakePeer.INITIATOR, 0);
        again.establish();
        again.sendNoData(1, TargetFixture.TEST_UNIT_READY);
        fixture.run();
        assertThat(TargetFixture.sense(again.nextResponse()))
                .as("there is no LUN 0")
                .contains("5/25/00");
        assertThat(fixture.target.access(only("one", FakePeer.INITIATOR, asOne)))
                .satisfies(same -> fixture.run())
                .isCompleted();
        assertThat(again.disconnects).as("nothing changed").isZero();
    }

    @Test
    void aChannelThatWouldSeeOtherDisksThanItsSessionIsRefused() {
        fixture.connect(1);
        LunView none = LunView.of(Map.of());
        fixture.port.groups().getFirst().access(only("none", FakePeer.INITIATOR, none));
        assertThat(reasonFor(login(FakePeer.INITIATOR, 1))).isEqualTo(LoginRejectReason.UNABLE_TO_ASSOCIATE_NEXUS);
        assertThat(login(FakePeer.INITIATOR, 0).response)
                .as("a single one takes its place")
                .isNotNull();
    }

    @Test
    @Tag("pitfall-103")
    void droppingAGroupLeavesTheOthersAsTheyAre() {
        fixture.allowed = false;
        CompletableFuture<TargetPortGroup> a = port.makeGroup("a", only("host-a", FakePeer.INITIATOR));
        CompletableFuture<TargetPortGroup> b = port.makeGroup("b", only("host-b", OTHER));
        CompletableFuture<TargetPortGroup> again = port.makeGroup("a", AccessControl.any());
        fixture.run();
        assertThat(again).isCompletedExceptionally();
        FakePeer ofA = login(FakePeer.INITIATOR, 0);
        FakePeer ofB = login(OTHER, 0);
        assertThat(port.channels()).extracting(ChannelInfo::rule).containsExactly("a: host-a", "b: host-b");
        CompletableFuture<Void> dropped = port.dropGroup(a.join());
        fixture.run();
        assertThat(dropped).isCompleted();
        assertThat(ofA.disconnects).isEqualTo(1);
        assertThat(ofB.disconnects).isZero();
        assertThat(reasonFor(login(FakePeer.INITIATOR, 0))).isEqualTo(LoginRejectReason.CHANNEL_LIMIT_REACHED);
        assertThat(login(OTHER, 1).response).isNotNull();
        CompletableFuture<Void> disabled = port.enableGroup(b.join(), false);
        fixture.run();
        assertThat(disabled).isCompleted();
        assertThat(ofB.disconnects).isEqualTo(1);
        assertThat(reasonFor(login(OTHER, 0))).isEqualTo(LoginRejectReason.CHANNEL_LIMIT_REACHED);
    }

    @Test
    void theFirstGroupThatHasARuleCounts() {
        port.makeGroup("later", AccessControl.any());
        fixture.run();
        login(FakePeer.INITIATOR, 0);
        assertThat(port.channels()).extracting(ChannelInfo::rule).containsExactly("every initiator");
        assertThat(port.groups()).extracting(TargetPortGroup::name).containsExactly("default", "later");
    }

    /** The two names of a port, to the letter. */
    @Test
    @Tag("pitfall-17")
    void aPortIsFoundByEachOfItsNames() {
        assertThat(fixture.target.port("5054:00ff:fe5a:0114")).contains(port);
        assertThat(fixture.target.port("0xfe80000000000000505400fffe5a0114")).contains(port);
        assertThat(fixture.target.port("5054:00FF:FE5A:0114")).isEmpty();
        assertThat(fixture.target.port("0xFE80000000000000505400FFFE5A0114")).isEmpty();
    }

    @Test
    @Tag("pitfall-100")
    void aStormOfPortEventsOnlyRenamesThePort() {
        FakePeer peer = fixture.connect();
        Gid before = fixture.device.gid;
        for (int i = 0; i < 100; i++) {
            fixture.device.gid = i % 2 == 0 ? Gid.ZERO : before;
            for (DeviceEventListener.Event event : DeviceEventListener.Event.values()) {
                fixture.device.listeners.forEach(listener -> listener.onDeviceEvent(fixture.device, event, 1));
            }
            fixture.run();
            assertThat(port.gidName()).endsWith(i % 2 == 0 ? "00000000" : "fe5a0114");
        }
        peer.sendNoData(1, TargetFixture.TEST_UNIT_READY);
        fixture.run();
        assertThat(peer.nextResponse().status()).isZero();
        assertThat(peer.disconnects).isZero();
    }

    @Test
    @Tag("pitfall-18")
    void swappedHalvesOfThePortIdAreRefused() {
        long guid = FakePeer.GUID;
        PortId swapped = new PortId(guid >>> 1, guid);
        FakePeer peer = fixture.tryLogin(new LoginRequest(0, 8260, 6, 0, 0, FakePeer.INITIATOR, swapped));
        assertThat(reasonFor(peer)).isEqualTo(LoginRejectReason.UNABLE_TO_ASSOCIATE_NEXUS);
        assertThat(peer.rejectReason).isEqualTo(RejectReason.CONSUMER);
    }

    @Test
    @Tag("pitfall-3")
    void aSmallerLimitRefusesTheDefaultOfIbSrpAndTakesAsMuchAsItAdvertises() {
        TargetFixture small =
                new TargetFixture(TargetFixture.config().maxRequestLength(2116).build());
        assertThat(reasonFor(small.tryLogin(FakePeer.login(0))))
                .isEqualTo(LoginRejectReason.REQUESTED_LENGTH_TOO_LARGE);
        FakePeer fitting = small.tryLogin(new LoginRequest(0, 2116, 6, 0, 0, FakePeer.INITIATOR, FakePeer.TARGET));
        assertThat(Objects.requireNonNull(fitting.response).maxRequestLength()).isEqualTo(2116);
        small.closeAndCheck();
    }

    @Test
    @Tag("pitfall-2")
    void theShortestAndTheLongestUnitAreTaken() {
        for (long length : new long[] {64, 8276}) {
            assertThat(fixture.tryLogin(new LoginRequest(0, length, 6, 1, 0, FakePeer.INITIATOR, FakePeer.TARGET))
                            .response)
                    .as("%d bytes", length)
                    .isNotNull();
        }
        for (long length : new long[] {63, 8277}) {
            assertThat(reasonFor(fixture.tryLogin(
                            new LoginRequest(0, length, 6, 1, 0, FakePeer.INITIATOR, FakePeer.TARGET))))
                    .isEqualTo(LoginRejectReason.REQUESTED_LENGTH_TOO_LARGE);
        }
    }

    @Test
    @Tag("pitfall-13")
    @Tag("pitfall-14")
    void aPeerThatRefusesTheReplyOrHangsUpBeforeItConfirmsLeavesNothing() {
        FakePeer refusing = login(FakePeer.INITIATOR, 1);
        refusing.wire().modifyToError();
        Objects.requireNonNull(refusing.handler).onRejected(refusing, RejectReason.CONSUMER, new byte[0]);
        FakePeer hangingUp = login(FakePeer.INITIATOR, 1);
        hangingUp.hangUp();
        FakePeer silent = login(FakePeer.INITIATOR, 1);
        silent.wire().modifyToError();
        Objects.requireNonNull(silent.handler).onUnreachable(silent);
        fixture.run();
        fixture.assertNothingInUse();
    }
}
