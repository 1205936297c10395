package io.srpt.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.srp.LoginRequest;
import io.srpt.srp.PortId;
import io.srpt.verbs.DeviceEventListener;
import io.srpt.verbs.Gid;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Devices that come and go: under load, before the port is ready, and while somebody holds their ports. */
class DeviceLifeTest {
    private static final PortId OTHER = new PortId(0, 0x77);

    private final TargetFixture fixture = new TargetFixture();
    private final SrptPort port = fixture.port;

    @AfterEach
    void leavesNothingBehind() {
        fixture.closeAndCheck();
    }

    @Test
    @Tag("pitfall-107")
    void eventsBeforeThePortIsReadyAreNotLost() {
        fixture.target.removePort(port);
        fixture.run();
        fixture.device.whenListening = () -> {
            fixture.device.gid = Gid.parse("fd5a::99");
            for (DeviceEventListener.Event event : DeviceEventListener.Event.values()) {
                List.copyOf(fixture.device.listeners)
                        .forEach(listener -> listener.onDeviceEvent(fixture.device, event, 1));
            }
        };
        CompletableFuture<SrptPort> added = fixture.target.addPort(fixture.device);
        fixture.run();
        assertThat(added.join().gidName()).isEqualTo("0xfd5a0000000000000000000000000099");
        assertThat(fixture.device.listeners).hasSize(1);
        fixture.device.whenListening = () -> {};
        added.join().enable();
        fixture.run();
        assertThat(fixture.tryLogin(new LoginRequest(0, 8260, 6, 0, 0, OTHER, FakePeer.TARGET)).response)
                .isNotNull();
    }

    @Test
    @Tag("pitfall-98")
    void aDeviceThatIsTakenAwayUnderLoadAndComesBackIsLoggedInToAgain() {
        for (int round = 0; round < 20; round++) {
            SrptPort current = fixture.target.ports().getFirst();
            FakePeer peer = fixture.connect();
            fixture.store.hold = round % 2 == 0;
            peer.wire().holdSends = round % 3 == 0;
            for (int i = 0; i < 60; i++) {
                if (i % 2 == 0) {
                    peer.sendWrite(i, TargetFixture.write10(i, 8), 0, 4096);
                } else {
                    peer.sendRead(i, TargetFixture.read10(i, 8), 1 << 20, 4096);
                }
            }
            if (round % 5 != 0) {
                fixture.run();
            }
            CompletableFuture<Void> removed = fixture.target.removePort(current);
            fixture.run();
            fixture.store.hold = false;
            fixture.store.release();
            fixture.run();
            fixture.store.release();
            fixture.run();
            assertThat(removed).as("round %d", round).isCompleted();
            assertThat(peer.disconnects).isEqualTo(1);
            assertThat(fixture.device.queuePairs + fixture.device.completionQueues)
                    .isZero();
            assertThat(fixture.device.regions).isEmpty();
            assertThat(fixture.device.services).isEmpty();
            CompletableFuture<SrptPort> added = fixture.target.addPort(fixture.device);
            fixture.run();
            added.join().enable();
            fixture.run();
        }
        FakePeer again = fixture.connect();
        again.sendNoData(1, TargetFixture.TEST_UNIT_READY);
        fixture.run();
        assertThat(again.nextResponse().status()).isZero();
    }

    @Test
    @Tag("pitfall-104")
    void aPortThatIsGoneMayStillBeAskedAndChanged() {
        CompletableFuture<TargetPortGroup> made = port.makeGroup("late", AccessControl.any());
        fixture.run();
        TargetPortGroup group = made.join();
        FakePeer peer = fixture.connect();
        fixture.store.hold = true;
        peer.sendRead(1, TargetFixture.read10(0, 1), 0, 512);
        fixture.run();
        CompletableFuture<Void> removed = fixture.target.removePort(port);
        for (boolean gone : new boolean[] {false, true}) {
            List<CompletableFuture<?>> changes = List.of(
                    port.enable(),
                    port.rdmaCmPort(4711),
                    port.access(group, AccessControl.any()),
                    port.enableGroup(group, true),
                    port.makeGroup("made " + gone, AccessControl.any()),
                    port.attributes(port.attributes().withSharedReceives(!gone)),
                    fixture.target.removePort(port));
            fixture.run();
            assertThat(changes).allMatch(CompletableFuture::isDone);
            assertThat(port.isEnabled()).isFalse();
            assertThat(port.gidName()).isEqualTo("0xfe80000000000000505400fffe5a0114");
            assertThat(port.channels()).hasSize(gone ? 0 : 1);
            assertThat(removed.isDone()).isEqualTo(gone);
            assertThat(fixture.device.services).isEmpty();
            fixture.store.release();
            fixture.run();
        }
        CompletableFuture<Void> dropped = port.dropGroup(group);
        CompletableFuture<Void> disabled = port.disable();
        fixture.run();
        assertThat(dropped).isCompleted();
        assertThat(disabled).isCompleted();
        fixture.store.hold = false;
        assertThat(fixture.device.regions).isEmpty();
    }
}
