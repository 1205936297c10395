package io.srpt.target;

import static io.srpt.target.TargetFixture.read10;
import static io.srpt.target.TargetFixture.sense;
import static io.srpt.target.TargetFixture.write10;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.scsi.ScsiStatus;
import io.srpt.srp.InformationUnitType;
import io.srpt.srp.LoginRequest;
import io.srpt.srp.PortId;
import io.srpt.srp.SrpResponse;
import io.srpt.srp.TaskManagementRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandFaultTest {
    private static final int READ_10 = 0x28;
    private static final int CREDITS = 128;
    private static final int CREDIT_REQUEST_DELTA = 4;

    private final TargetFixture fixture = new TargetFixture();
    private final FakePeer peer = fixture.connect();
    private final TargetCounters counters = fixture.counters();

    @AfterEach
    void givesEverythingBack() {
        fixture.closeAndCheck();
    }

    /** Does {@code fault} to READs. */
    private void onReads(CommandFault fault) {
        interceptor(command -> command.operationCode() == READ_10 ? fault : CommandFault.PASS);
    }

    private void interceptor(CommandInterceptor interceptor) {
        fixture.device.loop.execute(() -> fixture.port.commandInterceptor(interceptor));
        fixture.run();
    }

    private void read(long tag) {
        peer.sendRead(tag, read10(0, 1), 0, 512);
        fixture.run();
    }

    private SrpResponse answer() {
        fixture.run();
        return peer.nextResponse();
    }

    private void assertAllCreditsBack() {
        assertThat(peer.wire().sent).isEmpty();
        assertThat(peer.credits).isEqualTo(CREDITS);
        assertThat(counters.commandsInUse.get()).isZero();
        assertThat(counters.creditViolations.get()).isZero();
    }

    @Test
    void showsTheCommandDuringTheCallOnly() {
        List<ArrivedCommand> seen = new ArrayList<>();
        interceptor(command -> {
            seen.add(command);
            assertThat(command.port()).isEqualTo(fixture.port.name());
            assertThat(command.initiatorPort()).isEqualTo(FakePeer.INITIATOR);
            assertThat(command.channel()).isPositive();
            assertThat(command.tag()).isEqualTo(77);
            assertThat(command.lun()).isZero();
            assertThat(command.operationCode()).isEqualTo(READ_10);
            assertThat(command.cdbByte(5)).isEqualTo(9);
            assertThat(command.dataLength()).isEqualTo(512);
            assertThatThrownBy(() -> command.cdbByte(command.cdbLength()))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            return CommandFault.PASS;
        });
        peer.sendRead(77, read10(9, 1), 0, 512);

        assertThat(answer().status()).isZero();
        assertThat(seen).hasSize(1);
        assertThatThrownBy(() -> seen.getFirst().tag()).isInstanceOf(IllegalStateException.class);
        assertThat(counters.handlerErrors.get()).isZero();
        assertThat(counters.faultsInjected.get()).isZero();
        assertAllCreditsBack();
    }

    @Test
    void failsWithAnySense() {
        onReads(CommandFault.checkCondition(0x3, 0x11, 0x04));
        read(1);

        SrpResponse response = answer();
        assertThat(sense(response)).isEqualTo("3/11/04");
        assertThat(response.tag()).isEqualTo(1);
        assertThat(peer.wire().wire).as("no data").containsExactly("S54");
        assertThat(counters.faultsInjected.get()).isEqualTo(1);
        assertAllCreditsBack();
    }

    @Test
    void failsWithAStatusAlone() {
        onReads(CommandFault.fail(ScsiStatus.TASK_SET_FULL));
        read(1);

        SrpResponse response = answer();
        assertThat(response.status()).isEqualTo(ScsiStatus.TASK_SET_FULL.code());
        assertThat(response.flags()).isZero();
        assertAllCreditsBack();
    }

    @Test
    void refusesFaultsThatAreNone() {
        assertThatThrownBy(() -> CommandFault.fail(ScsiStatus.GOOD)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CommandFault.checkCondition(16, 0, 0)).hasMessageContaining("10/00/00");
        assertThatThrownBy(() -> CommandFault.delay(Duration.ofNanos(-1))).hasMessageContaining("-1 ns");
    }

    @Test
    void aDelayedCommandIsOvertakenAndThenCarriedOut() {
        onReads(CommandFault.delay(Duration.ofSeconds(3)));
        read(1);
        peer.sendNoData(2, TargetFixture.TEST_UNIT_READY);

        assertThat(answer().tag()).isEqualTo(2);
        fixture.device.loop.advance(Duration.ofSeconds(3).toNanos() - 1);
        assertThat(peer.wire().sent).isEmpty();
        fixture.device.loop.advance(1);
        SrpResponse response = answer();
        assertThat(response.tag()).isEqualTo(1);
        assertThat(response.status()).isZero();
        assertThat(peer.wire().wire).containsExactly("S36", "W512", "S36");
        assertAllCreditsBack();
    }

    @Test
    void aDelayedCommandCanBeAbortedAndIsNotCarriedOutThen() {
        interceptor(command -> CommandFault.delay(Duration.ofSeconds(3)));
        peer.sendWrite(1, write10(0, 1), 0, 512);
        fixture.run();
        peer.sendTaskManagement(2, TaskManagementRequest.ABORT_TASK, 0, 1);

        SrpResponse response = answer();
        assertThat(response.tag()).isEqualTo(2);
        assertThat(response.responseCode()).isEqualTo(SrpResponse.RESPONSE_COMPLETE);
        fixture.device.loop.advance(Duration.ofSeconds(10).toNanos());
        assertThat(fixture.store.writes).isZero();
        assertThat(counters.commandsWithoutResponse.get()).isEqualTo(1);
        assertAllCreditsBack();
    }

    @Test
    void aDroppedCommandIsNeverAnsweredAndGivesItsCreditBackWhenItIsAborted() {
        onReads(CommandFault.DROP);
        read(1);
        fixture.device.loop.advance(Duration.ofHours(1).toNanos());
        assertThat(peer.wire().sent).isEmpty();
        assertThat(peer.credits).isEqualTo(CREDITS - 1);
        assertThat(counters.commandsInUse.get()).isEqualTo(1);

        peer.sendTaskManagement(2, TaskManagementRequest.ABORT_TASK, 0, 1);
        SrpResponse response = answer();
        assertThat(response.responseCode()).isEqualTo(SrpResponse.RESPONSE_COMPLETE);
        assertThat(response.requestLimitDelta())
                .as("its own credit and that of the command")
                .isEqualTo(2);
        assertAllCreditsBack();
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                TaskManagementRequest.ABORT_TASK_SET,
                TaskManagementRequest.CLEAR_TASK_SET,
                TaskManagementRequest.LUN_RESET
            })
    void functionsOfAWholeUnitEndDroppedAndDelayedCommands(int function) {
        interceptor(command -> switch ((int) command.tag()) {
            case 1 -> CommandFault.DROP;
            case 2 -> CommandFault.delay(Duration.ofSeconds(1));
            default -> CommandFault.PASS;
        });
        read(1);
        read(2);
        peer.sendTaskManagement(3, function, 0, 0);

        assertThat(answer().tag()).isEqualTo(3);
        fixture.device.loop.advance(Duration.ofSeconds(2).toNanos());
        assertAllCreditsBack();
    }

    /** What a fault holds is in no task set, and so a function has to look for it on each port. */
    @ParameterizedTest
    @ValueSource(ints = {TaskManagementRequest.CLEAR_TASK_SET, TaskManagementRequest.LUN_RESET})
    void functionsOfAWholeUnitEndWhatIsHeldOnOtherPortsToo(int function) {
        interceptor(command -> switch ((int) command.tag()) {
            case 1 -> CommandFault.DROP;
            case 2 -> CommandFault.delay(Duration.ofSeconds(1));
            default -> CommandFault.PASS;
        });
        read(1);
        read(2);
        FakeRdma second = new FakeRdma(fixture.device.loop);
        SrptPort port = fixture.addPort(second);
        FakePeer other = new FakePeer(second, FakePeer.login(0)).request(TargetFixture.RDMA_CM_SERVICE);
        fixture.run();
        other.establish();
        other.sendTaskManagement(3, TaskManagementRequest.ABORT_TASK_SET, 0, 0);
        fixture.run();
        assertThat(other.nextResponse().responseCode()).isEqualTo(SrpResponse.RESPONSE_COMPLETE);
        assertThat(counters.commandsInUse.get()).as("those of another nexus").isEqualTo(2);

        other.sendTaskManagement(4, function, 0, 0);
        fixture.run();
        assertThat(other.nextResponse().responseCode()).isEqualTo(SrpResponse.RESPONSE_COMPLETE);
        assertThat(counters.commandsInUse.get()).isZero();
        fixture.device.loop.advance(Duration.ofSeconds(2).toNanos());
        assertThat(fixture.store.reads).isZero();
        assertThat(peer.answerRequest(InformationUnitType.CRED_REQ).getInt(CREDIT_REQUEST_DELTA))
                .as("their credits")
                .isEqualTo(2);
        fixture.run();
        assertAllCreditsBack();
        fixture.target.removePort(port);
        fixture.run();
    }

    /** They end without status, and so the initiator learns of it by unit attention only. */
    @Test
    void whoseHeldCommandsAreClearedOrResetByAnotherNexusLearnsOfItWithTheNextCommand() {
        interceptor(command -> command.tag() == 1 ? CommandFault.DROP : CommandFault.PASS);
        FakePeer other = fixture.tryLogin(new LoginRequest(0, 8260, 6, 0, 0, new PortId(7, 7), FakePeer.TARGET));
        other.establish();

        read(1);
        carryOut(other, TaskManagementRequest.CLEAR_TASK_SET);
        assertThat(nextCommandAfterItsCreditIsBack()).as("commands cleared").isEqualTo("6/2F/00");
        read(1);
        carryOut(other, TaskManagementRequest.LUN_RESET);
        assertThat(nextCommandAfterItsCreditIsBack()).as("reset").isEqualTo("6/29/03");

        read(2);
        assertThat(answer().status()).isZero();
        carryOut(other, TaskManagementRequest.CLEAR_TASK_SET);
        read(3);
        assertThat(answer().status()).as("nothing of it was held").isZero();
        assertAllCreditsBack();
    }

    private void carryOut(FakePeer other, int function) {
        other.sendTaskManagement(9, function, 0, 0);
        fixture.run();
        assertThat(other.nextResponse().responseCode()).isEqualTo(SrpResponse.RESPONSE_COMPLETE);
    }

    private String nextCommandAfterItsCreditIsBack() {
        peer.answerRequest(InformationUnitType.CRED_REQ);
        peer.sendNoData(4, TargetFixture.TEST_UNIT_READY);
        return sense(answer());
    }

    @Test
    void killsTheChannelWithAllItsCommands() {
        interceptor(command -> command.tag() == 3 ? CommandFault.KILL_CHANNEL : CommandFault.DROP);
        read(1);
        read(2);
        assertThat(fixture.port.channels()).hasSize(1);
        read(3);

        assertThat(fixture.port.channels()).isEmpty();
        assertThat(fixture.events).endsWith("released FAULT_INJECTED");
        assertThat(counters.commandsWithoutResponse.get()).isEqualTo(3);
        assertThat(counters.commandsInUse.get()).isZero();
        assertThat(counters.creditsInUse.get()).isZero();
    }

    @Test
    void theEndOfTheChannelEndsWhatIsHeld() {
        interceptor(command -> command.tag() == 1 ? CommandFault.DROP : CommandFault.delay(Duration.ofSeconds(1)));
        read(1);
        read(2);
        peer.hangUp();
        fixture.run();

        assertThat(fixture.port.channels()).isEmpty();
        fixture.device.loop.advance(Duration.ofSeconds(2).toNanos());
        assertThat(counters.commandsInUse.get()).isZero();
    }

    @Test
    void anInterceptorThatThrowsIsCountedAndTheCommandPasses() {
        interceptor(command -> {
            throw new IllegalStateException("interceptor of the test");
        });
        read(1);
        assertThat(answer().status()).isZero();
        read(2);
        assertThat(answer().status()).isZero();
        assertThat(counters.handlerErrors.get()).isEqualTo(2);
        assertAllCreditsBack();
    }

    @Test
    void allCreditsDroppedLeaveTheChannelUsableAfterAReset() {
        onReads(CommandFault.DROP);
        for (int tag = 0; tag < CREDITS - 1; tag++) {
            read(tag);
        }
        peer.sendTaskManagement(1000, TaskManagementRequest.LUN_RESET, 0, 0);
        assertThat(answer().requestLimitDelta()).isEqualTo(CREDITS);
        peer.sendNoData(1001, TargetFixture.TEST_UNIT_READY);
        assertThat(answer().tag()).isEqualTo(1001);
        assertAllCreditsBack();
    }

    @Test
    void malformedUnitsAreNotShown() {
        interceptor(command -> CommandFault.DROP);
        peer.startCommand(1, write10(0, 1)).dataOutFormat(7);
        peer.send(80);

        assertThat(sense(answer())).isEqualTo("5/0E/03");
        assertAllCreditsBack();
    }
}
