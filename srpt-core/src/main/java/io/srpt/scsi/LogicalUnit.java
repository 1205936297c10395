package io.srpt.scsi;

import io.srpt.store.BlockStore;
import org.jspecify.annotations.Nullable;

/**
 * One disk: its store, what it says about itself, its task set and its counters.
 *
 * <p>The store is lent, and must stay open as long as the unit is in a {@link DeviceServer}. Owner loop only, but for
 * {@link #counters()} and who has reserved it.
 */
public final class LogicalUnit {
    private final LogicalUnitConfig config;
    private final BlockStore store;
    private final int blockShift;
    private final byte[] naaIdentifier;
    private final LogicalUnitCounters counters = new LogicalUnitCounters();
    private final SoftThreshold threshold = new SoftThreshold();
    private final ModeParameters mode = new ModeParameters();
    private boolean notReady;
    private final @Nullable MediumStateStore mediumStateStore;
    private @Nullable MediumState interrupted;
    private @Nullable MediumOperation mediumOperation;
    private @Nullable EchoBuffer echoBuffer;
    private final TaskSet tasks = new TaskSet();
    private final RangeLocks locks = new RangeLocks(tasks, counters);
    private @Nullable UnitAccess access;
    private final Reservations reservations;

    /** A disk on {@code store}; bytes behind the last whole block are left alone. */
    public LogicalUnit(LogicalUnitConfig config, BlockStore store) {
        this(config, store, null);
    }

    /** The same; reservations that shall outlive the process are kept in {@code reservationStore}. */
    public LogicalUnit(LogicalUnitConfig config, BlockStore store, @Nullable ReservationStore reservationStore) {
        this(config, store, reservationStore, null);
    }

    /**
     * The same; what shall outlive the process is kept in {@code reservationStore} and {@code mediumStateStore}, where they are
     * there.
     */
    public LogicalUnit(
            LogicalUnitConfig config,
            BlockStore store,
            @Nullable ReservationStore reservationStore,
            @Nullable MediumStateStore mediumStateStore) {
        if (store.sizeBytes() < config.blockSize()) {
            throw new IllegalArgumentException(
                    store + " has " + store.sizeBytes() + " bytes, less than one block of " + config.blockSize());
        }
        this.config = config;
        this.store = store;
        this.blockShift = Integer.numberOfTrailingZeros(config.blockSize());
        this.naaIdentifier = config.naaIdentifier();
        this.mediumStateStore = mediumStateStore;
        this.interrupted = mediumStateStore == null ? null : mediumStateStore.kept();
        this.reservations = new Reservations(this, reservationStore);
    }

    public LogicalUnitConfig config() {
        return config;
    }

    public BlockStore store() {
        return store;
    }

    public LogicalUnitCounters counters() {
        return counters;
    }

    /** Number of logical blocks. */
    public long blocks() {
        return store.sizeBytes() >>> blockShift;
    }

    /** The persistent reservation and the registrations at this moment. Any thread. */
    public ReservationState persistentReservation() {
        return reservations.state();
    }

    /** Who has taken it by RESERVE, or null. Any thread. */
    public @Nullable NexusId reservedBy() {
        return reservations.reservedBy();
    }

    int blockShift() {
        return blockShift;
    }

    byte[] naaIdentifier() {
        return naaIdentifier;
    }

    /** What MODE SELECT has set. */
    ModeParameters mode() {
        return mode;
    }

    /** Why a command must not write, or null. */
    @Nullable
    Sense writeRefusal() {
        return store.readOnly()
                ? Sense.WRITE_PROTECTED
                : mode.softwareWriteProtect() ? Sense.SOFTWARE_WRITE_PROTECTED : null;
    }

    /** Whether completed writes may be volatile. */
    boolean writeCacheEnabled() {
        return store.writeCacheEnabled() && !mode.writeThrough();
    }

    /** Whether a write has to be durable before its status: it asks so itself, or the write cache is switched off. */
    boolean through(boolean fua) {
        return fua || mode.writeThrough();
    }

    /** Whether blocks can be deallocated (thin provisioning). */
    boolean thin() {
        return store.thin();
    }

    /** Whether the store answered last that its medium is not there. */
    boolean notReady() {
        return notReady;
    }

    void notReady(boolean now) {
        notReady = now;
    }

    EchoBuffer echoBuffer() {
        EchoBuffer buffer = echoBuffer;
        if (buffer == null) {
            buffer = new EchoBuffer();
            echoBuffer = buffer;
        }
        return buffer;
    }

    /** FORMAT UNIT or SANITIZE that runs or has failed; null when neither. */
    @Nullable
    MediumOperation mediumOperation() {
        return mediumOperation;
    }

    /** Where it is kept that one is under way, or null. */
    @Nullable
    MediumStateStore mediumStateStore() {
        return mediumStateStore;
    }

    /** It is served by {@code server} from now on: what an earlier process did to its medium and did not end has failed. */
    void servedBy(DeviceServer server) {
        MediumState begun = interrupted;
        if (begun != null) {
            interrupted = null;
            mediumOperation = MediumOperation.interrupted(server, this, begun);
        }
    }

    void mediumOperation(@Nullable MediumOperation operation) {
        mediumOperation = operation;
    }

    /** Whether {@code [lba, lba + count)} lies on the disk; both unsigned. */
    boolean contains(long lba, long count) {
        long blocks = blocks();
        return lba >= 0 && count >= 0 && count <= blocks && lba <= blocks - count;
    }

    /** Its target port groups; null when all ports are the same to it. */
    @Nullable
    UnitAccess access() {
        return access;
    }

    /** Its target port groups among {@code ports}, made if there are none. */
    UnitAccess access(TargetPorts ports) {
        UnitAccess groups = access;
        if (groups == null) {
            groups = new UnitAccess(ports);
            access = groups;
        }
        return groups;
    }

    /** Who may use it. */
    Reservations reservations() {
        return reservations;
    }

    SoftThreshold threshold() {
        return threshold;
    }

    /** The commands under way. */
    TaskSet tasks() {
        return tasks;
    }

    /** Who may work on which blocks. */
    RangeLocks locks() {
        return locks;
    }

    /** Takes a new task; false when older ones come first. */
    boolean enter(ScsiTask task) {
        counters.commands.increment();
        counters.activeCommands.increment();
        return tasks.enter(task);
    }

    /** A task has ended. What waits for it goes on with {@link #onTaskEnded()}. */
    void leave(ScsiTask task) {
        task.store().onTaskEnded();
        tasks.leave(task);
        counters.activeCommands.decrement();
        reservations.left(task);
        if (mediumOperation != null) {
            mediumOperation.taskLeft(task);
        }
    }

    /** Lets go on what waited for tasks that have left. */
    void onTaskEnded() {
        locks.wake();
        tasks.advance();
    }

    /** The store is through with a task that had left before. */
    void onReleased() {
        locks.wake();
        if (mediumOperation != null) {
            mediumOperation.lateWriteEnded();
        }
    }

    /** Nobody begins or goes on until {@link #thaw()}, while tasks are being ended. */
    void freeze() {
        tasks.frozen(true);
    }

    void thaw() {
        tasks.frozen(false);
        onTaskEnded();
    }

    /** Whether no command runs but {@code task}, and no write is late. */
    boolean hasNoTaskBut(@Nullable ScsiTask task) {
        return tasks.isNoneRunningBut(task) && !locks.hasLate();
    }

    @Override
    public String toString() {
        return "disk " + config.serial() + " on " + store;
    }
}
