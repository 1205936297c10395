package io.srpt.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.srp.LoginRejectReason;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A login that fails at any place leaves nothing behind. */
class LoginFailureTest {
    private TargetFixture fixture = new TargetFixture();

    @AfterEach
    void leavesNothingBehind() {
        fixture.device.failFrom = Integer.MAX_VALUE;
        fixture.closeAndCheck();
    }

    /** Each allocation in turn, and the moves of the queue pair, after which a session exists. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("pitfall-105")
    @Tag("pitfall-106")
    void whateverFailsUnwindsExactly(boolean sharedReceives) {
        fixture.closeAndCheck();
        fixture = new TargetFixture(
                TargetFixture.config().sharedReceives(sharedReceives).build());
        int regions = fixture.device.regions.size();
        int failures = 0;
        FakePeer peer;
        do {
            fixture.device.allocations = 0;
            fixture.device.failFrom = failures++;
            peer = fixture.tryLogin(FakePeer.login(1));
            if (peer.response == null) {
                assertThat(Objects.requireNonNull(peer.reject).reason())
                        .isEqualTo(LoginRejectReason.INSUFFICIENT_CHANNEL_RESOURCES);
                assertThat(fixture.counters().channelsInUse.get()).isZero();
                assertThat(fixture.counters().nexusesInUse.get()).isZero();
                assertThat(fixture.counters().creditsInUse.get()).isZero();
                assertThat(fixture.device.queuePairs).isZero();
                assertThat(fixture.device.completionQueues).isZero();
                assertThat(fixture.port.channels()).isEmpty();
                assertThat(fixture.device.regions.size() - regions)
                        .as("regions that are kept for the next channel")
                        .isLessThanOrEqualTo(2);
            }
        } while (peer.response == null);
        // Two regions, completion queue, queue pair and its two moves; shared receives make one region less.
        assertThat(failures).as("allocations, at least").isGreaterThan(4);
        peer.establish();
        peer.sendNoData(1, TargetFixture.TEST_UNIT_READY);
        fixture.run();
        assertThat(peer.nextResponse().tag()).isEqualTo(1);
    }
}
