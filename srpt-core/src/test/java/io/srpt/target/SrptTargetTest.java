package io.srpt.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.verbs.DeviceEventListener;
import io.srpt.verbs.VerbsException;
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
        fixture.device.gid = new io.srpt.verbs.Gid(0, 0xffff_c000_0214L);
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
