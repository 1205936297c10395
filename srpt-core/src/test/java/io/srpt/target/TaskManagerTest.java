package io.srpt.target;

import static io.srpt.target.TargetFixture.TEST_UNIT_READY;
import static io.srpt.target.TargetFixture.read10;
import static io.srpt.target.TargetFixture.sense;
import static io.srpt.target.TargetFixture.write10;
import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.TestProfile;
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
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
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
    @Tag("pitfall-80")
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

    /** A late response would be taken for that of another command. */
    @Test
    @Tag("pitfall-81")
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

    /** The answer does not wait for the store, and what comes later is not overtaken by the late write. */
    @Test
    @Tag("pitfall-81")
    @Tag("pitfall-82")
    void anAbortedWriteIsAnsweredAtOnceAndLaterCommandsWaitForIt() {
        FakePeer stranger = stranger();
        fixture.store.hold = true;
        peer.wire().peerMemory.put(0, (byte) 1);
        peer.sendWrite(1, write10(0, 8), 0, 4096);
        fixture.run();
        peer.sendTaskManagement(2, TaskManagementRequest.ABORT_TASK, 0, 1);
        fixture.run();
        expectCode(2, SrpResponse.RESPONSE_COMPLETE);
        fixture.store.hold = false;
        stranger.wire().peerMemory.put(0, (byte) 2);
        stranger.sendWrite(3, write10(0, 1), 0, 512);
        stranger.sendWrite(4, write10(8, 1), 0, 512);
        fixture.run();
        assertThat(stranger.nextResponse().tag()).isEqualTo(4);
        assertThat(stranger.wire().sent).isEmpty();
        fixture.store.release();
        fixture.run();
        assertThat(stranger.nextResponse().tag()).isEqualTo(3);
        assertThat(fixture.store.bytes.get(0)).isEqualTo((byte) 2);
        peer.answerRequest(InformationUnitType.CRED_REQ);
        fixture.run();
        expectCreditsBack();
    }

    @Test
    @Tag("pitfall-82")
    void functionsAreAnsweredAtOnceHoweverLongTheStoreTakes() {
        fixture.store.hold = true;
        for (int i = 0; i < 60; i++) {
            peer.sendWrite(i, write10(i * 8, 8), 0, 4096);
        }
        fixture.run();
        for (int i = 0; i < 20; i++) {
            peer.sendTaskManagement(100 + i, TaskManagementRequest.ABORT_TASK, 0, i);
            fixture.run();
            expectCode(100 + i, SrpResponse.RESPONSE_COMPLETE);
        }
        peer.sendTaskManagement(200, TaskManagementRequest.ABORT_TASK_SET, 0, 0);
        fixture.run();
        expectCode(200, SrpResponse.RESPONSE_COMPLETE);
        peer.sendTaskManagement(201, TaskManagementRequest.LUN_RESET, 0, RESET_TAG);
        fixture.run();
        expectCode(201, SrpResponse.RESPONSE_COMPLETE);
        peer.sendNoData(202, TEST_UNIT_READY);
        peer.sendNoData(203, TEST_UNIT_READY);
        fixture.run();
        assertThat(sense(peer.nextResponse())).isEqualTo("6/29/03");
        assertThat(peer.nextResponse().status())
                .as("usable while the store is stuck")
                .isZero();
        fixture.pass(java.time.Duration.ofSeconds(20));
        fixture.store.release();
        fixture.run();
        peer.answerRequest(InformationUnitType.CRED_REQ);
        fixture.run();
        expectCreditsBack();
        assertThat(fixture.counters().chunksInUse.get()).isZero();
        assertThat(fixture.counters().tasksInUse.get()).isZero();
    }

    /** The initiator takes its memory back when the answer comes: no READ may be under way then. */
    @Test
    void theAnswerWaitsForReadsThatAreUnderWayAlsoOnOtherChannels() {
        FakePeer second = fixture.connect(0x81);
        second.wire().holdSends = true;
        second.sendWrite(1, write10(0, 8), 0, 4096);
        fixture.run();
        peer.sendTaskManagement(2, TaskManagementRequest.ABORT_TASK_SET, 0, 0);
        fixture.run();
        assertThat(peer.wire().sent).isEmpty();
        second.wire().holdSends = false;
        fixture.run();
        expectCode(2, SrpResponse.RESPONSE_COMPLETE);
        assertThat(fixture.store.writes).isZero();
        second.answerRequest(InformationUnitType.CRED_REQ);
        second.wire().holdSends = true;
        second.sendWrite(3, write10(0, 8), 0, 4096);
        fixture.run();
        peer.sendTaskManagement(4, TaskManagementRequest.LUN_RESET, 0, RESET_TAG);
        fixture.run();
        assertThat(peer.wire().sent).isEmpty();
        second.hangUp();
        fixture.run();
        expectCode(4, SrpResponse.RESPONSE_COMPLETE);
    }

    /** A transfer that is ended half-way asks for nothing more. */
    @Test
    void anAbortStopsReadsThatWereNotPostedYet() {
        fixture.closeAndCheck();
        TargetFixture small = new TargetFixture(
                TargetFixture.config().sendQueueSize(16).build(), new TargetFixture.FakeRdmaSettings(4096, 1));
        FakePeer writer = small.connect();
        int[] lengths = new int[100];
        java.util.Arrays.fill(lengths, 512);
        writer.wire().holdSends = true;
        writer.sendIndirect(1, write10(0, 100), true, 0, 1024, 51200, 100, lengths);
        writer.sendIndirect(2, write10(0, 100), true, 0, 1024, 51200, 100, lengths);
        small.run();
        assertThat(writer.wire().heldSends()).isEqualTo(15);
        writer.sendTaskManagement(3, TaskManagementRequest.ABORT_TASK, 0, 2);
        writer.sendTaskManagement(4, TaskManagementRequest.ABORT_TASK, 0, 1);
        writer.wire().wire.clear();
        writer.wire().holdSends = false;
        small.run();
        assertThat(writer.nextResponse().tag()).as("nothing of it was posted").isEqualTo(3);
        SrpResponse response = writer.nextResponse();
        assertThat(response.tag()).isEqualTo(4);
        assertThat(response.responseCode()).isEqualTo(SrpResponse.RESPONSE_COMPLETE);
        assertThat(writer.wire().wire).filteredOn("R512"::equals).hasSize(15);
        assertThat(small.store.writes).isZero();
        assertThat(writer.credits).isEqualTo(128);
        assertThat(small.counters().chunksInUse.get()).isZero();
        small.closeAndCheck();
    }

    @Test
    void aCommandThatWaitsForBuffersCanBeAborted() {
        fixture.closeAndCheck();
        TargetFixture small = new TargetFixture(TargetFixture.config()
                .maxTransferLength(1 << 16)
                .dataBufferBytes(1 << 16)
                .build());
        FakePeer user = small.connect();
        small.store.hold = true;
        user.sendRead(1, read10(0, 8), 0, 4096);
        user.sendRead(2, read10(0, 8), 0, 4096);
        small.run();
        assertThat(small.counters().commandsWaiting.get()).isEqualTo(1);
        user.sendTaskManagement(3, TaskManagementRequest.ABORT_TASK, 0, 2);
        small.run();
        assertThat(user.nextResponse().requestLimitDelta()).isEqualTo(2);
        assertThat(small.counters().commandsWaiting.get()).isZero();
        small.store.release();
        small.run();
        assertThat(user.nextResponse().tag()).isEqualTo(1);
        small.closeAndCheck();
    }

    private FakePeer stranger() {
        FakePeer stranger = fixture.tryLogin(new LoginRequest(0, 8260, 6, 0, 0, new PortId(7, 7), FakePeer.TARGET));
        stranger.establish();
        stranger.sendNoData(0, TEST_UNIT_READY);
        fixture.run();
        stranger.nextResponse();
        return stranger;
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
    @Tag("pitfall-84")
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
    @Tag("pitfall-85")
    void aResetEndsCommandsOfAllChannelsAndNexuses() {
        FakePeer second = fixture.connect(0x81);
        FakePeer stranger = stranger();
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

    /** Exactly one of the command's response and nothing, and one response of the function, after it. */
    @Test
    @Tag("pitfall-83")
    void abortsAtRandomMomentsEndEachCommandOnce() {
        long seed = Long.getLong("srpt.seed", System.nanoTime());
        Random random = new Random(seed);
        int responses = 0;
        int rounds = TestProfile.count(5_000, 100_000);
        for (int i = 0; i < rounds; i++) {
            fixture.store.hold = random.nextInt(3) == 0;
            peer.wire().holdSends = random.nextInt(3) == 0;
            peer.wire().holdCompletions = random.nextInt(3) == 0;
            long tag = 2L * i;
            sendAny(random, tag);
            if (random.nextBoolean()) {
                fixture.run();
            }
            peer.sendTaskManagement(tag + 1, TaskManagementRequest.ABORT_TASK, 0, tag);
            if (random.nextBoolean()) {
                fixture.run();
            }
            if (random.nextBoolean()) {
                fixture.store.release();
            }
            peer.wire().holdSends = false;
            peer.wire().holdCompletions = false;
            fixture.run();
            fixture.store.release();
            fixture.run();
            fixture.store.release();
            fixture.run();
            responses += takeResponses(tag, "seed " + seed + " round " + i);
            assertThat(peer.credits).as("seed %d round %d", seed, i).isEqualTo(128);
        }
        assertThat(responses).isBetween(1, rounds - 1);
        assertThat(fixture.counters().taskManagementRequests.get()).isEqualTo(rounds);
        expectCreditsBack();
    }

    private void sendAny(Random random, long tag) {
        switch (random.nextInt(4)) {
            case 0 -> peer.sendRead(tag, read10(0, 8), 0, 4096);
            case 1 -> peer.sendWrite(tag, write10(0, 8), 0, 4096);
            case 2 -> peer.sendImmediate(tag, write10(0, 1), new byte[512]);
            default -> peer.sendIndirect(tag, write10(0, 8), true, 0, 4096, 4096, 2, 512, 512, 1024, 2048);
        }
    }

    /** Takes all that came for a command and the function with the tag after it; returns how many the command's were. */
    private int takeResponses(long tag, String where) {
        boolean answered = false;
        int ended = 0;
        for (byte[] next = peer.wire().sent.peek();
                next != null;
                next = peer.wire().sent.peek()) {
            if ((next[0] & 0xFF) == InformationUnitType.CRED_REQ) {
                peer.answerRequest(InformationUnitType.CRED_REQ);
            } else if (peer.nextResponse().tag() == tag + 1) {
                assertThat(answered).as(where).isFalse();
                answered = true;
            } else {
                assertThat(answered)
                        .as("%s: a response after that of the function", where)
                        .isFalse();
                ended++;
            }
            fixture.run();
        }
        assertThat(answered).as(where).isTrue();
        assertThat(ended).as(where).isLessThanOrEqualTo(1);
        return ended;
    }
}
