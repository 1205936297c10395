package io.srpt.target;

import static io.srpt.target.TargetFixture.TEST_UNIT_READY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The attributes of a port that can change while it runs, with the ranges of the Linux driver. */
class ChannelAttributesTest {
    private TargetFixture fixture = new TargetFixture();

    @AfterEach
    void leavesNothingBehind() {
        fixture.closeAndCheck();
    }

    @Test
    void rangesAndDefaultsAreThoseOfTheDriver() {
        ChannelAttributes defaults = ChannelAttributes.DEFAULT;
        assertThat(defaults.maxRdmaLength()).isEqualTo(65536);
        assertThat(defaults.maxResponseLength()).isEqualTo(256);
        assertThat(defaults.sharedReceives()).isFalse();
        assertThatThrownBy(() -> defaults.withMaxRdmaLength(65535)).hasMessageContaining("maxRdmaLength 65535");
        assertThatThrownBy(() -> defaults.withMaxRdmaLength((1 << 24) + 1)).hasMessageContaining("65536 to 16777216");
        assertThatThrownBy(() -> defaults.withMaxResponseLength(39)).hasMessageContaining("40 to 1024");
        assertThatThrownBy(() -> defaults.withMaxResponseLength(1025)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> defaults.withSendQueueSize(15)).hasMessageContaining("16 to 65535");
        assertThatThrownBy(() -> defaults.withSendQueueSize(65536)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(
                        () -> TargetFixture.config().sharedReceiveQueueSize(3).build())
                .hasMessageContaining("sharedReceiveQueueSize 3");
        assertThat(TargetFixture.config().build().sharedReceiveQueueSize()).isEqualTo(4095);
    }

    @Test
    void laterLoginsHaveWhatWasChangedAndChannelsKeepWhatTheyHave() {
        FakePeer before = fixture.connect(1);
        fixture.port.attributes(
                fixture.port.attributes().withMaxResponseLength(40).withSendQueueSize(16));
        fixture.run();
        assertThat(fixture.port.attributes().maxResponseLength()).isEqualTo(40);
        FakePeer after = fixture.connect(1);
        assertThat(before.wire().freeSendSlots()).isEqualTo(2048);
        assertThat(after.wire().freeSendSlots()).isEqualTo(16);
        for (FakePeer peer : new FakePeer[] {before, after}) {
            peer.sendNoData(1, "ff 00 00 00 00 00");
            fixture.run();
        }
        assertThat(before.wire().sent.remove()).hasSize(36 + 18);
        assertThat(after.wire().sent.remove()).hasSize(40);
        before.hangUp();
        after.hangUp();
        fixture.run();
        fixture.assertNothingInUse();
    }

    @Test
    void buffersOfAnotherSizeAreNotUsedAgain() {
        fixture.connect().hangUp();
        fixture.run();
        int regions = fixture.device.regions.size();
        fixture.port.attributes(fixture.port.attributes().withMaxResponseLength(1024));
        fixture.run();
        assertThat(fixture.device.regions).hasSizeLessThan(regions);
        FakePeer peer = fixture.connect();
        peer.hangUp();
        fixture.run();
        assertThat(fixture.device.regions).hasSize(regions);
    }

    /** Function srpt_create_ch_ib. */
    @Test
    void aDeviceThatRefusesTheSendQueueIsAskedForHalfOfItDownToSixteen() {
        fixture.device.mostSends = 100;
        FakePeer peer = fixture.connect();
        assertThat(peer.wire().freeSendSlots()).isEqualTo(64);
        peer.sendNoData(1, TEST_UNIT_READY);
        fixture.run();
        assertThat(peer.nextResponse().tag()).isEqualTo(1);
        fixture.device.mostSends = 16;
        assertThat(fixture.connect().wire().freeSendSlots()).isEqualTo(16);
        fixture.device.mostSends = 15;
        assertThat(Objects.requireNonNull(fixture.tryLogin(FakePeer.login(1)).reject)
                        .reason())
                .isEqualTo(io.srpt.srp.LoginRejectReason.INSUFFICIENT_CHANNEL_RESOURCES);
        assertThat(fixture.device.completionQueues).isEqualTo(1);
    }
}
