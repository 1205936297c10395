package io.srpt.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.roce.cm.CmMads;
import io.srpt.srp.LoginRequest;
import io.srpt.verbs.VerbsException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Cables that are pulled and addresses that go, while initiators are logged in. */
class WireLifeTest {
    private final WireTarget target;

    WireLifeTest() throws VerbsException {
        target = new WireTarget();
    }

    @AfterEach
    void leavesNothingBehind() {
        target.closeAndCheck();
    }

    private WireInitiator logIn() {
        return target.initiator().logIn(WireTarget.login(LoginRequest.IMMEDIATE_DATA));
    }

    /** Nothing is under way, so nothing but the target's own look finds out. */
    @Test
    @Tag("pitfall-99")
    void aPulledCableFreesAnIdleChannelWithinFiveMinutes() {
        WireInitiator peer = logIn();
        target.network.cut(true);
        target.pass(Duration.ofMinutes(5));
        assertThat(target.channels()).isZero();
        assertThat(target.port.counters().nexusesInUse.get()).isZero();
        assertThat(target.port.counters().transportErrors.get()).isEqualTo(1);
        target.network.cut(false);
        target.pass(Duration.ofMinutes(1));
        peer.id++;
        peer.queuePair++;
        peer.logIn(WireTarget.login(0));
        peer.disconnect();
    }

    @Test
    @Tag("pitfall-99")
    void anIdleChannelStaysAsLongAsItsInitiatorIsThere() {
        WireInitiator peer = logIn();
        target.pass(Duration.ofMinutes(30));
        assertThat(target.channels()).isEqualTo(1);
        assertThat(target.device.counters().retransmits().get()).isZero();
        peer.sendNoData(1, TargetFixture.TEST_UNIT_READY);
        target.settle();
        assertThat(peer.nextResponse().tag()).isEqualTo(1);
        peer.disconnect();
    }

    @Test
    @Tag("pitfall-98")
    void anAddressThatGoesUnderLoadAndComesBackServesItsOldAndItsNewConnections() throws VerbsException {
        WireInitiator peer = logIn();
        target.store.hold = true;
        for (int i = 0; i < 20; i++) {
            peer.sendRead(i, TargetFixture.read10(0, 8), 0, 4096);
        }
        target.settle();
        assertThat(target.device.detach(WireTarget.IPV6)).isTrue();
        target.store.hold = false;
        target.store.release();
        target.pass(Duration.ofSeconds(1));
        assertThat(peer.units).isEmpty();
        target.device.attach(target.network.newPort(WireTarget.IPV6, target.loop));
        target.pass(Duration.ofSeconds(5));
        assertThat(peer.units).as("sent again").hasSize(20);
        peer.disconnect();
        assertThat(target.device.detach(WireTarget.IPV6)).isTrue();
        target.device.attach(target.network.newPort(WireTarget.IPV6, target.loop));
        logIn().disconnect();
    }

    @Test
    @Tag("pitfall-98")
    void anAddressThatStaysAwayCostsItsChannels() throws VerbsException {
        WireInitiator peer = logIn();
        WireInitiator other = target.ipv4Initiator().logIn(WireTarget.login(1));
        assertThat(target.device.detach(WireTarget.IPV6)).isTrue();
        peer.sendNoData(1, TargetFixture.TEST_UNIT_READY);
        target.pass(Duration.ofMinutes(5));
        assertThat(target.channels()).as("that of the other address").isEqualTo(1);
        other.sendNoData(1, TargetFixture.TEST_UNIT_READY);
        target.settle();
        assertThat(other.nextResponse().tag()).isEqualTo(1);
        other.disconnect();
        assertThat(other.mads(CmMads.DREP)).hasSize(1);
        target.device.attach(target.network.newPort(WireTarget.IPV6, target.loop));
    }
}
