package io.srpt.scsi;

import io.srpt.store.StoreCompletion;
import io.srpt.store.StoreStatus;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One SCSI command on its way through the device server; preallocated with its command slot and used again.
 *
 * <pre>
 *  event                    IDLE      BEGINNING  BEGUN      EXECUTING            DONE / ABORTED
 *  prepare                  IDLE      -          -          -                    IDLE, unless the store is busy
 *  DeviceServer.begin       BEGINNING -          -          -                    -
 *   command wants more                BEGUN
 *   command ended it                  DONE
 *  DeviceServer.execute     -         -          EXECUTING  -                    ignored
 *  store completes          -         -          -          goes on, or DONE     onStoreReleased
 *  abort                    -         -          ABORTED    ABORTED              unchanged
 *  other's task management  -         -          DONE (TASK ABORTED)             unchanged
 * </pre>
 *
 * <p>Lengths are bytes. Owner loop only, but for {@link #onStoreDone}.
 */
public final class ScsiTask implements StoreCompletion {
    /** Longest CDB that is looked at. */
    public static final int MAX_CDB_LENGTH = 260;

    /** Store operations that one turn of the loop may do for a task when the store completes inline. */
    private static final int INLINE_STEPS = 16;

    private static final Consumer<StoreCompletion> NO_CALL = done -> done.onStoreDone(StoreStatus.OK, 0);
    private static final ByteBuffer[] NO_SEGMENTS = new ByteBuffer[0];

    enum State {
        /** Waits for {@link DeviceServer#begin}. */
        IDLE,
        /** Inside {@link DeviceServer#begin}. */
        BEGINNING,
        /** Waits for the target to bring data or buffers and call {@link DeviceServer#execute}. */
        BEGUN,
        /** Its command works, or waits for the store. */
        EXECUTING,
        /** Status is set. */
        DONE,
        /** Ended without status. */
        ABORTED
    }

    /** What a task asks of the store. */
    private enum StoreOperation {
        READ,
        WRITE,
        FLUSH,
        /** What {@link #storeCall} does. */
        OTHER_READ,
        /** What {@link #storeCall} does. */
        OTHER_WRITE
    }

    private final ScsiTaskListener listener;
    private final ByteBuffer cdb = ByteBuffer.allocate(MAX_CDB_LENGTH);
    private final ByteBuffer sense = ByteBuffer.allocate(SenseData.MAX_LENGTH);
    private final Runnable resume = this::storeReturned;

    private State state = State.IDLE;
    private @Nullable DeviceServer server;
    private @Nullable Nexus nexus;
    private @Nullable LogicalUnit unit;
    private @Nullable ScsiCommand command;
    private long rawLun;
    private TaskAttribute attribute = TaskAttribute.SIMPLE;
    private int cdbLength;
    private long dataOutLength;
    private long dataInLength;

    private DataDirection direction = DataDirection.NONE;
    private long transferLength;
    private int dataInCapacity;
    private ByteBuffer[] segments = NO_SEGMENTS;
    private int segmentCount;
    private int dataLength;

    private ScsiStatus status = ScsiStatus.GOOD;
    private int senseLength;
    private long dataOutTaken;
    private long dataInWanted;
    private int dataInProduced;

    private StoreOperation storeOperation = StoreOperation.FLUSH;
    private long storeOffset;
    private long storeLength;
    private Consumer<StoreCompletion> storeCall = NO_CALL;
    private boolean storeThrough;
    private boolean storeBusy;
    private boolean storeInline;
    private boolean advancing;
    private @Nullable Thread storeCaller;
    private StoreStatus storeStatus = StoreStatus.OK;
    private long storeErrorOffset;

    /** What the command remembers between its calls, such as how far it has come; 0 at the beginning. */
    int commandStep;

    /** What a command of several store operations remembers between them; null at the beginning. */
    @Nullable
    TaskWork work;

    /** Links of the unit's task set; for {@link LogicalUnit}. */
    @Nullable
    ScsiTask nextInSet;

    @Nullable
    ScsiTask previousInSet;

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
        this.nexus = nexus;
        this.rawLun = lun;
        this.attribute = attribute;
        this.cdbLength = Math.min(cdbLength, MAX_CDB_LENGTH);
        this.cdb.put(0, cdb, cdbOffset, this.cdbLength);
        this.dataOutLength = dataOutLength;
        this.dataInLength = dataInLength;
        return this;
    }

    /** Drops what the last command left, its buffers above all. Fails as {@link #prepare} does. */
    public void reset() {
        if (storeBusy || state == State.BEGUN || state == State.EXECUTING || state == State.BEGINNING) {
            throw new IllegalStateException("the task is in use: " + state + (storeBusy ? ", store busy" : ""));
        }
        state = State.IDLE;
        if (work != null) {
            work.release();
            work = null;
            storeCall = NO_CALL;
        }
        nexus = null;
        unit = null;
        command = null;
        direction = DataDirection.NONE;
        transferLength = 0;
        dataInCapacity = 0;
        segments = NO_SEGMENTS;
        segmentCount = 0;
        dataLength = 0;
        status = ScsiStatus.GOOD;
        senseLength = 0;
        dataOutLength = 0;
        dataInLength = 0;
        dataOutTaken = 0;
        dataInWanted = 0;
        dataInProduced = 0;
        commandStep = 0;
    }

    // What the target asks after begin.

    /** Bytes that the CDB asks to transfer: blocks, a parameter list length or an allocation length. */
    public long transferLength() {
        return transferLength;
    }

    public DataDirection direction() {
        return direction;
    }

    /** Bytes that the target must fetch from the initiator before {@link DeviceServer#execute}; often 0. */
    public int dataOutCapacity() {
        return direction == DataDirection.OUT ? (int) Math.min(dataOutLength, transferLength) : 0;
    }

    /** Bytes of buffer that the target must supply for {@link DeviceServer#execute}; often 0. */
    public int dataInCapacity() {
        return dataInCapacity;
    }

    /**
     * Supplies the buffers: {@code [position, limit)} of the first {@code count}, together {@code length} bytes, which must
     * be {@link #dataOutCapacity()} or {@link #dataInCapacity()}. They and the array stay untouched by the target until the
     * task is done (and {@link #isStoreBusy()} is false); positions and limits are then as before.
     */
    public void data(ByteBuffer[] segments, int count, int length) {
        int expected = direction == DataDirection.OUT ? dataOutCapacity() : dataInCapacity;
        if (length != expected) {
            throw new IllegalArgumentException("buffers of " + length + " bytes, expected " + expected);
        }
        this.segments = segments;
        this.segmentCount = count;
        this.dataLength = length;
    }

    // What the target asks when the task is done.

    public ScsiStatus status() {
        return status;
    }

    /** Sense data from index 0 on, {@link #senseLength()} bytes. */
    public ByteBuffer sense() {
        return sense;
    }

    /** 0 when there is no sense data. */
    public int senseLength() {
        return senseLength;
    }

    /** Bytes of data-in that lie in the buffers and are to go to the initiator. */
    public int dataInProduced() {
        return dataInProduced;
    }

    /**
     * The data-in residual: positive, as many bytes of the initiator's buffer are left over (underflow); negative, as many
     * bytes did not fit (overflow).
     */
    public long residualIn() {
        return dataInLength - dataInWanted;
    }

    /** The data-out residual, with signs as {@link #residualIn()} has them. */
    public long residualOut() {
        return dataOutLength - dataOutTaken;
    }

    /** Whether the store still works with the buffers, though the task itself may have ended. */
    public boolean isStoreBusy() {
        return storeBusy;
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
        return cdbLength == 0 ? OperationKind.OTHER : OperationKind.of(cdb.get(0));
    }

    // For the device server.

    State state() {
        return state;
    }

    ScsiTaskListener listener() {
        return listener;
    }

    void enterBegin(DeviceServer by) {
        if (state != State.IDLE || nexus == null) {
            throw new IllegalStateException("the task was not prepared: " + state);
        }
        server = by;
        state = State.BEGINNING;
    }

    void route(@Nullable LogicalUnit to, ScsiCommand with) {
        unit = to;
        command = with;
    }

    TaskPhase leaveBegin(TaskPhase phase) {
        assert (state == State.DONE) == (phase == TaskPhase.DONE) : state + " with " + phase;
        if (state == State.BEGINNING) {
            state = State.BEGUN;
        }
        return phase;
    }

    /** False when the task ended meanwhile and there is nothing to execute. */
    boolean enterExecute() {
        if (state == State.DONE || state == State.ABORTED) {
            return false;
        }
        int needed = direction == DataDirection.OUT ? dataOutCapacity() : dataInCapacity;
        if (state != State.BEGUN || dataLength != needed) {
            throw new IllegalStateException(
                    "not ready to execute: " + state + ", buffers of " + dataLength + " bytes for " + needed);
        }
        state = State.EXECUTING;
        return true;
    }

    ScsiCommand command() {
        return Objects.requireNonNull(command);
    }

    DeviceServer server() {
        return Objects.requireNonNull(server);
    }

    /** The unit the command is for; null where the LUN names none. */
    @Nullable
    LogicalUnit unitIfAny() {
        return unit;
    }

    /** Whether the task can still be aborted. */
    boolean isActive() {
        return state == State.BEGUN || state == State.EXECUTING;
    }

    void markAborted() {
        state = State.ABORTED;
        LogicalUnit in = unit;
        if (in != null) {
            in.leave(this);
            in.fence().onEnded(this);
            in.counters().aborts.increment();
            in.counters().aborted(operation()).increment();
        }
    }

    // For the commands.

    /** The unit the command is for; only for commands that are never called without. */
    LogicalUnit unit() {
        return Objects.requireNonNull(unit);
    }

    ByteBuffer cdb() {
        return cdb;
    }

    int cdbLength() {
        return cdbLength;
    }

    int cdbByte(int offset) {
        return cdb.get(offset) & 0xFF;
    }

    int cdbShort(int offset) {
        return cdb.getShort(offset) & 0xFFFF;
    }

    long cdbInt(int offset) {
        return cdb.getInt(offset) & 0xFFFF_FFFFL;
    }

    long dataOutLength() {
        return dataOutLength;
    }

    /** Announces data-in of {@code wanted} bytes, of which at most {@code bound} can ever be produced. */
    TaskPhase wantDataIn(long wanted, long bound) {
        direction = DataDirection.IN;
        transferLength = wanted;
        dataInCapacity = (int) Math.min(Math.min(wanted, bound), dataInLength);
        return TaskPhase.READY;
    }

    /** Announces data-out of {@code wanted} bytes. */
    TaskPhase wantDataOut(long wanted) {
        direction = DataDirection.OUT;
        transferLength = wanted;
        return TaskPhase.NEEDS_DATA_OUT;
    }

    int dataLength() {
        return dataLength;
    }

    /** Why this command must not write, or null: nobody may, or not its nexus. */
    @Nullable
    Sense writeRefusal() {
        return nexus().view().isReadOnly(Lun.decode(rawLun)) ? Sense.WRITE_PROTECTED : unit().writeRefusal();
    }

    /** The data-out in the target's buffers from byte {@code from} on, copied to {@code to}. */
    void copyDataOut(int from, ByteBuffer to, int at, int length) {
        int skip = from;
        for (int i = 0, done = 0; done < length; i++) {
            ByteBuffer segment = segments[i];
            int available = segment.remaining() - skip;
            if (available > 0) {
                int part = Math.min(available, length - done);
                to.put(at + done, segment, segment.position() + skip, part);
                done += part;
                skip = 0;
            } else {
                skip = -available;
            }
        }
    }

    /** The data-out as one buffer from index 0 on; for parameter lists. */
    ByteBuffer parameterList() {
        ByteBuffer list = ByteBuffer.allocate(dataLength);
        copyDataOut(0, list, 0, dataLength);
        return list;
    }

    /** How far the data-out from byte {@code from} on equals {@code with}; {@code length} when all of it does. */
    int commonDataOut(int from, ByteBuffer with, int at, int length) {
        int skip = from;
        for (int i = 0, done = 0; done < length; i++) {
            ByteBuffer segment = segments[i];
            int available = segment.remaining() - skip;
            if (available > 0) {
                int part = Math.min(available, length - done);
                int mismatch = segment.slice(segment.position() + skip, part).mismatch(with.slice(at + done, part));
                if (mismatch >= 0) {
                    return done + mismatch;
                }
                done += part;
                skip = 0;
            } else {
                skip = -available;
            }
        }
        return length;
    }

    /** Begins work on {@code bytes} bytes of the medium from {@code offset} on, with a buffer of the device server. */
    RangeWork beginWork(long offset, long bytes) {
        RangeWork begun = new RangeWork(server().workBuffers(), offset, bytes);
        work = begun;
        return begun;
    }

    /** Reads the part of the work in hand into its buffer. */
    void readPart(RangeWork part) {
        callStoreReading(part.at(), part.part(), done -> part.read(unit().store(), done));
    }

    /** Writes the part of the work in hand from its buffer. */
    void writePart(RangeWork part, boolean fua) {
        callStoreWriting(part.at(), part.part(), done -> part.write(unit().store(), unit().through(fua), done));
    }

    /** The work that {@link #beginWork} has begun. */
    RangeWork work() {
        return (RangeWork) Objects.requireNonNull(work);
    }

    void storeRead(long offset) {
        store(StoreOperation.READ, offset, dataLength, false);
    }

    void storeWrite(long offset, boolean fua) {
        store(StoreOperation.WRITE, offset, dataLength, fua);
    }

    void storeFlush() {
        store(StoreOperation.FLUSH, 0, 0, false);
    }

    /** Any other operation that reads {@code length} bytes at {@code offset} for the command; ends as those above do. */
    void callStoreReading(long offset, long length, Consumer<StoreCompletion> operation) {
        storeCall = operation;
        store(StoreOperation.OTHER_READ, offset, length, false);
    }

    /** Any other operation that changes {@code length} bytes at {@code offset}. */
    void callStoreWriting(long offset, long length, Consumer<StoreCompletion> operation) {
        storeCall = operation;
        store(StoreOperation.OTHER_WRITE, offset, length, false);
    }

    private void store(StoreOperation operation, long offset, long length, boolean through) {
        storeOperation = operation;
        storeOffset = offset;
        storeLength = length;
        storeThrough = through;
        if (!unit().fence().holdsBack(this)) {
            enterStore();
        }
    }

    /** Asks the store for what {@link #store} noted. For it and the unit's {@link StoreFence}. */
    void enterStore() {
        storeBusy = true;
        storeInline = false;
        storeCaller = Thread.currentThread();
        switch (storeOperation) {
            case READ -> unit().store().read(storeOffset, segments, segmentCount, this);
            case WRITE -> unit().store().write(storeOffset, segments, segmentCount, storeThrough, this);
            case FLUSH -> unit().store().flush(this);
            case OTHER_READ, OTHER_WRITE -> storeCall.accept(this);
        }
        leaveStore();
    }

    /** Whether the store is writing for the task. */
    boolean isStoreWriting() {
        return storeBusy && (storeOperation == StoreOperation.WRITE || storeOperation == StoreOperation.OTHER_WRITE);
    }

    /** Whether {@code other} asks the store for a byte that is also in the range of this task. */
    boolean storeTouchesBlocksOf(ScsiTask other) {
        return storeOffset < other.storeOffset + other.storeLength && other.storeOffset < storeOffset + storeLength;
    }

    /** A store that has completed inline is heard here: however many operations follow each other, the stack stays flat. */
    private void leaveStore() {
        storeCaller = null;
        if (advancing) {
            return;
        }
        advancing = true;
        try {
            for (int steps = 0; storeInline; steps++) {
                storeInline = false;
                if (steps == INLINE_STEPS) {
                    server().executor().execute(resume);
                    return;
                }
                storeReturned();
            }
        } finally {
            advancing = false;
        }
    }

    /** Any thread; the store's hand-over publishes the fields that the caller wrote. */
    @Override
    public void onStoreDone(StoreStatus result, long errorOffset) {
        storeStatus = result;
        storeErrorOffset = errorOffset;
        if (Thread.currentThread() == storeCaller) {
            storeInline = true;
        } else {
            server().executor().execute(resume);
        }
    }

    private void storeReturned() {
        storeBusy = false;
        if (state != State.EXECUTING) {
            unit().fence().onReleased(this);
            listener.onStoreReleased(this);
        } else if (storeStatus == StoreStatus.OK) {
            command().storeDone(this);
        } else {
            StoreErrors.finish(this, storeStatus, storeErrorOffset);
        }
    }

    // The ways to end a task; each returns DONE, for begin to return.

    TaskPhase finishGood() {
        dataOutTaken = direction == DataDirection.OUT ? transferLength : 0;
        return finish(ScsiStatus.GOOD);
    }

    /** Ends a READ whose data fills the buffers. */
    TaskPhase finishRead() {
        dataInProduced = dataLength;
        dataInWanted = transferLength;
        return finish(ScsiStatus.GOOD);
    }

    /** Ends with the first {@code length} bytes of {@code from} as data-in, cut to the allocation length and the buffers. */
    TaskPhase finishWithData(ByteBuffer from, int length) {
        int allowed = (int) Math.min(length, transferLength);
        int copy = Math.min(allowed, dataLength);
        for (int i = 0, done = 0; done < copy; i++) {
            ByteBuffer segment = segments[i];
            int part = Math.min(segment.remaining(), copy - done);
            segment.put(segment.position(), from, done, part);
            done += part;
        }
        dataInProduced = copy;
        dataInWanted = allowed;
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
        senseLength = SenseData.encode(sense, 0, what, descriptor, information, specific);
        return finish(ScsiStatus.CHECK_CONDITION);
    }

    TaskPhase finish(ScsiStatus with) {
        boolean beginning = state == State.BEGINNING;
        if (with != ScsiStatus.GOOD) {
            dataOutTaken = direction == DataDirection.OUT ? dataLength : 0;
        }
        status = with;
        state = State.DONE;
        LogicalUnit at = unit;
        if (at != null) {
            at.leave(this);
            if (with == ScsiStatus.TASK_ABORTED) {
                at.fence().onEnded(this);
            }
        }
        server().count(this);
        if (!beginning) {
            listener.onTaskDone(this);
        }
        return TaskPhase.DONE;
    }
}
