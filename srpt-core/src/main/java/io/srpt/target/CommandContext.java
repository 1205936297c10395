package io.srpt.target;

import io.srpt.scsi.DataDirection;
import io.srpt.scsi.LogicalUnit;
import io.srpt.scsi.Lun;
import io.srpt.scsi.ScsiTask;
import io.srpt.scsi.ScsiTaskListener;
import io.srpt.scsi.Sense;
import io.srpt.scsi.TaskPhase;
import io.srpt.srp.CommandCheck;
import io.srpt.srp.CommandValidator;
import io.srpt.srp.SrpCommand;
import java.nio.ByteBuffer;

/**
 * One command, or one task management function, from the arrival of its unit to the completion of its response. A channel has
 * a fixed number of contexts and uses them again; nothing is allocated for a command.
 *
 * <pre>
 *   event                        NEW            NEED_DATA        DATA_IN        CMD_RSP_SENT   MGMT
 *   a fault delays or drops it   stays
 *   older tasks come first       stays
 *   the task wants data-out      NEED_DATA
 *   the task wants buffers       waits, DATA_IN
 *   the task is done             CMD_RSP_SENT   when reads end   CMD_RSP_SENT
 *   RDMA READ of the table ends                 reads data, or DATA_IN
 *   RDMA READ of the data ends                  DATA_IN
 *   the function is carried out                                                                MGMT_RSP_SENT
 *   the task was aborted         DONE           when reads end   when the store is through
 *   the response completed                                                     DONE           (MGMT_RSP_SENT) DONE
 *   the channel was drained      DONE           DONE             when the store is through     DONE for all others
 * </pre>
 *
 * <p>A context goes back to its channel only when neither the wire nor the store can touch its buffers any more. Its receive
 * buffer, with the CDB, descriptors and immediate data, is held until just before the response.
 */
final class CommandContext implements ScsiTaskListener {
    private final SrptPort port;
    private final SrptChannel channel;
    private final HeldReceive receive;
    private final int index;
    private final SrpCommand command = new SrpCommand();
    private final ScsiTask task = new ScsiTask(this);
    private final CommandReport report;
    private final DataPhase data;
    private final HeldCommand hold;

    private CommandState state = CommandState.DONE;
    private long tag;
    private int solicitation;
    private boolean taskActive;
    private boolean taskOver;
    private boolean statusDue;
    private long startNanos;
    private TaskManagementFunction managementFunction = TaskManagementFunction.UNKNOWN;

    CommandContext(SrptPort port, SrptChannel channel, int index) {
        this.port = port;
        this.channel = channel;
        this.receive = new HeldReceive(channel.receives());
        this.index = index;
        this.data = new DataPhase(port, channel, this, command);
        this.report = new CommandReport(port, channel, this);
        this.hold = new HeldCommand(port.rdmaPort().loop(), this::resume);
    }

    /** Takes the context for the unit in {@code newSlot}, whose solicited notification bits are {@code solicited}. */
    void take(int newSlot, CommandState first, long newTag, int solicited) {
        assert state == CommandState.DONE;
        state = first;
        receive.take(newSlot);
        tag = newTag;
        solicitation = solicited;
        taskActive = false;
        taskOver = false;
        statusDue = true;
        startNanos = channel.turnNanoTime();
        data.clear();
    }

    // An SRP_CMD.

    /** Starts the command whose unit of {@code received} bytes, at least a header, lies in the receive buffer. */
    void start(int received) {
        command.wrap(channel.receives().buffer(), receive.unitOffset());
        report.start(command);
        CommandCheck check = CommandValidator.validate(
                command, received, channel.immediateOffset(), channel.limits().requestLength());
        port.counters().commandChecks(check).increment();
        if (!check.isGood()) {
            reject(
                    check == CommandCheck.BIDIRECTIONAL
                            ? Sense.INVALID_FIELD_IN_CDB
                            : Sense.INVALID_FIELD_IN_COMMAND_INFORMATION_UNIT);
            return;
        }
        boolean partialTable = check == CommandCheck.PARTIAL_TABLE;
        data.describe(partialTable);
        port.counters().countFormat(command, partialTable);
        SrpTasks.prepare(task, channel.scsiNexus(), command);
        Interception interception = port.interception();
        if (interception == null) {
            begin();
        } else {
            suffer(interception.ask(channel, command));
        }
    }

