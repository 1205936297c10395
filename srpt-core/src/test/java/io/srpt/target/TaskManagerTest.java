package io.srpt.target;

import static io.srpt.target.TargetFixture.TEST_UNIT_READY;
import static io.srpt.target.TargetFixture.read10;
import static io.srpt.target.TargetFixture.sense;
import static io.srpt.target.TargetFixture.write10;
import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.srp.CreditRequest;
import io.srpt.srp.CreditResponse;
import io.srpt.srp.InformationUnitType;
import io.srpt.srp.LoginRequest;
import io.srpt.srp.PortId;
import io.srpt.srp.SrpResponse;
import io.srpt.srp.TaskManagementRequest;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TaskManagerTest {
    private static final long RESET_TAG = 0xffff_ffff_0000_0000L;

    private final TargetFixture fixture = new TargetFixture();
    private final FakePeer peer = fixture.connect();

    @AfterEach
    void leavesNothingBehind() {
        fixture.closeAndCheck();
    }

    private void expectCode(long tag, int code) {
        SrpResponse response = peer.nextResponse();
        assertThat(response.tag()).isEqualTo(tag);
        assertThat(response.flags()).isEqualTo(SrpResponse.RESPONSE_VALID);
        assertThat(response.status()).isZero();
        assertThat(response.responseCode()).isEqualTo(code);
    }

    private void expectCreditsBack() {
        assertThat(peer.wire().sent).isEmpty();
        assertThat(peer.credits).isEqualTo(128);
        assertThat(fixture.counters().commandsInUse.get()).isZero();
    }

    @Test
    void answersALogicalUnitResetByteForByteAsLinuxDoes() {
        peer.sendTaskManagement(0x0100_0080_0000_0000L, TaskManagementRequest.LUN_RESET, 0, RESET_TAG);
        fixture.run();
        assertThat(HexFormat.of().formatHex(peer.wire().sent.element()))
                .isEqualTo("c100000000000001" + "0100008000000000" + "00000100" + "00000000" + "00000000" + "00000000"
                        + "00000004" + "00000000");
        expectCode(0x0100_0080_0000_0000L, 0);
        peer.sendNoData(1, TEST_UNIT_READY);
        fixture.run();
        assertThat(sense(peer.nextResponse())).isEqualTo("6/29/03");
        expectCreditsBack();
    }

    @Test
    void answersEveryFunctionAlsoThoseThatDoNotExist() {
        peer.sendTaskManagement(1, TaskManagementRequest.ABORT_TASK, 0, 4711);
        peer.sendTaskManagement(2, TaskManagementRequest.CLEAR_ACA, 0, 0);
        peer.sendTaskManagement(3, 0x03, 0, 0);
        peer.sendTaskManagement(4, TaskManagementRequest.LUN_RESET, 0x0005_0000_0000_0000L, RESET_TAG);
        peer.sendTaskManagement(5, TaskManagementRequest.ABORT_TASK_SET, 0, 0);
        peer.sendTaskManagement(6, TaskManagementRequest.CLEAR_TASK_SET, 0, 0);
        fixture.run();
        expectCode(1, SrpResponse.RESPONSE_FAILED);
        expectCode(2, SrpResponse.RESPONSE_NOT_SUPPORTED);
        expectCode(3, SrpResponse.RESPONSE_NOT_SUPPORTED);
        expectCode(4, SrpResponse.RESPONSE_FAILED);
        expectCode(5, SrpResponse.RESPONSE_COMPLETE);
        expectCode(6, SrpResponse.RESPONSE_COMPLETE);
        expectCreditsBack();
        assertThat(fixture.counters().taskManagementFailed.get()).isEqualTo(4);
    }

    @Test
    void anAbortedReadSendsNoResponseAndItsCreditComesBack() {
        fixture.store.hold = true;
        peer.sendRead(1, read10(0, 8), 0, 4096);
        fixture.run();
        peer.sendTaskManagement(2, TaskManagementRequest.ABORT_TASK, 0, 1);
        fixture.run();
        expectCode(2, SrpResponse.RESPONSE_COMPLETE);
        assertThat(peer.credits).isEqualTo(127);
        fixture.store.release();
        fixture.run();
        byte[] request = peer.wire().sent.remove();
        assertThat(request[0]).isEqualTo((byte) InformationUnitType.CRED_REQ);
        CreditRequest credits = new CreditRequest().wrap(ByteBuffer.wrap(request), 0);
        peer.credits += credits.requestLimitDelta();
        expectCreditsBack();
        ByteBuffer answer = ByteBuffer.allocate(CreditResponse.LENGTH);
        new CreditResponse().wrap(answer, 0).initialise().tag(credits.tag());
        peer.sendRaw(answer.array());
        fixture.run();
        assertThat(peer.wire().wire).doesNotContain("W4096");
    }

    @Test
    void aCommandWhoseDataIsOnItsWayCanBeAborted() {
        peer.wire().holdSends = true;
        peer.sendWrite(1, write10(0, 8), 0, 4096);
        fixture.run();
        peer.sendTaskManagement(2, TaskManagementRequest.ABORT_TASK, 0, 1);
        fixture.run();
        assertThat(fixture.counters().chunksInUse.get()).isEqualTo(1);
        peer.wire().holdSends = false;
        fixture.run();
        expectCode(2, SrpResponse.RESPONSE_COMPLETE);
        assertThat(fixture.store.writes).isZero();
        assertThat(fixture.counters().chunksInUse.get()).isZero();
        peer.sendNoData(3, TEST_UNIT_READY);
        fixture.run();
        while (!peer.wire().sent.isEmpty()) {
            peer.credits += ByteBuffer.wrap(peer.wire().sent.remove()).getInt(4);
        }
        assertThat(peer.credits).isEqualTo(128);
    }

    @Test
    void anAbortFindsOnlyCommandsOfItsOwnChannel() {
        FakePeer second = fixture.connect(0x81);
        fixture.store.hold = true;
        peer.sendRead(1, read10(0, 8), 0, 4096);
        second.sendTaskManagement(2, TaskManagementRequest.ABORT_TASK, 0, 1);
        fixture.run();
        assertThat(second.nextResponse().responseCode()).isEqualTo(SrpResponse.RESPONSE_FAILED);
        fixture.store.release();
        fixture.run();
        assertThat(peer.nextResponse().tag()).isEqualTo(1);
    }

    @Test
    void aResetEndsCommandsOfAllChannelsAndNexuses() {
        FakePeer second = fixture.connect(0x81);
        FakePeer stranger = fixture.tryLogin(new LoginRequest(0, 8260, 6, 0, 0, new PortId(7, 7), FakePeer.TARGET));
        stranger.establish();
        stranger.sendNoData(0, TEST_UNIT_READY);
        fixture.run();
        stranger.nextResponse();
        fixture.store.hold = true;
        peer.sendWrite(1, write10(0, 8), 0, 4096);
        second.sendRead(1, read10(0, 8), 0, 4096);
        stranger.sendRead(1, read10(0, 8), 0, 4096);
        fixture.run();
        peer.sendTaskManagement(2, TaskManagementRequest.LUN_RESET, 0, RESET_TAG);
        fixture.run();
        expectCode(2, SrpResponse.RESPONSE_COMPLETE);
        fixture.store.release();
        fixture.run();
        SrpResponse aborted = stranger.nextResponse();
        assertThat(aborted.status()).isEqualTo(0x40);
        stranger.sendNoData(3, TEST_UNIT_READY);
        fixture.run();
        assertThat(sense(stranger.nextResponse())).isEqualTo("6/29/03");
        assertThat(Objects.requireNonNull(stranger.response).requestLimitDelta())
                .isEqualTo(stranger.credits);
    }

    @Test
    void abortsAtRandomMomentsEndEachCommandOnce() {
        java.util.Random random = new java.util.Random(99);
        int responses = 0;
        for (int i = 0; i < 2000; i++) {
            fixture.store.hold = random.nextInt(3) == 0;
            peer.wire().holdSends = random.nextInt(3) == 0;
            long tag = 2L * i;
            if (random.nextBoolean()) {
                peer.sendRead(tag, read10(0, 8), 0, 4096);
            } else {
                peer.sendWrite(tag, write10(0, 8), 0, 4096);
            }
            if (random.nextBoolean()) {
                fixture.run();
            }
            peer.sendTaskManagement(tag + 1, TaskManagementRequest.ABORT_TASK, 0, tag);
            if (random.nextBoolean()) {
                fixture.run();
            }
            peer.wire().holdSends = false;
            fixture.store.release();
            fixture.run();
            fixture.store.release();
            fixture.run();
            boolean answered = false;
            boolean ended = false;
            while (!peer.wire().sent.isEmpty()) {
                byte[] bytes = peer.wire().sent.remove();
                ByteBuffer unit = ByteBuffer.wrap(bytes);
                peer.credits += unit.getInt(4);
                if (bytes[0] == (byte) InformationUnitType.CRED_REQ) {
                    ByteBuffer answer = ByteBuffer.allocate(CreditResponse.LENGTH);
                    new CreditResponse().wrap(answer, 0).initialise();
                    peer.sendRaw(answer.array());
                } else if (unit.getLong(8) == tag + 1) {
                    assertThat(answered).isFalse();
                    answered = true;
                } else {
                    assertThat(answered)
                            .as("no response of the command after that of the function")
                            .isFalse();
                    assertThat(ended).isFalse();
                    ended = true;
                    responses++;
                }
                fixture.run();
            }
            assertThat(answered).isTrue();
            assertThat(peer.credits).isEqualTo(128);
        }
        assertThat(responses).isBetween(1, 1999);
        expectCreditsBack();
    }
}
