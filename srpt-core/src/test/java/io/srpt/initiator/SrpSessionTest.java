package io.srpt.initiator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.initiator.InitiatorCommand.Outcome;
import io.srpt.initiator.SrpSessionListener.CloseReason;
import io.srpt.verbs.RejectReason;
import io.srpt.verbs.VerbsException;
import io.srpt.verbs.WorkCompletionStatus;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class SrpSessionTest {
    private final ScriptedTarget target = new ScriptedTarget();
    private final List<InitiatorCommand> ended = new ArrayList<>();

    @Test
    void asksForALoginInTheShortFormThatRdmaCmNeeds() throws VerbsException {
        target.connect(ScriptedTarget.configuration().immediateData(true).build());

        byte[] request = target.device.connection().parameters.privateData();
        assertThat(HexFormat.of().formatHex(request))
                .isEqualTo("0000000000000000" + "0006" + "80" + "00" + "00002044" + "0000000000000000"
                        + "020000fffe000002" + "020000fffe000001" + "020000fffe000001" + "0044" + "000000000000");
    }

    @Test
    void asksForALoginInTheLongFormOverPlainIbCm() throws VerbsException {
        target.connect(ScriptedTarget.configuration()
                .serviceId(0x0200_00FF_FE00_0001L)
                .multiChannel(true)
                .build());

        ByteBuffer request =
                ByteBuffer.wrap(target.device.connection().parameters.privateData());
        assertThat(request.capacity()).isEqualTo(64);
        assertThat(request.getInt(16)).isEqualTo(320);
        assertThat(request.getShort(24)).isEqualTo((short) 6);
        assertThat(request.get(26)).isEqualTo((byte) 1);
        assertThat(request.getLong(40)).isEqualTo(0x0200_00FF_FE00_0002L);
        assertThat(request.getLong(56)).isEqualTo(0x0200_00FF_FE00_0001L);
    }

    @Test
    void postsItsReceivesAndReportsTheLogin() throws VerbsException {
        SrpSession session = target.login(ScriptedTarget.configuration().build(), 10);

        assertThat(target.logins).isEqualTo(1);
        assertThat(session.state()).isEqualTo(SrpSessionState.LIVE);
        assertThat(session.availableCredits()).isEqualTo(10);
        assertThat(session.freeSlots()).isEqualTo(4);
        assertThat(target.queuePair().postedReceives()).isEqualTo(4 + 2 + 8);
    }

    @Test
    void explainsALoginReject() throws VerbsException {
        target.connect(ScriptedTarget.configuration().build());
        ByteBuffer reject = ByteBuffer.allocate(148).put(0, (byte) 0xC2).putInt(4, 0x0001_0006);
        target.device
                .connection()
                .handler
                .onRejected(target.device.connection(), RejectReason.CONSUMER, reject.array());
        target.loop.settle();

        assertThat(target.failure).isNotNull();
        assertThat(target.failure.cause()).isEqualTo(SrpLoginFailure.Cause.LOGIN_REJECTED);
        assertThat(target.failure.message()).contains("access control list").contains("0x00010006");
        assertThat(target.hasFreedEverything()).isTrue();
    }

    @Test
    void explainsAConnectionThatWasRefusedOrNotAnswered() throws VerbsException {
        target.connect(ScriptedTarget.configuration().build());
        target.device
                .connection()
                .handler
                .onRejected(target.device.connection(), RejectReason.INVALID_SERVICE_ID, new byte[148]);
        target.loop.settle();
        assertThat(target.failure.message()).contains("INVALID_SERVICE_ID (8)");

        target.connect(ScriptedTarget.configuration().build());
        target.device.connection().handler.onUnreachable(target.device.connection());
        target.loop.settle();
        assertThat(target.failure.cause()).isEqualTo(SrpLoginFailure.Cause.UNREACHABLE);
        assertThat(target.hasFreedEverything()).isTrue();
    }

    @Test
    void saysWhatToDoAboutAPathMtuThatIsTooLarge() throws VerbsException {
        target.connect(ScriptedTarget.configuration().build());
        target.device
                .connection()
                .handler
                .onRejected(target.device.connection(), RejectReason.INVALID_PATH_MTU, new byte[148]);
        target.loop.settle();

        assertThat(target.failure.message()).contains("INVALID_PATH_MTU (26)").contains("ask for a smaller path MTU");
    }

    @Test
    void refusesAnAnswerThatIsNoLoginResponse() throws VerbsException {
        target.connect(ScriptedTarget.configuration().build());
        target.accept(new byte[196]);

        assertThat(target.failure.cause()).isEqualTo(SrpLoginFailure.Cause.BAD_RESPONSE);
        assertThat(target.device.connection().closed).isTrue();
        assertThat(target.hasFreedEverything()).isTrue();
    }

    @Test
    void leavesNothingBehindWhenTheDeviceHasNoQueuePair() {
        target.device.refuseQueuePairs = true;

        assertThatThrownBy(() -> target.connect(ScriptedTarget.configuration().build()))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("no queue pair");
        assertThat(target.device.openDomains).isZero();
        assertThat(target.loop.attachedQueues()).isZero();
    }

    @Test
    void readsThroughADirectDescriptor() throws VerbsException {
        SrpSession session = target.login(ScriptedTarget.configuration().build(), 10);
        InitiatorCommand command = acquire(session).lun(3).read(0x1_0000_0007L, 8, 512);
        command.submit(ended::add);

        ByteBuffer unit = target.next();
        assertThat(unit.capacity()).isEqualTo(64);
        assertThat(unit.get(0)).isEqualTo((byte) 2);
        assertThat(unit.get(5)).isEqualTo((byte) 0x01);
        assertThat(unit.getLong(20)).isEqualTo(0x0003_0000_0000_0000L);
        assertThat(HexFormat.of().formatHex(unit.array(), 32, 48)).isEqualTo("88000000000100000007000000080000");
        ByteBuffer memory = target.device.memory(unit.getInt(56), unit.getLong(48), unit.getInt(60));
        assertThat(memory.capacity()).isEqualTo(4096);
        memory.putLong(4088, 0x0123_4567_89AB_CDEFL);
        target.answer(unit.getLong(8), 1);

        assertThat(ended).containsExactly(command);
        assertThat(command.isGood()).isTrue();
        assertThat(command.transferred()).isEqualTo(4096);
        assertThat(command.data().getLong(4088)).isEqualTo(0x0123_4567_89AB_CDEFL);
        assertThat(session.availableCredits()).isEqualTo(10);
    }

    @Test
    void reportsStatusSenseAndResidual() throws VerbsException {
        SrpSession session = target.login(ScriptedTarget.configuration().build(), 10);
        InitiatorCommand command =
                acquire(session).cdb(new byte[] {0x12, 0, 0, 0, 36, 0}).dataIn(36);
        command.submit(ended::add);
        long tag = target.next().getLong(8);
        ByteBuffer response =
                ByteBuffer.allocate(36 + 18).put(0, (byte) 0xC1).putInt(4, 1).putLong(8, tag);
        response.put(18, (byte) 0x22)
                .put(19, (byte) 2)
                .putInt(24, 30)
                .putInt(28, 18)
                .put(36, (byte) 0x70);
        target.send(response);

        assertThat(command.outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(command.scsiStatus()).isEqualTo(2);
        assertThat(command.residual()).isEqualTo(30);
        assertThat(command.transferred()).isEqualTo(6);
        assertThat(command.senseLength()).isEqualTo(18);
        assertThat(command.sense()[0]).isEqualTo((byte) 0x70);
    }

    @Test
    void writesImmediateDataOnlyWhenTheTargetTakesIt() throws VerbsException {
        SrpSession session =
                target.login(ScriptedTarget.configuration().immediateData(true).build(), 10);
        InitiatorCommand command = acquire(session).write(5, 1, 512).immediate();
        command.data().putInt(508, 0xCAFE);
        command.submit(ended::add);
        ByteBuffer unit = target.next();
        assertThat(unit.capacity()).isEqualTo(68 + 512);
        assertThat(unit.get(5)).isEqualTo((byte) 0x30);
        assertThat(unit.getInt(48)).isEqualTo(512);
        assertThat(unit.getInt(68 + 508)).isEqualTo(0xCAFE);

        ScriptedTarget other = new ScriptedTarget();
        SrpSession plain =
                other.connect(ScriptedTarget.configuration().immediateData(true).build());
        other.accept(ScriptedTarget.loginResponse(10, 0));
        acquire(plain).write(5, 1, 512).immediate().submit(ended::add);
        assertThat(other.next().get(5)).isEqualTo((byte) 0x10);
    }

    @Test
    void describesDataIndirectlyWithATableThatTheTargetCanFetch() throws VerbsException {
        SrpSession session =
                target.login(ScriptedTarget.configuration().maxDescriptors(3).build(), 10);
        InitiatorCommand command = acquire(session).write(0, 2, 512).indirect(3, 1);
        command.data().put(1023, (byte) 9);
        command.submit(ended::add);

        ByteBuffer unit = target.next();
        assertThat(unit.capacity()).isEqualTo(48 + 20 + 16);
        assertThat(unit.get(5)).isEqualTo((byte) 0x20);
        assertThat(unit.get(6)).isEqualTo((byte) 1);
        assertThat(unit.getInt(60)).isEqualTo(48);
        assertThat(unit.getInt(64)).isEqualTo(1024);
        ByteBuffer table = target.device.memory(unit.getInt(56), unit.getLong(48), 48);
        assertThat(table.getLong(0)).isEqualTo(unit.getLong(68));
        assertThat(table.getInt(12) + table.getInt(28) + table.getInt(44)).isEqualTo(1024);
        ByteBuffer last = target.device.memory(table.getInt(40), table.getLong(32), table.getInt(44));
        assertThat(last.get(last.capacity() - 1)).isEqualTo((byte) 9);
    }

    @Test
    void holdsCommandsBackWithoutCreditsAndKeepsOneForTaskManagement() throws VerbsException {
        SrpSession session = target.login(ScriptedTarget.configuration().build(), 2);
        for (int index = 0; index < 3; index++) {
            acquire(session).read(index, 1, 512).submit(ended::add);
        }
        assertThat(target.pending()).isEqualTo(1);
        assertThat(session.availableCredits()).isEqualTo(1);
        assertThat(session.counters().creditWaits()).isEqualTo(2);

        long first = target.next().getLong(8);
        target.answer(first, 0);
        assertThat(target.pending()).as("no credit came back").isZero();
        target.send(ByteBuffer.allocate(16).put(0, (byte) 0x81).putInt(4, 2).putLong(8, 77));

        assertThat(target.pending()).isEqualTo(3);
        ByteBuffer creditResponse = target.next();
        assertThat(creditResponse.get(0)).isEqualTo((byte) 0x41);
        assertThat(creditResponse.getLong(8)).isEqualTo(77);
        assertThat(target.next().getLong(34)).isEqualTo(1);
        assertThat(target.next().getLong(34)).isEqualTo(2);
    }

    @Test
    void usesTheOnlyCreditOfAVerySmallTarget() throws VerbsException {
        SrpSession session = target.login(ScriptedTarget.configuration().build(), 1);
        acquire(session).read(0, 1, 512).submit(ended::add);

        target.answer(target.next().getLong(8), 1);

        assertThat(ended).hasSize(1);
    }

    @Test
    void sendsWhatWaitedForAFreeSendSlot() throws VerbsException {
        SrpSession session = target.login(ScriptedTarget.configuration().build(), 10);
        target.queuePair().limit = 3;
        for (int index = 0; index < 4; index++) {
            acquire(session).read(index, 1, 512).submit(ended::add);
        }
        assertThat(target.pending()).isEqualTo(3);
        target.loop.settle();

        assertThat(target.pending()).isEqualTo(4);
    }

    @Test
    void answersAsynchronousEventsAndPostsTheBufferAgain() throws VerbsException {
        target.login(ScriptedTarget.configuration().build(), 10);
        int posted = target.queuePair().postedReceives();
        target.send(
                ByteBuffer.allocate(36 + 18).put(0, (byte) 0x82).putLong(8, 5).putLong(20, 0x0001_0000_0000_0000L));

        ByteBuffer answer = target.next();
        assertThat(answer.capacity()).isEqualTo(16);
        assertThat(answer.get(0)).isEqualTo((byte) 0x42);
        assertThat(answer.getLong(8)).isEqualTo(5);
        assertThat(target.events).containsExactly(0x0001_0000_0000_0000L);
        assertThat(target.queuePair().postedReceives()).isEqualTo(posted);
    }

    @Test
    void ignoresALateAnswerToAReusedSlot() throws VerbsException {
        SrpSession session =
                target.login(ScriptedTarget.configuration().queueDepth(1).build(), 10);
        InitiatorCommand command = acquire(session).read(0, 1, 512);
        command.submit(ended::add);
        long tag = target.next().getLong(8);
        target.answer(tag, 1);
        command.reset().read(1, 1, 512).submit(ended::add);
        target.answer(tag, 1);

        assertThat(ended).hasSize(1);
        assertThat(session.counters().unknownTags()).isEqualTo(1);
        target.answer(target.next().getLong(8), 1);
        assertThat(ended).hasSize(2);
    }

    @Test
    void abortsACommandInFlight() throws VerbsException {
        SrpSession session = target.login(ScriptedTarget.configuration().build(), 10);
        InitiatorCommand command = acquire(session).lun(1).read(0, 1, 512);
        command.submit(ended::add);
        long tag = target.next().getLong(8);
        List<SrpTaskManagementCallback.Result> results = new ArrayList<>();
        assertThat(session.abort(command, (function, result) -> results.add(result)))
                .isTrue();

        ByteBuffer unit = target.next();
        assertThat(unit.get(0)).isEqualTo((byte) 1);
        assertThat(unit.get(30)).isEqualTo((byte) 1);
        assertThat(unit.getLong(20)).isEqualTo(0x0001_0000_0000_0000L);
        assertThat(unit.getLong(32)).isEqualTo(tag);
        target.send(ScriptedTarget.taskResponse(unit.getLong(8), 0));

        assertThat(results).containsExactly(SrpTaskManagementCallback.Result.COMPLETE);
        assertThat(command.outcome()).isEqualTo(Outcome.ABORTED);
    }

    @Test
    void resetsALogicalUnitAndLeavesTheOthersAlone() throws VerbsException {
        SrpSession session = target.login(ScriptedTarget.configuration().build(), 10);
        InitiatorCommand hit = acquire(session).lun(1).read(0, 1, 512);
        InitiatorCommand missed = acquire(session).lun(2).read(0, 1, 512);
        hit.submit(ended::add);
        missed.submit(ended::add);
        List<SrpTaskManagementCallback.Result> results = new ArrayList<>();
        long lun = 0x0001_0000_0000_0000L;
        session.manageTasks(SrpTaskFunction.LUN_RESET, lun, 0, (function, result) -> results.add(result));
        InitiatorCommand later = acquire(session).lun(1).read(0, 1, 512);
        later.submit(ended::add);
        target.next();
        target.next();
        target.send(ScriptedTarget.taskResponse(target.next().getLong(8), 0));

        assertThat(ended).containsExactly(hit);
        assertThat(results).containsExactly(SrpTaskManagementCallback.Result.COMPLETE);
    }

    @Test
    void reportsATaskManagementFunctionThatFailed() throws VerbsException {
        SrpSession session = target.login(ScriptedTarget.configuration().build(), 10);
        List<SrpTaskManagementCallback.Result> results = new ArrayList<>();
        session.manageTasks(SrpTaskFunction.CLEAR_ACA, 0, 0, (function, result) -> results.add(result));
        target.send(ScriptedTarget.taskResponse(target.next().getLong(8), 4));
        session.manageTasks(SrpTaskFunction.CLEAR_ACA, 0, 0, (function, result) -> results.add(result));
        target.send(ScriptedTarget.response(target.next().getLong(8), 1));

        assertThat(results)
                .containsExactly(
                        SrpTaskManagementCallback.Result.NOT_SUPPORTED, SrpTaskManagementCallback.Result.FAILED);
    }

    @Test
    void logsOutAndEndsWhatIsInFlight() throws VerbsException {
        SrpSession session = target.login(ScriptedTarget.configuration().build(), 2);
        InitiatorCommand sent = acquire(session).read(0, 1, 512);
        InitiatorCommand waiting = acquire(session).read(1, 1, 512);
        sent.submit(ended::add);
        waiting.submit(ended::add);
        session.logout();
        session.logout();

        assertThat(ended).containsExactly(sent, waiting);
        assertThat(sent.outcome()).isEqualTo(Outcome.SESSION_LOST);
        assertThat(target.device.connection().disconnects).isEqualTo(1);
        assertThat(session.acquire()).isNull();
        target.disconnected();
        assertThat(target.closeReason).isEqualTo(CloseReason.LOGOUT);
        assertThat(target.hasFreedEverything()).isTrue();
    }

    @Test
    void closesWhenTheTargetDisconnects() throws VerbsException {
        SrpSession session = target.login(ScriptedTarget.configuration().build(), 2);
        acquire(session).read(0, 1, 512).submit(ended::add);
        target.queuePair().modifyToError();
        target.disconnected();

        assertThat(ended).hasSize(1);
        assertThat(target.closeReason).isEqualTo(CloseReason.TARGET_LOGOUT);
        assertThat(target.hasFreedEverything()).isTrue();
    }

    @Test
    void disconnectsWhenWorkFails() throws VerbsException {
        target.login(ScriptedTarget.configuration().build(), 2);
        target.queuePair().failSend(WorkCompletionStatus.RETRY_EXCEEDED);
        target.loop.settle();
        assertThat(target.device.connection().disconnects).isEqualTo(1);
        target.disconnected();

        assertThat(target.closeReason).isEqualTo(CloseReason.TRANSPORT_ERROR);
    }

    @Test
    void disconnectsWhenACommandIsNotAnsweredInTime() throws VerbsException {
        SrpSession session = target.login(
                ScriptedTarget.configuration().commandTimeoutNanos(1_000_000).build(), 2);
        acquire(session).read(0, 1, 512).submit(ended::add);
        target.loop.advance(900_000);
        assertThat(session.state()).isEqualTo(SrpSessionState.LIVE);
        target.loop.advance(400_000);
        target.disconnected();

        assertThat(ended).hasSize(1);
        assertThat(target.closeReason).isEqualTo(CloseReason.COMMAND_TIMEOUT);
    }

    @Test
    void disconnectsOnMessagesThatAreNoSrp() throws VerbsException {
        SrpSession session = target.login(ScriptedTarget.configuration().build(), 2);
        target.send(ByteBuffer.allocate(16).put(0, (byte) 0x55));
        target.disconnected();
        assertThat(session.counters().malformed()).isEqualTo(1);
        assertThat(target.closeReason).isEqualTo(CloseReason.PROTOCOL_ERROR);

        ScriptedTarget other = new ScriptedTarget();
        other.login(ScriptedTarget.configuration().build(), 2);
        other.send(ScriptedTarget.response(0, 1).put(18, (byte) 2).putInt(28, -1));
        other.disconnected();
        assertThat(other.closeReason).isEqualTo(CloseReason.PROTOCOL_ERROR);
    }

    @Test
    void endsOnTargetLogout() throws VerbsException {
        target.login(ScriptedTarget.configuration().build(), 2);
        target.send(ByteBuffer.allocate(16).put(0, (byte) 0x80));
        target.disconnected();

        assertThat(target.closeReason).isEqualTo(CloseReason.TARGET_LOGOUT);
    }

    private static InitiatorCommand acquire(SrpSession session) {
        InitiatorCommand command = session.acquire();
        assertThat(command).isNotNull();
        return command;
    }
}