    private void suffer(CommandFault fault) {
        switch (fault) {
            case CommandFault.Pass pass -> begin();
            case CommandFault.Delay delay -> hold.delay(delay.nanos());
            case CommandFault.Drop drop -> hold.forGood();
            case CommandFault.Fail fail -> {
                channel.responses().failed(index, tag, fail);
                respond();
            }
            case CommandFault.KillChannel kill -> {
                hold.forGood();
                channel.end(ChannelEnd.FAULT_INJECTED, "a fault was injected");
            }
        }
    }

    /** The time of a delayed command is over. */
    private void resume() {
        if (channel.isLive()) {
            channel.guarded(this::begin);
        }
    }

    private void begin() {
        taskActive = true;
        port.counters().tasksInUse.increment();
        goOn(port.deviceServer().begin(task));
    }

    @Override
    public void onTaskBegun(ScsiTask begun, TaskPhase phase) {
        if (channel.isLive() || phase == TaskPhase.DONE) {
            channel.guarded(() -> goOn(phase));
        } // else it ends when the channel is drained
    }

    private void goOn(TaskPhase phase) {
        switch (phase) {
            case WAITING -> {
                // for older commands of the unit
            }
            case DONE -> onTaskDone(task);
            case NEEDS_DATA_OUT -> data.bring(task.dataOutCapacity(), true);
            case READY -> data.bring(task.dataInCapacity(), false);
        }
    }

    // What its data tells.

    /** RDMA READs begin. */
    void onReading() {
        state = CommandState.NEED_DATA;
    }

    /** The buffers are there, and filled if it is data-out: executes the task. */
    void onData(ByteBuffer[] segments, int count, int length) {
        state = CommandState.DATA_IN;
        task.data(segments, count, length);
        port.deviceServer().execute(task);
    }

    /** The data can't be moved as the initiator describes it. */
    void onDataRefused(Sense sense) {
        abortTask();
        taskOver = true;
        reject(sense);
    }

    /** There is no memory for the data, and there will be none. */
    void onNoMemory() {
        abortTask();
        taskOver = true;
        channel.responses().busy(index, tag);
        respond();
    }

    /** The last RDMA READ that this context had posted ended; {@code good} tells how. */
    void onReadDone(boolean good) {
        if (good && !taskOver && state == CommandState.NEED_DATA) {
            data.onRead();
        } else {
            data.onWireQuiet();
            finishIfIdle();
        }
    }

    // The end of the task.

    @Override
    public void onTaskDone(ScsiTask ended) {
        taskEnded();
        finishIfIdle();
    }

    @Override
    public void onTaskAborted(ScsiTask ended) {
        statusDue = false;
        taskEnded();
        finishIfIdle();
    }

    @Override
    public void onStoreReleased(ScsiTask ended) {
        finishIfIdle();
    }

    private void taskEnded() {
        taskOver = true;
        hold.cancel();
        if (taskActive) {
            taskActive = false;
            port.counters().tasksInUse.decrement();
        }
        data.stop();
    }

    /** Ends the task without status, by ABORT TASK or because the channel ended. */
    void abort() {
        statusDue = false;
        abortTask();
        taskEnded();
        finishIfIdle();
    }

    private void abortTask() {
        if (taskActive) {
            port.deviceServer().abort(task);
            taskActive = false;
            port.counters().tasksInUse.decrement();
        }
    }

    private void reject(Sense sense) {
        channel.responses().rejected(index, tag, sense);
        respond();
    }

    private void finishIfIdle() {
        if (!taskOver || data.isOnWire() || task.isStoreBusy() || isResponding() || state == CommandState.DONE) {
            return;
        }
        if (statusDue && channel.isLive()) {
            channel.responses().ofTask(index, tag, task);
            respond();
        } else {
            endWithoutResponse();
        }
    }

