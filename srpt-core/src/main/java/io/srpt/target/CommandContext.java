package io.srpt.target;

import io.srpt.scsi.DataDirection;
import io.srpt.scsi.LogicalUnit;
import io.srpt.scsi.ScsiTask;
import io.srpt.scsi.ScsiTaskListener;
import io.srpt.scsi.Sense;
import io.srpt.scsi.TaskAttribute;
import io.srpt.scsi.TaskPhase;
import io.srpt.srp.BufferFormat;
import io.srpt.srp.CommandCheck;
import io.srpt.srp.CommandValidator;
import io.srpt.srp.DescriptorTable;
import io.srpt.srp.SrpCommand;

/**
 * One command, or one task management function, from the arrival of its unit to the completion of its response. A channel has
 * a fixed number of contexts and uses them again; nothing is allocated for a command.
 *
 * <pre>
 *   event                        NEW            NEED_DATA        DATA_IN        CMD_RSP_SENT   MGMT
 *   a fault delays or drops it   stays
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
final class CommandContext implements ScsiTaskListener, DataBufferPool.Waiter {
    private final SrptPort port;
    private final SrptChannel channel;
    private final ReceiveRing receives;
    private final int index;
    private final SrpCommand command = new SrpCommand();
    private final DescriptorTable tableReference = new DescriptorTable();
    private final DescriptorTable fetchedTable = new DescriptorTable();
    private final Transfer transfer = new Transfer();
    private final ScsiTask task = new ScsiTask(this);
    private final CommandReport report;

    private final CommandData data;
    private final HeldCommand hold;

    private int chunksNeeded;

    private CommandState state = CommandState.DONE;
    private int slot;
    private long tag;
    private int dataLength;
    private DescriptorTable table = tableReference;
    private boolean partialTable;
    private boolean awaitingChunks;
    private boolean readingTable;
    private boolean wireBusy;
    private boolean taskActive;
    private boolean taskOver;
    private boolean statusDue;
    private long startNanos;
    private TaskManagementFunction managementFunction = TaskManagementFunction.UNKNOWN;

    CommandContext(SrptPort port, SrptChannel channel, ReceiveRing receives, int index) {
        this.port = port;
        this.channel = channel;
        this.receives = receives;
        this.index = index;
        this.data = new CommandData(receives.buffer());
        this.report = new CommandReport(port, channel, this);
        this.hold = new HeldCommand(port.rdmaPort().loop(), this::resume);
    }

    /** Takes the context for the unit in {@code newSlot}. */
    void take(int newSlot, CommandState first, long newTag) {
        assert state == CommandState.DONE;
        state = first;
        slot = newSlot;
        tag = newTag;
        dataLength = 0;
        partialTable = false;
        readingTable = false;
        wireBusy = false;
        taskActive = false;
        taskOver = false;
        statusDue = true;
        startNanos = channel.nanoTime();
        transfer.clear();
    }

    // An SRP_CMD.

    /** Starts the command whose unit of {@code received} bytes, at least a header, lies in the receive buffer. */
    void start(int received) {
        command.wrap(receives.buffer(), receives.unitOffset(slot));
        report.start(command);
        CommandCheck check = CommandValidator.validate(
                command, received, channel.immediateOffset(), port.limits().requestLength());
        port.counters().commandChecks(check).increment();
        if (!check.isGood()) {
            reject(
                    check == CommandCheck.BIDIRECTIONAL
                            ? Sense.INVALID_FIELD_IN_CDB
                            : Sense.INVALID_FIELD_IN_COMMAND_INFORMATION_UNIT);
            return;
        }
        partialTable = check == CommandCheck.PARTIAL_TABLE;
        table = command.descriptors();
        port.counters().countFormat(command, partialTable);
        prepare();
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

    private void prepare() {
        boolean toInitiator = command.dataInFormat() != BufferFormat.NONE;
        long described = command.dataLength();
        task.prepare(
                channel.scsiNexus(),
                command.lun(),
                attribute(command.taskAttribute()),
                command.buffer(),
                command.cdbOffset(),
                command.cdbLength(),
                toInitiator ? 0 : described,
                toInitiator ? described : 0);
    }

    private void begin() {
        taskActive = true;
        port.counters().tasksInUse.increment();
        TaskPhase phase = port.deviceServer().begin(task);
        switch (phase) {
            case DONE -> onTaskDone(task);
            case NEEDS_DATA_OUT -> needData(task.dataOutCapacity());
            case READY -> needData(task.dataInCapacity());
        }
    }

    private static TaskAttribute attribute(int code) {
        return switch (code) {
            case SrpCommand.ATTRIBUTE_SIMPLE -> TaskAttribute.SIMPLE;
            case SrpCommand.ATTRIBUTE_HEAD_OF_QUEUE -> TaskAttribute.HEAD_OF_QUEUE;
            case SrpCommand.ATTRIBUTE_ACA -> TaskAttribute.ACA;
            default -> TaskAttribute.ORDERED;
        };
    }

    private void needData(int length) {
        dataLength = length;
        if (length == 0) {
            execute(0);
        } else if (command.dataFormat() == BufferFormat.IMMEDIATE) {
            useImmediateData();
        } else if (length > port.config().maxTransferLength()) {
            withdraw(Sense.INVALID_FIELD_IN_CDB);
        } else {
            chunksNeeded = DataBufferPool.chunksFor(length) + (partialTable ? 1 : 0);
            awaitingChunks = true;
            port.dataBuffers().request(this);
        }
    }

    private void useImmediateData() {
        int from = command.offset() + channel.immediateOffset();
        data.use(receives.view(slot).clear().position(from).limit(from + dataLength));
        port.counters().immediateBytes.add(dataLength);
        channel.channelCounters().bytesFromInitiator.add(dataLength);
        execute(1);
    }

    @Override
    public int chunksNeeded() {
        return chunksNeeded;
    }

    @Override
    public void onChunksAvailable() {
        awaitingChunks = false;
        data.take(port.dataBuffers(), chunksNeeded, dataLength);
        if (partialTable) {
            readTable();
        } else {
            moveData();
        }
    }

    @Override
    public void onChunksRefused() {
        awaitingChunks = false;
        abortTask();
        taskOver = true;
        channel.responses().busy(index, tag);
        respond();
    }

    private void readTable() {
        tableReference.wrap(command.buffer(), command.offset() + command.descriptorOffset(), 1);
        state = CommandState.NEED_DATA;
        readingTable = true;
        wireBusy = true;
        transfer.start(tableReference, data.tableChunk(), command.tableCount() * DescriptorTable.DESCRIPTOR_LENGTH);
        channel.sendQueue().add(this);
    }

    private void moveData() {
        if (task.direction() == DataDirection.OUT) {
            state = CommandState.NEED_DATA;
            wireBusy = true;
            transfer.start(table, data.chunks(), dataLength);
            channel.sendQueue().add(this);
        } else {
            execute(DataBufferPool.chunksFor(dataLength));
        }
    }

    /** The last RDMA READ that this context had posted ended; {@code good} tells how. */
    void onReadDone(boolean good) {
        wireBusy = false;
        if (taskOver || !good || state != CommandState.NEED_DATA) {
            finishIfIdle();
        } else if (readingTable) {
            readingTable = false;
            onTableRead();
        } else {
            execute(DataBufferPool.chunksFor(dataLength));
        }
    }

    private void onTableRead() {
        table = fetchedTable.wrap(data.tableBuffer(), 0, (int) command.tableCount());
        if (table.totalLength() < command.dataLength()) {
            port.counters().commandChecks(CommandCheck.TABLE_BELOW_TOTAL).increment();
            withdraw(Sense.INVALID_FIELD_IN_COMMAND_INFORMATION_UNIT);
        } else {
            moveData();
        }
    }

    private void execute(int segmentCount) {
        state = CommandState.DATA_IN;
        task.data(data.segments(), segmentCount, dataLength);
        port.deviceServer().execute(task);
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
        if (awaitingChunks) {
            awaitingChunks = false;
            port.dataBuffers().cancel(this);
        }
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

    private void withdraw(Sense sense) {
        abortTask();
        taskOver = true;
        reject(sense);
    }

    private void reject(Sense sense) {
        channel.responses().rejected(index, tag, sense);
        respond();
    }

    private void finishIfIdle() {
        if (!taskOver || wireBusy || task.isStoreBusy() || isResponding() || state == CommandState.DONE) {
            return;
        }
        if (statusDue && channel.isLive()) {
            channel.responses().ofTask(index, tag, task);
            respond();
        } else {
            port.counters().commandsWithoutResponse.increment();
            channel.endWithoutResponse(this, slot);
        }
    }

    private void respond() {
        if (!channel.isLive()) {
            port.counters().commandsWithoutResponse.increment();
            channel.endWithoutResponse(this, slot);
            return;
        }
        int produced = taskOver ? producedByTask() : 0;
        if (produced > 0) {
            transfer.start(table, data.chunks(), produced);
        } else {
            transfer.clear();
            data.release(port.dataBuffers());
        }
        state = CommandState.CMD_RSP_SENT;
        channel.sendQueue().add(this);
    }

    private int producedByTask() {
        return !data.isEmpty() && task.direction() == DataDirection.IN ? task.dataInProduced() : 0;
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
        channel.onManagementAnswered(slot, code);
        state = CommandState.MGMT_RSP_SENT;
        channel.responses().ofManagement(index, tag, code);
        channel.sendQueue().add(this);
    }

    // For the send queue and the channel.

    /** The response is about to be posted: gives the receive back and takes the credits that go with it. */
    void beforeResponse() {
        if (state == CommandState.CMD_RSP_SENT) {
            port.counters().responses.increment();
            port.counters().commandNanos(task.operation()).record(channel.nanoTime() - startNanos);
        }
        channel.repost(slot);
        channel.responses().credits(index, channel.credits().takeForResponse());
    }

    /** The channel is drained: the wire no longer touches anything. Frees it now, or when the store is through. */
    void onDrained() {
        wireBusy = false;
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
        assert !wireBusy && !task.isStoreBusy() && !awaitingChunks && !hold.isHeld();
        report.end();
        state = CommandState.DONE;
        transfer.clear();
        task.reset();
        data.release(port.dataBuffers());
    }

    int index() {
        return index;
    }

    CommandState state() {
        return state;
    }

    long tag() {
        return tag;
    }

    Transfer transfer() {
        return transfer;
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

    /** Whether its task was ended but the store may still write what it brought. */
    boolean mayStillWrite() {
        return taskOver && task.isStoreBusy() && task.direction() == DataDirection.OUT;
    }

    /** Whether its nexus means {@code unit} by its LUN. */
    boolean isFor(LogicalUnit unit) {
        return port.deviceServer().logicalUnit(channel.scsiNexus(), task.rawLun()) == unit;
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
            case OUT -> dataLength;
        };
    }

    int readKind() {
        return readingTable ? WorkRequestId.TABLE_READ : WorkRequestId.DATA_READ;
    }
}
