package io.srpt.scsi;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One SCSI command on its way through the device server; preallocated with its command slot and used again.
 *
 * <p>Its states are in {@link TaskLife}, its data in {@link TaskBuffers}, its way to the store in {@link StoreAccess}. Lengths are
 * bytes. Owner loop only.
 */
public final class ScsiTask {
    private final ScsiTaskListener listener;
    private final TaskLife life = new TaskLife();
    private final Cdb cdb = new Cdb();
    /** Made when the first command has sense data. */
    private @Nullable ByteBuffer sense;

    private final TaskBuffers buffers = new TaskBuffers();
    private final StoreAccess store = new StoreAccess(this);

    private @Nullable DeviceServer server;
    private @Nullable Nexus nexus;
    private @Nullable LogicalUnit unit;
    private @Nullable CommandDescriptor descriptor;
    private long rawLun;
    private boolean internal;
    private TaskAttribute attribute = TaskAttribute.SIMPLE;
    private ScsiStatus status = ScsiStatus.GOOD;
    private int senseLength;

    /** What the command remembers between its calls, such as how far it has come; 0 at the beginning. */
    int commandStep;

    /** What a command of several store operations remembers between them; null at the beginning. */
    @Nullable
    TaskWork work;

    /** Its place in the unit's task set; for {@link TaskSet}. */
    @Nullable
    ScsiTask nextInSet;

    @Nullable
    ScsiTask previousInSet;

    boolean dormant;

    /** A task whose events go to {@code listener} for good. */
    public ScsiTask(ScsiTaskListener listener) {
        this.listener = listener;
    }

    /**
     * Makes the task a new command. The CDB is copied; nothing of the arguments but {@code nexus} is kept.
     *
     * @param lun the eight bytes of the LUN as a big-endian number
     * @param dataOutLength bytes that the initiator's data-out descriptors cover
     * @param dataInLength bytes that its data-in descriptors cover
     * @throws IllegalStateException while the task is in use, or the store still works with its buffers
     */
    public ScsiTask prepare(
            Nexus nexus,
            long lun,
            TaskAttribute attribute,
            ByteBuffer cdb,
            int cdbOffset,
            int cdbLength,
            long dataOutLength,
            long dataInLength) {
        reset();
        this.internal = false;
        this.nexus = nexus;
        this.rawLun = lun;
        this.attribute = attribute;
        this.cdb.copy(cdb, cdbOffset, cdbLength);
        buffers.reset(dataOutLength, dataInLength);
        return this;
    }

    /** Drops what the last command left, its buffers above all. Fails as {@link #prepare} does. */
    public void reset() {
        if (store.isBusy() || !life.isOver()) {
            throw new IllegalStateException("the task is in use: " + life + (store.isBusy() ? ", store busy" : ""));
        }
        life.prepare();
        if (work != null) {
            work.release();
            work = null;
        }
        store.reset();
        buffers.reset(0, 0);
        nexus = null;
        unit = null;
        descriptor = null;
        status = ScsiStatus.GOOD;
        senseLength = 0;
        commandStep = 0;
    }

    // What the target asks after begin.

    /** Bytes that the CDB asks to transfer: blocks, a parameter list length or an allocation length. */
    public long transferLength() {
        return buffers.transferLength();
    }

    public DataDirection direction() {
        return buffers.direction();
    }

    /** Bytes that the target must fetch from the initiator before {@link DeviceServer#execute}; often 0. */
    public int dataOutCapacity() {
        return buffers.outCapacity();
    }

    /** Bytes of buffer that the target must supply for {@link DeviceServer#execute}; often 0. */
    public int dataInCapacity() {
        return buffers.inCapacity();
    }

    /**
     * Supplies the buffers: {@code [position, limit)} of the first {@code count}, together {@code length} bytes, which must
     * be {@link #dataOutCapacity()} or {@link #dataInCapacity()}. They and the array stay untouched by the target until the
     * task is done (and {@link #isStoreBusy()} is false); positions and limits are then as before.
     */
    public void data(ByteBuffer[] segments, int count, int length) {
        buffers.supply(segments, count, length);
    }

