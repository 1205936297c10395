package io.srpt.target;

import static io.srpt.target.TargetFixture.TEST_UNIT_READY;
import static io.srpt.target.TargetFixture.read10;
import static io.srpt.target.TargetFixture.write10;
import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.TestProfile;
import io.srpt.scsi.LogicalUnit;
import io.srpt.scsi.LogicalUnitConfig;
import io.srpt.scsi.LunView;
import io.srpt.scsi.SenseData;
import io.srpt.srp.AsyncEventRequest;
import io.srpt.srp.CreditRequest;
import io.srpt.srp.InformationUnitType;
import io.srpt.srp.LoginRequest;
import io.srpt.srp.LoginResponse;
import io.srpt.srp.PortId;
import io.srpt.srp.SrpCommand;
import io.srpt.srp.SrpResponse;
import io.srpt.srp.TaskManagementRequest;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Credits, the units that the target sends of its own accord, and solicited events. */
class TargetRequestsTest {
    private TargetFixture fixture = new TargetFixture();
    private FakePeer peer = fixture.connect();

    @AfterEach
    void leavesNothingBehind() {
        fixture.closeAndCheck();
    }

    private void use(TargetConfig.Builder config, int loginFlags) {
        fixture.closeAndCheck();
        fixture = new TargetFixture(config.build());
        peer = fixture.connect(loginFlags);
    }

    /** Ends a READ that the store holds without response; the answer to the abort is taken. */
    private void abortRead(long tag) {
        fixture.store.hold = true;
        peer.sendRead(tag, read10(0, 8), 0, 4096);
        peer.sendTaskManagement(tag + 1, TaskManagementRequest.ABORT_TASK, 0, tag);
        fixture.run();
        assertThat(peer.nextResponse().tag()).isEqualTo(tag + 1);
    }

    // SRP_CRED_REQ.

    /** Linux keeps one buffer for its answer. */
    @Test
    @Tag("pitfall-93")
    void onlyOneRequestIsOutstanding() {
        use(TargetFixture.config().asyncEvents(true), 0);
        abortRead(1);
        fixture.store.release();
        fixture.run();
        ByteBuffer request = peer.takeRequest(InformationUnitType.CRED_REQ);
        for (int round = 1; round < 3; round++) {
            abortRead(10L * round);
            fixture.store.release();
            fixture.run();
            assertThat(peer.wire().sent).isEmpty();
        }
        report();
        assertThat(peer.wire().sent).isEmpty();
        assertThat(peer.credits).isEqualTo(127);
        peer.answer(request);
        fixture.run();
        assertThat(new AsyncEventRequest()
                        .wrap(peer.answerRequest(InformationUnitType.AER_REQ), 0)
                        .requestLimitDelta())
                .isEqualTo(1);
        fixture.run();
        assertThat(peer.wire().sent).isEmpty();
        assertThat(peer.credits).isEqualTo(128);
    }

    @Test
    void creditsThatAResponseCanCarryNeedNoRequest() {
        abortRead(1);
        peer.sendRead(3, read10(0, 8), 0, 4096);
        fixture.run();
        fixture.store.release();
        fixture.run();
        assertThat(peer.nextResponse().requestLimitDelta()).isEqualTo(2);
        assertThat(peer.wire().sent).isEmpty();
        assertThat(peer.credits).isEqualTo(128);
        assertThat(fixture.counters().creditRequests.get()).isZero();
    }

    /** Commands in hand may be stuck, and the initiator can send nothing that would be answered. */
    @Test
    @Tag("pitfall-54")
    void anInitiatorThatCanSendNothingMoreGetsWhatWasSaved() {
        use(TargetFixture.config().requestLimit(4), 0);
        abortRead(1);
        peer.sendRead(3, read10(0, 8), 0, 4096);
        fixture.run();
        fixture.store.held.remove().run();
        fixture.run();
        assertThat(peer.credits).isEqualTo(2);
        assertThat(peer.wire().sent).as("it can still send").isEmpty();
        peer.sendRead(4, read10(0, 8), 0, 4096);
        fixture.run();
        CreditRequest request = new CreditRequest().wrap(peer.answerRequest(InformationUnitType.CRED_REQ), 0);
        assertThat(request.requestLimitDelta()).isEqualTo(1);
        assertThat(peer.credits).isEqualTo(2);
        fixture.store.release();
        fixture.run();
        peer.nextResponse();
        peer.nextResponse();
        assertThat(peer.credits).isEqualTo(4);
    }