    private void respond() {
        if (!channel.isLive()) {
            endWithoutResponse();
            return;
        }
        data.send(taskOver && task.direction() == DataDirection.IN ? task.dataInProduced() : 0);
        state = CommandState.CMD_RSP_SENT;
        channel.responses().solicit(index, solicitation);
        channel.sendQueue().add(this);
    }

    private void endWithoutResponse() {
        port.counters().commandsWithoutResponse.increment();
        if (channel.isLive()) {
            receive.post();
            channel.credits().save();
        }
        channel.free(this);
    }

    // Task management.

    /** Remembers which function it carries out. */
    void managementFunction(TaskManagementFunction function) {
        managementFunction = function;
    }

    TaskManagementFunction managementFunction() {
        return managementFunction;
    }

    /** Answers a task management function with a response code. */
    void respondToManagement(int code) {
        assert state == CommandState.MGMT;
        channel.onManagementAnswered(receive.slot(), code);
        state = CommandState.MGMT_RSP_SENT;
        channel.responses().ofManagement(index, tag, code);
        channel.responses().solicit(index, solicitation);
        channel.sendQueue().add(this);
    }

    // For the send queue and the channel.

    /** The response is about to be posted: gives the receive back and takes the credits that go with it. */
    void beforeResponse() {
        if (state == CommandState.CMD_RSP_SENT) {
            port.counters().responses.increment();
            long nanos = channel.nanoTime() - startNanos;
            port.counters().commandNanos(task.operation()).record(nanos);
            task.onResponse(nanos);
        }
        receive.post();
        channel.responses().credits(index, channel.credits().takeForResponse());
    }

    /** The channel is drained: the wire no longer touches anything. Frees it now, or when the store is through. */
    void onDrained() {
        data.onWireQuiet();
        receive.onDrained();
        if (state == CommandState.DONE) {
            return;
        }
        if (isResponding() || state == CommandState.MGMT) {
            channel.free(this);
        } else {
            abort();
        }
    }

    /** Back to DONE: gives up all that it holds. Called by the channel only. */
    void release() {
        assert !task.isStoreBusy() && !hold.isHeld();
        report.end();
        state = CommandState.DONE;
        task.reset();
        data.release();
        receive.giveBack();
    }

    int index() {
        return index;
    }

    int slot() {
        return receive.slot();
    }

    CommandState state() {
        return state;
    }

    long tag() {
        return tag;
    }

    Transfer transfer() {
        return data.transfer();
    }

    int readKind() {
        return data.readKind();
    }

    /** Whether a response is queued or on its way. */
    boolean isResponding() {
        return state == CommandState.CMD_RSP_SENT || state == CommandState.MGMT_RSP_SENT;
    }

    /** Whether it is a command whose task has not ended. */
    boolean isAbortable() {
        return taskActive || hold.isHeld();
    }

    /** Whether a fault keeps it from its beginning, and it is for {@code unit}. */
    boolean isHeldFor(LogicalUnit unit) {
        return hold.isHeld() && isFor(unit);
    }

    /** Whether it was ended without status while RDMA READs were under way, which have not ended yet. */
    boolean isDetaching() {
        return taskOver && !statusDue && data.isOnWire();
    }

    /** Whether its nexus means {@code unit} by its LUN. */
    boolean isFor(LogicalUnit unit) {
        return port.deviceServer().logicalUnit(channel.scsiNexus(), task.rawLun()) == unit;
    }

    /** The number of the LUN that the command is for. */
    int lun() {
        return Lun.decode(task.rawLun());
    }

    CommandReport report() {
        return report;
    }

    DataDirection direction() {
        return task.direction();
    }

    /** Bytes of data that the task brought or was to take. */
    int bytesMoved() {
        return switch (task.direction()) {
            case NONE -> 0;
            case IN -> task.dataInProduced();
            case OUT -> data.length();
        };
    }
}