    // What the target asks when the task is done.

    public ScsiStatus status() {
        return status;
    }

    /** Sense data from index 0 on, {@link #senseLength()} bytes. */
    public ByteBuffer sense() {
        ByteBuffer made = sense;
        if (made == null) {
            made = ByteBuffer.allocate(SenseData.MAX_LENGTH);
            sense = made;
        }
        return made;
    }

    /** 0 when there is no sense data. */
    public int senseLength() {
        return senseLength;
    }

    /** Bytes of data-in that lie in the buffers and are to go to the initiator. */
    public int dataInProduced() {
        return buffers.inProduced();
    }

    /**
     * The data-in residual: positive, as many bytes of the initiator's buffer are left over (underflow); negative, as many
     * bytes did not fit (overflow).
     */
    public long residualIn() {
        return buffers.residualIn();
    }

    /** The data-out residual, with signs as {@link #residualIn()} has them. */
    public long residualOut() {
        return buffers.residualOut();
    }

    /** Whether the store still works with the buffers, though the task itself may have ended. */
    public boolean isStoreBusy() {
        return store.isBusy();
    }

    public Nexus nexus() {
        return Objects.requireNonNull(nexus);
    }

    public long rawLun() {
        return rawLun;
    }

    public TaskAttribute attribute() {
        return attribute;
    }

    /** What kind of command it is. */
    public OperationKind operation() {
        return cdb.operation();
    }

    /**
     * Makes the task a command of 16 bytes that another command of {@code nexus} sends: it does not wait for older tasks, of
     * which that one is, and reports no unit attention, which the initiator is to hear of.
     */
    void prepareInternal(Nexus by, long lun, ByteBuffer from, long dataOutLength, long dataInLength) {
        prepare(by, lun, TaskAttribute.SIMPLE, from, 0, CdbEncoder.LENGTH, dataOutLength, dataInLength);
        internal = true;
    }

    boolean isInternal() {
        return internal;
    }

    // For the device server.

    ScsiTaskListener listener() {
        return listener;
    }

    void enterBegin(DeviceServer by) {
        Objects.requireNonNull(nexus);
        life.begin();
        server = by;
    }

    void route(@Nullable LogicalUnit to, @Nullable CommandDescriptor as) {
        unit = to;
        descriptor = as;
    }

    TaskPhase leaveBegin(TaskPhase phase) {
        return life.leaveBegin(phase);
    }

    /** False when the task ended meanwhile and there is nothing to execute. */
    boolean enterExecute() {
        boolean executes = life.execute();
        if (executes && !buffers.isSupplied()) {
            throw new IllegalStateException("buffers of " + buffers.length() + " bytes for " + dataOutCapacity()
                    + " out, " + dataInCapacity() + " in");
        }
        return executes;
    }

    /** What the CDB is; null when there is no such command. */
    @Nullable
    CommandDescriptor descriptor() {
        return descriptor;
    }

    ScsiCommand command() {
        return Objects.requireNonNull(descriptor).command();
    }

    DeviceServer server() {
        return Objects.requireNonNull(server);
    }

    /** The unit the command is for; null where the LUN names none. */
    @Nullable
    LogicalUnit unitIfAny() {
        return unit;
    }

    /** Its response is about to be posted, so many nanoseconds after it has come. */
    public void onResponse(long nanos) {
        LogicalUnit in = unit;
        if (in != null) {
            in.counters().nanos(operation()).add(nanos);
        }
    }

    /** Whether the task can still be aborted. */
    boolean isActive() {
        return life.isActive();
    }

    boolean isExecuting() {
        return life.isExecuting();
    }

    /** Ends the task without status. What waited for it goes on when its unit is told by {@link LogicalUnit#onTaskEnded}. */
    void markAborted() {
        life.abort();
        LogicalUnit in = unit;
        if (in != null) {
            in.leave(this);
            in.counters().aborts.increment();
            in.counters().aborted(operation()).increment();
        }
        if (work != null) {
            work.onTaskEnded();
        }
    }

