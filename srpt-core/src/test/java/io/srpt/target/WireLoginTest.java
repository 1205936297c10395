package io.srpt.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.roce.cm.CmMads;
import io.srpt.srp.LoginRejectReason;
import io.srpt.srp.LoginRequest;
import io.srpt.srp.SrpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Logins on the wire, packet by packet: what the whole target answers to a peer that can send anything. */
class WireLoginTest {
    private final WireTarget target;

    WireLoginTest() throws Exception {
        target = new WireTarget();
    }

    @AfterEach
    void leavesNothingBehind() {
        target.closeAndCheck();
    }

    private static int rejectReason(byte[] rej) {
        assertThat(CmMads.rejReason(rej)).as("consumer").isEqualTo(28);
        assertThat(rej[CmMads.REJ_DATA]).as("SRP_LOGIN_REJ").isEqualTo((byte) 0xC2);
        return ByteBuffer.wrap(rej).getInt(CmMads.REJ_DATA + 4);
    }

    @Test
    @Tag("pitfall-4")
    void whoIsNotAdmittedHearsSoAtOnce() {
        target.allowed = false;
        WireInitiator stranger = target.initiator();
        stranger.sendMad(CmMads.req(stranger.request(
                TargetFixture.RDMA_CM_SERVICE, WireTarget.login(0).encode(true))));
        target.pass(Duration.ofMillis(100));
        assertThat(CmMads.REJ_DATA - 24).isEqualTo(84);
        assertThat(rejectReason(stranger.lastMad(CmMads.REJ)))
                .isEqualTo(LoginRejectReason.CHANNEL_LIMIT_REACHED.code())
                .isEqualTo(0x00010006);
        assertThat(stranger.mads).hasSize(1);
    }

    @Test
    @Tag("pitfall-15")
    void privateDataOfZerosIsALoginThatIsTooShort() {
        WireInitiator peer = target.initiator();
        peer.sendMad(CmMads.req(peer.request(TargetFixture.RDMA_CM_SERVICE, new byte[0])));
        target.settle();
        assertThat(rejectReason(peer.lastMad(CmMads.REJ))).isEqualTo(0x00010002);
    }

    @Test
    @Tag("pitfall-8")
    void theSameRequestManyTimesMakesOneChannel() {
        WireInitiator peer = target.initiator();
        byte[] req = CmMads.req(
                peer.request(TargetFixture.RDMA_CM_SERVICE, WireTarget.login(0).encode(true)));
        for (int i = 0; i < 5; i++) {
            peer.sendMad(req);
            target.pass(Duration.ofMillis(400));
        }
        target.pass(Duration.ofSeconds(3));
        List<byte[]> reps = peer.mads(CmMads.REP);
        assertThat(reps).as("repeated by the timer only").hasSize(2);
        assertThat(reps.get(1)).isEqualTo(reps.get(0));
        assertThat(target.channels()).isEqualTo(1);
        peer.takeRep();
        peer.disconnect();
    }

    @Test
    @Tag("pitfall-48")
    void eachAddressAnswersForItself() {
        for (WireInitiator peer : List.of(target.initiator(), target.ipv4Initiator())) {
            peer.logIn(WireTarget.login(1));
            peer.sendRead(1, TargetFixture.read10(0, 8), 0, 4096);
            target.settle();
            assertThat(peer.nextResponse().tag()).isEqualTo(1);
            peer.disconnect();
            assertThat(peer.mads(CmMads.DREP)).hasSize(1);
        }
    }

    @Test
    @Tag("pitfall-11")
    @Tag("pitfall-10")
    void commandsComeBeforeRtuAndAreServedInOrder() {
        WireInitiator peer = target.initiator().ask(WireTarget.login(LoginRequest.IMMEDIATE_DATA));
        peer.takeRep();
        for (int i = 0; i < 10; i++) {
            peer.sendImmediate(i, TargetFixture.write10(0, 1), filled(i));
        }
        peer.sendMad(CmMads.answer(CmMads.RTU, peer.id, peer.peerId));
        for (int i = 10; i < 20; i++) {
            peer.sendImmediate(i, TargetFixture.write10(0, 1), filled(i));
        }
        target.pass(Duration.ofMillis(100));
        for (int i = 0; i < 20; i++) {
            assertThat(peer.nextResponse().tag()).isEqualTo(i);
        }
        assertThat(target.store.bytes.get(511)).isEqualTo((byte) 19);
        target.pass(Duration.ofSeconds(20));
        assertThat(peer.mads(CmMads.REP)).as("the first command confirmed it").hasSize(1);
        peer.disconnect();
    }

