package io.srpt.scsi;

import io.srpt.counter.Counter;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes commands from nexuses to logical units and answers them (the task router and device server of SAM-5).
 *
 * <p>A task goes through {@link #begin}, then, unless that was {@link TaskPhase#DONE}, {@link ScsiTask#data} with buffers
 * where some are asked for, and {@link #execute}; its end comes to its {@link ScsiTaskListener}. READ and WRITE allocate
 * nothing on this way. Everything here runs on the one loop whose executor was given.
 */
public final class DeviceServer {
    private static final Logger LOG = LoggerFactory.getLogger(DeviceServer.class);
    private static final int REMEMBERED_NEXUSES = 1024;
    private static final int CONTROL_NACA = 0x04;

    private final Executor executor;
    private final InstantSource clock;
    private final CommandTable commands = CommandTable.forDisk();
    private final LunMap luns = new LunMap();
    private final AsymmetricAccess asymmetricAccess = new AsymmetricAccess(this);
    private final TargetPorts targetPorts = new TargetPorts(asymmetricAccess);
    private final Map<NexusId, Nexus> nexuses = new HashMap<>();
    private final Map<NexusId, Boolean> lostNexuses = new LinkedHashMap<>();
    private final TaskManagement taskManagement = new TaskManagement(this);
    private final Counter unknownLuns = new Counter();
    private final LogicalUnitCounters withoutUnit = new LogicalUnitCounters();
    private final WorkBuffers workBuffers = new WorkBuffers();
    private ByteBuffer scratch = ByteBuffer.allocate(4096);

    /** A device server on the loop behind {@code executor}, where completions of stores come back to. */
    public DeviceServer(Executor executor) {
        this(executor, InstantSource.system());
    }

    /** The same; {@code clock} is what REPORT TIMESTAMP tells. */
    public DeviceServer(Executor executor, InstantSource clock) {
        this.executor = executor;
        this.clock = clock;
    }

    // Logical units.

    /**
     * Puts {@code unit} behind {@code lun}. Nexuses that are open learn of it by unit attention, and by another one whenever
     * its store has grown.
     *
     * @throws IllegalArgumentException if the LUN is taken or not in 0..{@link Lun#MAX}
     */
    public void addLogicalUnit(int lun, LogicalUnit unit) {
        luns.put(lun, unit);
        unit.servedBy(this);
        announceLunChange();
        for (Nexus nexus : nexuses.values()) {
            nexus.pend(unit, UnitAttention.POWER_ON);
        }
        unit.store().onCapacityChange(bytes -> executor.execute(() -> announceGrowth(lun, unit)));
    }

    /** The store may have grown after the unit was taken away. */
    private void announceGrowth(int lun, LogicalUnit unit) {
        if (luns.get(lun) == unit) {
            announce(unit, null, UnitAttention.CAPACITY_CHANGED);
        }
    }

    /** Takes the unit behind {@code lun} away; its tasks under way still end. Null when there was none. */
    public @Nullable LogicalUnit removeLogicalUnit(int lun) {
        LogicalUnit unit = luns.remove(lun);
        if (unit != null) {
            nexuses.values().forEach(nexus -> nexus.forget(unit));
            asymmetricAccess.forget(unit);
            announceLunChange();
        }
        return unit;
    }

    /** The unit behind {@code lun}, or null. */
    public @Nullable LogicalUnit logicalUnit(int lun) {
        return luns.get(lun);
    }

    /** What {@code nexus} calls {@code rawLun}, the eight bytes of its LUN; null when that is nothing. */
    public @Nullable LogicalUnit logicalUnit(Nexus nexus, long rawLun) {
        return luns.get(nexus.view().unit(Lun.decode(rawLun)));
    }

    private void announceLunChange() {
        nexuses.values().forEach(this::announceLunChange);
    }

    void announceLunChange(Nexus nexus) {
        pendEverywhere(nexus, UnitAttention.REPORTED_LUNS_CHANGED);
        nexus.tellLunChange();
    }

    /** One above the highest number that {@code nexus} may use for a unit that there is. */
    int limit(Nexus nexus) {
        return Math.min(nexus.view().limit(luns.limit()), Lun.MAX + 1);
    }

    private void pendEverywhere(Nexus nexus, UnitAttention attention) {
        for (int lun = 0; lun < luns.limit(); lun++) {
            LogicalUnit unit = luns.get(lun);
            if (unit != null) {
                nexus.pend(unit, attention);
            }
        }
    }

    /** Tells every nexus but {@code except} of a condition of {@code unit}. */
    void announce(LogicalUnit unit, @Nullable Nexus except, UnitAttention attention) {
        for (Nexus nexus : nexuses.values()) {
            if (nexus != except) {
                nexus.establish(unit, attention);
            }
        }
    }

    /** Tells {@code nexus} of a condition of {@code unit}, if it is open: else it will learn of its loss. */
    void establish(LogicalUnit unit, NexusId nexus, UnitAttention attention) {
        Nexus open = nexuses.get(nexus);
        if (open != null) {
            open.establish(unit, attention);
        }
    }

    // Ports and nexuses.

    /** The ports through which nexuses come. */
    public TargetPorts targetPorts() {
        return targetPorts;
    }

    /** The target port groups. */
    public AsymmetricAccess asymmetricAccess() {
        return asymmetricAccess;
    }

    /**
     * The nexus between these ports, held once more; {@link Nexus#close()} gives the hold back. A nexus seen for the first
     * time gets POWER ON OCCURRED for every unit, one that comes back after its loss I_T NEXUS LOSS OCCURRED; further
     * channels of an open nexus get nothing.
     */
    public Nexus openNexus(TransportId initiatorPort, TargetPort port) {
        return openNexus(initiatorPort, port, LunView.ALL);
    }

    /** The same; a nexus that is not open yet sees of the target's units what {@code view} says. */
    public Nexus openNexus(TransportId initiatorPort, TargetPort port, LunView view) {
        NexusId id = new NexusId(initiatorPort, port.relativeId());
        Nexus nexus = nexuses.get(id);
        if (nexus == null) {
            nexus = new Nexus(this, id, port, view);
            nexuses.put(id, nexus);
            boolean known = lostNexuses.remove(id) != null;
            pendEverywhere(nexus, known ? UnitAttention.I_T_NEXUS_LOSS : UnitAttention.POWER_ON);
            LOG.debug("Nexus {} opened, {}", id, known ? "again" : "for the first time");
        }
        nexus.hold();
        return nexus;
    }

    void nexusLost(Nexus nexus) {
        nexuses.remove(nexus.id());
        lostNexuses.put(nexus.id(), Boolean.TRUE);
        if (lostNexuses.size() > REMEMBERED_NEXUSES) {
            lostNexuses.remove(lostNexuses.keySet().iterator().next());
        }
        for (int lun = 0; lun < luns.limit(); lun++) {
            LogicalUnit unit = luns.get(lun);
            if (unit != null) {
                unit.reservations().nexusLost(nexus);
            }
        }
        LOG.debug("Nexus {} lost", nexus);
    }

    Collection<Nexus> nexuses() {
        return Collections.unmodifiableCollection(nexuses.values());
    }

    // Tasks.

    /**
     * Routes a prepared task: finds the unit, waits for older tasks where the attributes say so, reports a pending unit
     * attention, decodes and checks the CDB.
     *
     * @return what the target has to do next; on {@link TaskPhase#DONE} the status is set and the listener is not called
     */
    public TaskPhase begin(ScsiTask task) {
        task.enterBegin(this);
        CommandDescriptor descriptor = commands.find(task.cdb());
        LogicalUnit unit = logicalUnit(task.nexus(), task.rawLun());
        task.route(unit, descriptor);
        if (unit == null) {
            unknownLuns.increment();
        } else if (!unit.enter(task)) {
            return task.leaveBegin(TaskPhase.WAITING);
        }
        return task.leaveBegin(check(task, descriptor, unit));
    }

    /** The turn has come of a task that waited for older ones. */
    void resume(ScsiTask task) {
        task.enterBegin(this);
        TaskPhase phase = task.leaveBegin(check(task, task.descriptor(), task.unit()));
        task.listener().onTaskBegun(task, phase);
    }

    private TaskPhase check(ScsiTask task, @Nullable CommandDescriptor descriptor, @Nullable LogicalUnit unit) {
        boolean alwaysServed = descriptor != null && descriptor.alwaysServed();
        if (!alwaysServed) {
            if (unit == null) {
                return task.checkCondition(Sense.LOGICAL_UNIT_NOT_SUPPORTED);
            }
            UnitAttention attention = task.isInternal() ? null : task.nexus().pollAttention(unit);
            if (attention != null) {
                return task.checkCondition(attention.sense());
            }
        }
        if (descriptor == null || unit != null && !descriptor.command().offered(unit)) {
            boolean known = task.cdb().length() > 0
                    && commands.hasServiceActions(task.cdb().byteAt(0));
            return known ? task.invalidField(1) : task.checkCondition(Sense.INVALID_OPERATION_CODE);
        }
        if (task.cdb().length() < descriptor.cdbLength()
                || (task.cdb().byteAt(descriptor.controlOffset()) & CONTROL_NACA) != 0) {
            return task.checkCondition(Sense.INVALID_FIELD_IN_CDB);
        }
        if (task.attribute() == TaskAttribute.ACA) {
            return task.checkCondition(Sense.INVALID_MESSAGE_ERROR);
        }
        if (unit != null && unit.reservations().refuse(task, descriptor.reservationRule())) {
            return task.finish(ScsiStatus.RESERVATION_CONFLICT);
        }
        Sense inaccessible = unit == null ? null : inaccessible(task, descriptor, unit);
        if (inaccessible != null) {
            return task.checkCondition(inaccessible);
        }
        MediumOperation operation = unit == null ? null : unit.mediumOperation();
        if (operation != null && !operation.allows(descriptor)) {
            return operation.refuse(task);
        }
        return descriptor.command().begin(task);
    }

    /** Why the task's target port does not serve the command in its access state, or null. */
    private static @Nullable Sense inaccessible(ScsiTask task, CommandDescriptor descriptor, LogicalUnit unit) {
        UnitAccess access = unit.access();
        if (access == null) {
            return null;
        }
        AccessState state = access.of(task.nexus().targetPort()).state();
        return descriptor.accessStateRule().allows(state) ? null : state.refusal();
    }

    /**
     * Performs a task that {@link #begin} left with the target, now that its data is there. Does nothing when a task
     * management function has ended the task meanwhile.
     */
    public void execute(ScsiTask task) {
        if (task.enterExecute()) {
            task.command().execute(task);
        }
    }

    /**
     * Ends a task without status; the listener hears no {@link ScsiTaskListener#onTaskDone} of it any more.
     *
     * @return true when the store still works with its buffers: {@link ScsiTaskListener#onStoreReleased} follows, and only
     *     then may they be used again
     */
    public boolean abort(ScsiTask task) {
        if (task.isActive()) {
            LogicalUnit unit = task.unitIfAny();
            task.markAborted();
            if (unit != null) {
                unit.onTaskEnded();
            }
        }
        return task.isStoreBusy();
    }

    /** The task management functions. */
    public TaskManagement taskManagement() {
        return taskManagement;
    }

    /** Commands that came for a LUN that does not exist. */
    public Counter unknownLuns() {
        return unknownLuns;
    }

    /** What was answered for LUNs that do not exist. */
    public LogicalUnitCounters withoutUnit() {
        return withoutUnit;
    }

    // For tasks and commands.

    Executor executor() {
        return executor;
    }

    InstantSource clock() {
        return clock;
    }

    LunMap luns() {
        return luns;
    }

    CommandTable commands() {
        return commands;
    }

    WorkBuffers workBuffers() {
        return workBuffers;
    }

    /** A buffer of at least {@code size} bytes, zeros from 0 on, valid until the next call. */
    ByteBuffer scratch(int size) {
        if (scratch.capacity() < size) {
            scratch = ByteBuffer.allocate(Math.max(size, 2 * scratch.capacity()));
        }
        Arrays.fill(scratch.array(), 0, size, (byte) 0);
        return scratch;
    }

    void count(ScsiTask task) {
        LogicalUnit unit = task.unitIfAny();
        ScsiStatus status = task.status();
        (unit == null ? withoutUnit : unit.counters())
                .ended(task.operation(), status)
                .increment();
        if (status == ScsiStatus.GOOD || unit == null) {
            return;
        }
        switch (status) {
            case CHECK_CONDITION -> unit.counters().checkConditions.increment();
            case BUSY, TASK_SET_FULL -> unit.counters().busy.increment();
            case TASK_ABORTED -> unit.counters().aborts.increment();
            default -> {}
        }
        if (LOG.isDebugEnabled()) {
            LOG.debug(
                    "Command {} of {} on {}: {} {}",
                    Integer.toHexString(task.cdb().byteAt(0)),
                    task.nexus(),
                    unit,
                    status,
                    SenseData.decode(task.sense(), 0, task.senseLength()));
        }
    }
}
