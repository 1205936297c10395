package io.srpt.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.srp.LoginRequest;
import io.srpt.srp.PortId;
import io.srpt.verbs.DeviceEventListener;
import io.srpt.verbs.Gid;
import io.srpt.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SrptTargetTest {
    private final TargetFixture fixture = new TargetFixture();

    @Test
    void namesItsPortAfterTheFirstGid() {
        assertThat(fixture.port.name()).isEqualTo("fake0/1");
        assertThat(fixture.port.guidName()).isEqualTo("5054:00ff:fe5a:0114");
        assertThat(fixture.port.gidName()).isEqualTo("0xfe80000000000000505400fffe5a0114");
        fixture.device.gid = new Gid(0, 0xffff_c000_0214L);
        for (DeviceEventListener listener : List.copyOf(fixture.device.listeners)) {
            listener.onDeviceEvent(fixture.device, DeviceEventListener.Event.PORT_ERROR, 1);
            listener.onDeviceEvent(fixture.device, DeviceEventListener.Event.GID_CHANGE, 2);
            assertThat(fixture.port.guidName()).isEqualTo("5054:00ff:fe5a:0114");
            listener.onDeviceEvent(fixture.device, DeviceEventListener.Event.GID_CHANGE, 1);
        }
        assertThat(fixture.port.guidName()).isEqualTo("0000:ffff:c000:0214");
        fixture.closeAndCheck();
    }

    @Test
    void aPortEventClosesNoChannel() {
        FakePeer peer = fixture.connect();
        fixture.device.listeners.forEach(
                listener -> listener.onDeviceEvent(fixture.device, DeviceEventListener.Event.PORT_ERROR, 1));
        peer.sendNoData(1, TargetFixture.TEST_UNIT_READY);
        fixture.run();
        assertThat(peer.nextResponse().status()).isZero();
        fixture.closeAndCheck();
    }

    @Test
    void aPortThatCannotListenIsNotAdded() {
        CompletableFuture<SrptPort> second = fixture.target.addPort(fixture.device);
        fixture.run();
        assertThat(second)
                .failsWithin(java.time.Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(VerbsException.class);
        assertThat(fixture.target.ports()).containsExactly(fixture.port);
        fixture.closeAndCheck();
    }

    @Test
    void aDeviceThatIsTakenAwayUnderAHundredChannelsLeavesNothingAndOthersGoOn() {
        FakePeer stays = fixture.connect();
        FakeRdma device = new FakeRdma(fixture.device.loop);
        SrptPort port = fixture.addPort(device);
        fixture.store.hold = true;
        List<FakePeer> peers = new ArrayList<>();
        for (int i = 1; i <= 100; i++) {
            PortId initiator = new PortId(0, i);
            FakePeer peer = new FakePeer(device, new LoginRequest(0, 8260, 6, 0, 0, initiator, FakePeer.TARGET));
            peer.request(TargetFixture.RDMA_CM_SERVICE);
            fixture.run();
            peer.establish();
            peer.sendNoData(1, TargetFixture.TEST_UNIT_READY);
            peer.sendRead(2, TargetFixture.read10(0, 1), 0, 512);
            peers.add(peer);
        }
        fixture.run();
        assertThat(port.counters().channelsInUse.get()).isEqualTo(100);
        assertThat(fixture.store.reads).as("in hand").isEqualTo(100);

        CompletableFuture<Void> removed = fixture.target.removePort(port);
        fixture.run();
        assertThat(removed).isNotDone();
        fixture.store.hold = false;
        fixture.store.release();
        fixture.run();

        assertThat(removed).isCompleted();
        assertThat(peers).allMatch(peer -> peer.disconnects == 1);
        TargetFixture.assertHoldsNothing(device);
        assertThat(port.counters().commandsInUse.get()).isZero();
        assertThat(fixture.target.ports()).containsExactly(fixture.port);
        stays.sendNoData(1, TargetFixture.TEST_UNIT_READY);
        fixture.run();
        assertThat(stays.nextResponse().status()).isZero();
        fixture.closeAndCheck();
    }

    @Test
    void devicesThatComeAndGoLeaveNothing() {
        FakeRdma device = new FakeRdma(fixture.device.loop);
        device.gid = new Gid(0, 0xffff_c000_0214L);
        for (int i = 0; i < 1000; i++) {
            SrptPort port = fixture.addPort(device);
            assertThat(fixture.target.port(port.gidName())).contains(port);
            CompletableFuture<Void> removed = fixture.target.removePort(port);
            fixture.run();
            assertThat(removed).isCompleted();
            TargetFixture.assertHoldsNothing(device);
        }
        assertThat(fixture.target.ports()).containsExactly(fixture.port);
        fixture.closeAndCheck();
    }

    @Test
    void portsOfAnotherLoopAreRefused() {
        FakeRdma other = new FakeRdma();
        assertThatThrownBy(() -> fixture.target.addPort(other)).isInstanceOf(IllegalArgumentException.class);
        fixture.closeAndCheck();
    }

    @Test
    void closingTwiceIsHarmless() {
        fixture.connect();
        fixture.closeAndCheck();
        CompletableFuture<Void> again = fixture.target.close();
        fixture.run();
        assertThat(again).isCompleted();
    }

    @Test
    void aConfigurationOutOfRangeNamesTheValue() {
        assertThatThrownBy(() -> TargetFixture.config().maxRequestLength(995).build())
                .hasMessageContaining("maxRequestLength 995");
        assertThat(TargetFixture.config().maxRequestLength(996).build().maxRequestLength())
                .isEqualTo(996);
        assertThatThrownBy(() -> TargetConfig.builder(0).build()).hasMessageContaining("serviceGuid");
        assertThatThrownBy(() -> TargetConfig.builder(1).ibCm(false).build()).hasMessageContaining("rdmaCmPort");
        assertThatThrownBy(() -> TargetFixture.config().maxResponseLength(39).build())
                .hasMessageContaining("maxResponseLength");
    }
}