    @Test
    @Tag("pitfall-10")
    void theFirstCommandStandsForAnRtuThatIsLost() {
        WireInitiator peer = target.initiator().ask(WireTarget.login(0));
        peer.takeRep();
        peer.sendNoData(1, TargetFixture.TEST_UNIT_READY);
        target.settle();
        assertThat(peer.nextResponse().tag()).isEqualTo(1);
        target.pass(Duration.ofSeconds(90));
        assertThat(peer.mads(CmMads.REP)).hasSize(1);
        assertThat(target.channels()).isEqualTo(1);
        peer.disconnect();
    }

    private static byte[] filled(int value) {
        byte[] data = new byte[512];
        Arrays.fill(data, (byte) value);
        return data;
    }

    @Test
    @Tag("pitfall-13")
    void aCableThatBreaksBeforeRtuCostsTheRetriesOfRep() {
        WireInitiator peer = target.initiator();
        peer.sendMad(CmMads.req(
                peer.request(TargetFixture.RDMA_CM_SERVICE, WireTarget.login(0).encode(true))));
        target.settle();
        target.network.cut(true);
        target.pass(Duration.ofMillis(15 * 4096));
        assertThat(target.channels()).isEqualTo(1);
        target.pass(Duration.ofMillis(2 * 4096));
        assertThat(target.channels()).isZero();
        assertThat(target.port.counters().nexusesInUse.get()).isZero();
    }

    @Test
    @Tag("pitfall-14")
    void aRejectionOfRepFreesTheChannelAtOnce() {
        WireInitiator peer = target.initiator().ask(WireTarget.login(0));
        peer.takeRep();
        peer.sendMad(CmMads.rej(peer.id, peer.peerId, 28));
        target.pass(Duration.ofSeconds(1));
        assertThat(target.channels()).isZero();
    }

    @Test
    @Tag("pitfall-9")
    @Tag("pitfall-49")
    void latePacketsOfAnOldConnectionNeverReachTheNextOne() {
        WireInitiator peer = target.initiator().logIn(WireTarget.login(LoginRequest.IMMEDIATE_DATA));
        int oldQueuePair = peer.peerQueuePair;
        int oldPsn = peer.nextPsn();
        // It died and is there again, with the same queue pair number and another id: stale, then accepted.
        peer.id++;
        peer.ask(WireTarget.login(LoginRequest.IMMEDIATE_DATA));
        assertThat(CmMads.rejReason(peer.lastMad(CmMads.REJ))).isEqualTo(10);
        peer.sendMad(CmMads.answer(CmMads.DREP, 0x100, peer.peerId));
        target.pass(Duration.ofSeconds(30));
        assertThat(target.channels()).isZero();
        peer.logIn(WireTarget.login(LoginRequest.IMMEDIATE_DATA));
        assertThat(peer.peerQueuePair).isNotEqualTo(oldQueuePair);
        int ours = peer.peerQueuePair;
        peer.peerQueuePair = oldQueuePair;
        peer.startCommand(66, TargetFixture.write10(0, 1));
        for (int i = 0; i < 10; i++) {
            peer.transmit(peer.packet(io.srpt.roce.packet.Opcode.RC_SEND_ONLY, oldPsn + i, new byte[48], true));
        }
        peer.peerQueuePair = ours;
        target.settle();
        assertThat(peer.packets).as("nobody answers").isEmpty();
        peer.sendNoData(1, TargetFixture.TEST_UNIT_READY);
        target.settle();
        SrpResponse response = peer.nextResponse();
        assertThat(response.tag()).isEqualTo(1);
        assertThat(peer.units).isEmpty();
        peer.disconnect();
    }

    @Test
    @Tag("pitfall-6")
    void quickLoginsOfOneInitiatorEndEachOlderChannelOnce() {
        WireInitiator peer = target.initiator();
        int logins = 100;
        for (int i = 0; i < logins; i++) {
            peer.id = 0x100 + i;
            peer.queuePair = 0x200 + i;
            peer.ask(WireTarget.login(0));
            peer.takeRep();
            peer.sendMad(CmMads.answer(CmMads.RTU, peer.id, peer.peerId));
            target.settle();
        }
        assertThat(target.channels()).isEqualTo(1);
        assertThat(peer.mads(CmMads.DREQ).stream().map(CmMads::remoteId))
                .as("each older one is disconnected, once")
                .containsExactlyElementsOf(java.util.stream.IntStream.range(0x100, 0x100 + logins - 1)
                        .boxed()
                        .toList());
        for (byte[] dreq : peer.mads(CmMads.DREQ)) {
            peer.sendMad(CmMads.answer(CmMads.DREP, CmMads.remoteId(dreq), CmMads.localId(dreq)));
        }
        peer.disconnect();
    }
}