    /** With the smallest queues: never a moment at which the initiator waits for credits that nobody sends. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    @Tag("pitfall-54")
    void smallRequestLimitsNeverStall(int limit) {
        use(TargetFixture.config().requestLimit(limit), 0x80);
        Random random = new Random(limit);
        long tag = 1;
        int answered = 0;
        for (int i = 0; i < 3000; i++) {
            fixture.store.hold = random.nextInt(4) == 0;
            while (peer.credits > 0 && random.nextInt(3) != 0) {
                switch (random.nextInt(3)) {
                    case 0 -> peer.sendRead(tag, read10(0, 1), 0, 512);
                    case 1 -> peer.sendWrite(tag, write10(0, 1), 0, 512);
                    default -> peer.sendTaskManagement(tag, TaskManagementRequest.ABORT_TASK, 0, tag - 1);
                }
                tag++;
            }
            fixture.run();
            fixture.store.release();
            fixture.run();
            answered += drain();
            assertThat(peer.credits).as("step %d", i).isEqualTo(limit);
        }
        assertThat(answered).isGreaterThan(1000);
        assertThat(fixture.counters().creditViolations.get()).isZero();
        assertThat(peer.wire().receiverNotReady).isZero();
    }

    /** Takes all that came; returns how many were responses. */
    private int drain() {
        int responses = 0;
        for (byte[] next = peer.wire().sent.peek();
                next != null;
                next = peer.wire().sent.peek()) {
            if ((next[0] & 0xFF) == InformationUnitType.RSP) {
                peer.nextResponse();
                responses++;
            } else {
                peer.answerRequest(next[0] & 0xFF);
            }
            fixture.run();
        }
        return responses;
    }

    @Test
    @Tag("pitfall-55")
    @Tag("pitfall-56")
    void theCreditsOfAbortedCommandsComeBack() {
        for (int i = 0; i < TestProfile.count(1000, 10_000); i++) {
            abortRead(2L * i);
            fixture.store.release();
            fixture.run();
            drain();
            assertThat(peer.credits).isEqualTo(128);
            assertThat(fixture.counters().creditsInUse.get()).isEqualTo(128);
        }
        assertThat(fixture.counters().commandsWithoutResponse.get()).isGreaterThanOrEqualTo(1000);
    }

    @Test
    @Tag("pitfall-57")
    void functionsThatFailEarlyAreAllAnswered() {
        for (int i = 0; i < 200; i++) {
            peer.sendTaskManagement(i, 0x03, 0, 0);
            fixture.run();
            SrpResponse response = peer.nextResponse();
            assertThat(response.tag()).isEqualTo(i);
            assertThat(response.responseCode()).isEqualTo(SrpResponse.RESPONSE_NOT_SUPPORTED);
        }
        assertThat(peer.credits).isEqualTo(128);
    }

    // SRP_AER_REQ.

    private void report() {
        fixture.store.grow();
        fixture.run();
    }

    @Test
    void eventsAreReportedOnlyIfConfigured() {
        report();
        assertThat(peer.wire().sent).isEmpty();
    }

    @Test
    void anEventGoesToOneChannelOfEachNexusWithItsSense() {
        use(TargetFixture.config().asyncEvents(true), 1 | LoginRequest.SOLICIT_ASYNC_EVENT);
        FakePeer second = fixture.connect(1);
        report();
        assertThat(second.wire().sent).isEmpty();
        ByteBuffer unit = peer.answerRequest(InformationUnitType.AER_REQ);
        AsyncEventRequest event = new AsyncEventRequest().wrap(unit, 0);
        assertThat(event.isValid(unit.capacity())).isTrue();
        assertThat(event.lun()).isZero();
        assertThat(event.isSolicited()).isTrue();
        assertThat(Objects.requireNonNull(SenseData.decode(unit, event.senseOffset(), (int) event.senseLength())))
                .hasToString("6/2A/09");
        assertThat(fixture.counters().asyncEventRequests.get()).isEqualTo(1);
        fixture.run();
        assertThat(peer.wire().sent).isEmpty();
    }