    // For the commands.

    /** The unit the command is for; only for commands that are never called without. */
    LogicalUnit unit() {
        return Objects.requireNonNull(unit);
    }

    Cdb cdb() {
        return cdb;
    }

    /** Bytes that the initiator's data-out descriptors cover. */
    long dataOutLength() {
        return buffers.outDescribed();
    }

    /** Announces data-in of {@code wanted} bytes, of which at most {@code bound} can ever be produced. */
    TaskPhase wantDataIn(long wanted, long bound) {
        buffers.wantIn(wanted, bound);
        return TaskPhase.READY;
    }

    /** Announces data-out of {@code wanted} bytes. */
    TaskPhase wantDataOut(long wanted) {
        buffers.wantOut(wanted);
        return TaskPhase.NEEDS_DATA_OUT;
    }

    TaskBuffers buffers() {
        return buffers;
    }

    int dataLength() {
        return buffers.length();
    }

    /** Why this command must not write, or null: nobody may, or not its nexus. */
    @Nullable
    Sense writeRefusal() {
        return nexus().view().isReadOnly(Lun.decode(rawLun)) ? Sense.WRITE_PROTECTED : unit().writeRefusal();
    }

    /** The data-out as one buffer from index 0 on; for parameter lists. */
    ByteBuffer parameterList() {
        ByteBuffer list = ByteBuffer.allocate(dataLength());
        buffers.copyOut(0, list, 0, dataLength());
        return list;
    }

    /** The work that {@link RangeWork#begin} has begun. */
    RangeWork work() {
        return (RangeWork) Objects.requireNonNull(work);
    }

    /** What the command does with its unit's store. */
    StoreAccess store() {
        return store;
    }

    // The ways to end a task; each returns DONE, for begin to return.

    TaskPhase finishGood() {
        return finish(ScsiStatus.GOOD);
    }

    /** Ends a READ whose data fills the buffers. */
    TaskPhase finishRead() {
        buffers.producedAll();
        return finish(ScsiStatus.GOOD);
    }

    /** Ends with the first {@code length} bytes of {@code from} as data-in, cut to the allocation length and the buffers. */
    TaskPhase finishWithData(ByteBuffer from, int length) {
        buffers.produce(from, length);
        return finish(ScsiStatus.GOOD);
    }

    TaskPhase checkCondition(Sense what) {
        return checkCondition(what, SenseData.NO_INFORMATION);
    }

    TaskPhase checkCondition(Sense what, long information) {
        return checkCondition(what, information, SenseData.NOTHING_SPECIFIC);
    }

    /** Refuses the command for what byte {@code at} of its CDB says; the sense data points at it. */
    TaskPhase invalidField(int at) {
        return checkCondition(Sense.INVALID_FIELD_IN_CDB, SenseData.NO_INFORMATION, SenseData.field(false, at));
    }

    /** {@code specific}: the sense-key specific field, as {@link SenseData} makes it. */
    TaskPhase checkCondition(Sense what, long information, int specific) {
        LogicalUnit at = unit;
        boolean descriptor = at != null && at.mode().descriptorSense();
        senseLength = SenseData.encode(sense(), 0, what, descriptor, information, specific);
        return finish(ScsiStatus.CHECK_CONDITION);
    }

    TaskPhase finish(ScsiStatus with) {
        boolean beginning = life.isBeginning();
        buffers.took(with == ScsiStatus.GOOD);
        status = with;
        life.finish();
        LogicalUnit at = unit;
        if (at != null) {
            at.leave(this);
        }
        if (work != null) {
            work.onTaskEnded();
        }
        server().count(this);
        if (!beginning) {
            listener.onTaskDone(this);
            if (at != null) {
                at.onTaskEnded(); // after the listener, so that what waited is answered later
            }
        }
        return TaskPhase.DONE;
    }
}
