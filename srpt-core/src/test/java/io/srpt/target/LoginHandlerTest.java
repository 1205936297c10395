package io.srpt.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.srp.LoginRejectReason;
import io.srpt.srp.LoginRequest;
import io.srpt.srp.LoginResponse;
import io.srpt.srp.PortId;
import io.srpt.verbs.RejectReason;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LoginHandlerTest {
    private TargetFixture fixture = new TargetFixture();

    @AfterEach
    void leavesNothingBehind() {
        fixture.closeAndCheck();
    }

    private static LoginRequest login(long length, int flags, int offset, PortId target) {
        return new LoginRequest(0x1122_3344_5566_7788L, length, 6, flags, offset, FakePeer.INITIATOR, target);
    }

    private LoginRejectReason reasonFor(LoginRequest login) {
        FakePeer peer = fixture.tryLogin(login);
        assertThat(peer.rejectReason).isEqualTo(RejectReason.CONSUMER);
        assertThat(Objects.requireNonNull(peer.reject).tag()).isEqualTo(login.tag());
        assertThat(peer.reject.bufferFormats()).isEqualTo(6);
        return peer.reject.reason();
    }

    @Test
    void answersALoginAsLinuxDoes() {
        FakePeer peer = fixture.tryLogin(login(8260, 0x80, 68, FakePeer.TARGET));
        assertThat(peer.response).isEqualTo(new LoginResponse(0x1122_3344_5566_7788L, 128, 8276, 8260, 6, 0x90));
        assertThat(peer.grantedReads).isEqualTo(4);
        assertThat(peer.wire().postedReceives()).isGreaterThan(128);
        assertThat(peer.wire().sent).isEmpty();
        peer.establish();
        fixture.run();
        assertThat(peer.wire().wire)
                .as("nothing is sent before the first command")
                .isEmpty();
        assertThat(fixture.port.channels()).singleElement().satisfies(channel -> {
            assertThat(channel.state()).isEqualTo(ChannelState.LIVE);
            assertThat(channel.immediateData()).isTrue();
            assertThat(channel.initiatorPort()).isEqualTo(FakePeer.INITIATOR);
        });
        assertThat(fixture.events).containsExactly("login");
    }

    @Test
    @Tag("pitfall-1")
    void checksInTheDocumentedOrder() {
        PortId wrong = new PortId(1, FakePeer.GUID);
        fixture.allowed = false;
        fixture.device.refuseQueuePairs = true;
        fixture.port.disable();
        fixture.run();
        assertThat(reasonFor(login(63, 0, 0, wrong))).isEqualTo(LoginRejectReason.REQUESTED_LENGTH_TOO_LARGE);
        assertThat(reasonFor(login(8277, 0, 0, wrong))).isEqualTo(LoginRejectReason.REQUESTED_LENGTH_TOO_LARGE);
        assertThat(reasonFor(login(0xFFFF_FFFFL, 0, 0, wrong))).isEqualTo(LoginRejectReason.REQUESTED_LENGTH_TOO_LARGE);
        assertThat(reasonFor(login(64, 0, 0, wrong))).isEqualTo(LoginRejectReason.INSUFFICIENT_CHANNEL_RESOURCES);
        fixture.port.enable();
        fixture.run();
        assertThat(reasonFor(login(8276, 0, 0, wrong))).isEqualTo(LoginRejectReason.UNABLE_TO_ASSOCIATE_NEXUS);
        assertThat(reasonFor(login(8276, 0, 0, FakePeer.TARGET)))
                .isEqualTo(LoginRejectReason.INSUFFICIENT_CHANNEL_RESOURCES);
        fixture.device.refuseQueuePairs = false;
        assertThat(reasonFor(login(8276, 0, 0, FakePeer.TARGET))).isEqualTo(LoginRejectReason.CHANNEL_LIMIT_REACHED);
        fixture.allowed = true;
        assertThat(fixture.tryLogin(login(8276, 0, 0, FakePeer.TARGET)).response)
                .isNotNull();
        assertThat(fixture.counters()
                        .loginsRejected(LoginRejectReason.REQUESTED_LENGTH_TOO_LARGE)
                        .get())
                .isEqualTo(3);
        assertThat(fixture.counters().loginsAccepted.get()).isEqualTo(1);
    }

    @Test
    void refusesWhenMemoryCannotBeRegistered() {
        fixture.device.refuseRegions = true;
        assertThat(reasonFor(FakePeer.login(0))).isEqualTo(LoginRejectReason.INSUFFICIENT_CHANNEL_RESOURCES);
        fixture.device.refuseRegions = false;
        FakePeer withoutReads = new FakePeer(fixture.device, FakePeer.login(0));
        withoutReads.responderResources = 0;
        withoutReads.request(TargetFixture.RDMA_CM_SERVICE);
        assertThat(Objects.requireNonNull(withoutReads.reject).reason())
                .isEqualTo(LoginRejectReason.INSUFFICIENT_CHANNEL_RESOURCES);
    }

    @Test
    @Tag("pitfall-15")
    void anAllZeroLoginIsTooShort() {
        assertThat(reasonFor(new LoginRequest(0, 0, 0, 0, 0, new PortId(0, 0), new PortId(0, 0))))
                .isEqualTo(LoginRejectReason.REQUESTED_LENGTH_TOO_LARGE);
    }

    @Test
    void aSingleLoginEndsTheOthersOfItsNexus() {
        FakePeer first = fixture.connect();
        FakePeer other = fixture.tryLogin(new LoginRequest(0, 8260, 6, 0, 0, new PortId(9, 9), FakePeer.TARGET));
        FakePeer second = fixture.connect();
        assertThat(Objects.requireNonNull(second.response).multichannelResult())
                .isEqualTo(LoginResponse.MULTICHANNEL_TERMINATED);
        assertThat(first.disconnects).isEqualTo(1);
        assertThat(first.closed).isTrue();
        assertThat(other.disconnects).isZero();
        assertThat(fixture.counters().channelsInUse.get()).isEqualTo(2);
        assertThat(fixture.events).contains("released REPLACED");
    }

    @Test
    void aMultichannelLoginKeepsTheOthers() {
        FakePeer first = fixture.tryLogin(FakePeer.login(0x81));
        assertThat(Objects.requireNonNull(first.response).multichannelResult())
                .isEqualTo(LoginResponse.MULTICHANNEL_NONE);
        FakePeer second = fixture.tryLogin(FakePeer.login(0x81));
        assertThat(Objects.requireNonNull(second.response).multichannelResult())
                .isEqualTo(LoginResponse.MULTICHANNEL_MAINTAINED);
        assertThat(first.disconnects).isZero();
        assertThat(fixture.counters().nexusesInUse.get()).isEqualTo(1);
    }

    @Test
    void immediateDataNeedsAnOffsetBehindTheHeader() {
        assertThat(Objects.requireNonNull(fixture.tryLogin(login(8260, 0x81, 47, FakePeer.TARGET)).response)
                        .acceptsImmediateData())
                .isFalse();
        assertThat(Objects.requireNonNull(fixture.tryLogin(login(8260, 0x81, 48, FakePeer.TARGET)).response)
                        .acceptsImmediateData())
                .isTrue();
        assertThat(Objects.requireNonNull(fixture.tryLogin(login(8260, 0x81, 8276, FakePeer.TARGET)).response)
                        .acceptsImmediateData())
                .isFalse();
        assertThat(Objects.requireNonNull(fixture.tryLogin(login(8260, 0x01, 68, FakePeer.TARGET)).response)
                        .acceptsImmediateData())
                .isFalse();
    }

    @Test
    void listensOnBothServiceIdsAndLimitsChannels() {
        fixture.closeAndCheck();
        fixture = new TargetFixture(TargetFixture.config().maxChannels(2).build());
        assertThat(fixture.device.services).containsOnlyKeys(TargetFixture.RDMA_CM_SERVICE, FakePeer.GUID);
        fixture.tryLogin(FakePeer.login(1));
        fixture.tryLogin(FakePeer.login(1));
        assertThat(reasonFor(FakePeer.login(1))).isEqualTo(LoginRejectReason.CHANNEL_LIMIT_REACHED);
        assertThat(fixture.counters().channelsInUse.get()).isEqualTo(2);
    }

    @Test
    void listenersAndAccessControlsThatThrowAreIsolated() {
        fixture.closeAndCheck();
        fixture = new TargetFixture();
        fixture.failing = true;
        assertThat(reasonFor(FakePeer.login(0))).isEqualTo(LoginRejectReason.CHANNEL_LIMIT_REACHED);
        assertThat(fixture.counters().handlerErrors.get()).isEqualTo(2);
        fixture.failing = false;
        assertThat(fixture.tryLogin(FakePeer.login(0)).response).isNotNull();
    }

    @Test
    @Tag("pitfall-94")
    void refusedLoginsLeaveNothingBehind() {
        fixture.allowed = false;
        int regions = -1;
        for (int i = 0; i < 1000; i++) {
            fixture.tryLogin(new LoginRequest(0, 8260, 6, 0, 0, new PortId(i, i), FakePeer.TARGET));
            if (i == 0) {
                regions = fixture.device.regions.size();
            }
        }
        assertThat(fixture.device.regions).hasSize(regions);
        fixture.assertNothingInUse();
    }

    @Test
    @Tag("pitfall-6")
    void quickReloginsLeaveExactlyOneChannel() {
        for (int i = 0; i < 1000; i++) {
            FakePeer peer = new FakePeer(fixture.device, FakePeer.login(0)).request(TargetFixture.RDMA_CM_SERVICE);
            if (i % 3 == 0) {
                peer.establish();
            }
            if (i % 5 == 0) {
                fixture.run();
            }
        }
        fixture.run();
        assertThat(fixture.counters().channelsInUse.get()).isEqualTo(1);
        assertThat(fixture.device.queuePairs).isEqualTo(1);
    }
}