    /** Everybody hears of it by the number that he uses, and who does not see the unit hears nothing. */
    @Test
    void anEventNamesTheUnitAsTheNexusDoes() {
        fixture.closeAndCheck();
        fixture = new TargetFixture(TargetFixture.config().asyncEvents(true).build());
        fixture.view = LunView.of(Map.of(300, new LunView.Mapping(0, false)));
        FakePeer mapped = served(new PortId(0, 1));
        fixture.view = LunView.of(Map.of(0, new LunView.Mapping(1, false)));
        FakePeer elsewhere = served(new PortId(0, 2));
        report();
        assertThat(elsewhere.wire().sent).isEmpty();
        AsyncEventRequest event = new AsyncEventRequest().wrap(mapped.answerRequest(InformationUnitType.AER_REQ), 0);
        assertThat(event.lun()).isEqualTo((0x4000L | 300) << 48);

        fixture.deviceServer.addLogicalUnit(
                1, new LogicalUnit(LogicalUnitConfig.defaults("1123456789abcdef"), new HeldStore()));
        fixture.run();
        for (FakePeer each : List.of(mapped, elsewhere)) {
            ByteBuffer unit = each.answerRequest(InformationUnitType.AER_REQ);
            int sense = new AsyncEventRequest().wrap(unit, 0).senseOffset();
            assertThat(SenseData.decode(unit, sense, unit.capacity() - sense)).hasToString("6/3F/0E");
            fixture.run();
            assertThat(each.wire().sent).as("told once").isEmpty();
        }
    }

    /** A channel that has sent its first unit. */
    private FakePeer served(PortId initiator) {
        FakePeer made = fixture.tryLogin(new LoginRequest(0, 8260, 6, 0, 0, initiator, FakePeer.TARGET));
        made.establish();
        made.sendNoData(1, TEST_UNIT_READY);
        fixture.run();
        made.nextResponse();
        return made;
    }

    // Solicited events.

    @Test
    void theTargetSaysThatItSendsSolicitedEvents() {
        assertThat(Objects.requireNonNull(peer.response).flags() & LoginResponse.SOLICITED_NOTIFICATION)
                .isNotZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, SrpCommand.SOLICIT_SUCCESSFUL, SrpCommand.SOLICIT_UNSUCCESSFUL, 6})
    void responsesAreSolicitedEventsAsTheirRequestAsks(int bits) {
        boolean success = (bits & SrpCommand.SOLICIT_SUCCESSFUL) != 0;
        boolean failure = (bits & SrpCommand.SOLICIT_UNSUCCESSFUL) != 0;
        peer.startCommand(1, TEST_UNIT_READY);
        peer.sendSoliciting(bits, SrpCommand.LENGTH);
        expectSolicited(success);
        peer.startCommand(2, "ff 00 00 00 00 00");
        peer.sendSoliciting(bits, SrpCommand.LENGTH);
        expectSolicited(failure);
        peer.sendTaskManagement(3, TaskManagementRequest.CLEAR_ACA, 0, 0, bits);
        expectSolicited(failure);
        peer.sendTaskManagement(4, TaskManagementRequest.ABORT_TASK_SET, 0, 0, bits);
        expectSolicited(success);
        peer.sendNoData(5, TEST_UNIT_READY);
        expectSolicited(false);
    }

    private void expectSolicited(boolean expected) {
        int before = peer.wire().solicited.size();
        fixture.run();
        assertThat(peer.nextResponse().isSolicited()).isEqualTo(expected);
        assertThat(peer.wire().solicited).hasSize(before + (expected ? 1 : 0));
    }

    @Test
    void aCreditRequestIsASolicitedEventIfTheLoginAskedForThat() {
        use(TargetFixture.config(), LoginRequest.SOLICIT_CREDIT_REQUEST);
        abortRead(1);
        fixture.store.release();
        fixture.run();
        assertThat(new CreditRequest()
                        .wrap(peer.answerRequest(InformationUnitType.CRED_REQ), 0)
                        .isSolicited())
                .isTrue();
        assertThat(peer.wire().solicited).hasSize(1);
        fixture.run();
    }
}
