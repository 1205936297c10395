package io.srpt.scsi;

import io.srpt.store.StoreCompletion;
import io.srpt.store.StoreStatus;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reservations of one disk: who may use it now, and the changes that PERSISTENT RESERVE OUT and RESERVE make.
 *
 * <pre>
 *   PERSISTENT RESERVE OUT ─▶ submit ─▶ PersistentReservations.apply ─┬─ refused ─▶ status
 *                               ▲                                      ├─ APTPL ─▶ ReservationStore.keep ─┐
 *                               └─ waits while another is being kept   └──────────────────────────────────┴▶ commit ─▶ GOOD
 * </pre>
 *
 * <p>A change that outlives the process is durable before it takes effect. Registrations belong to the name of a nexus and
 * stay when it is lost or the unit is reset; RESERVE ends with both. Owner loop only, but for {@link #state} and
 * {@link #reservedBy}.
 */
final class Reservations {
    private static final Logger LOG = LoggerFactory.getLogger(Reservations.class);

    private final LogicalUnit unit;
    private final @Nullable ReservationStore store;
    private final Queue<ScsiTask> waiting = new ArrayDeque<>(0);
    private volatile ReservationState state;
    private boolean keeping;
    private volatile @Nullable Nexus reservedBy;

    Reservations(LogicalUnit unit, @Nullable ReservationStore store) {
        this.unit = unit;
        this.store = store;
        this.state = store == null ? ReservationState.NONE : store.kept();
    }

    ReservationState state() {
        return state;
    }

    /** Who holds a reservation of RESERVE, or null. */
    @Nullable
    NexusId reservedBy() {
        Nexus by = reservedBy;
        return by == null ? null : by.id();
    }

    /** Whether APTPL can be had. */
    boolean canPersist() {
        return store != null;
    }

    /** Whether {@code task} meets a reservation conflict; allocates nothing. */
    boolean refuse(ScsiTask task, ReservationRule rule) {
        Nexus owner = reservedBy;
        if (owner != null) {
            return !rule.servedBesideReserve(owner == task.nexus(), task);
        }
        ReservationType type = state.type();
        return type != null
                && !rule.servedBeside(type, task)
                && !state.admits(task.nexus().id());
    }

    // RESERVE and RELEASE.

    /** RESERVE: false for a conflict. */
    boolean reserve(Nexus nexus) {
        if (!state.keys().isEmpty()) {
            return compatible(nexus);
        }
        if (reservedBy != null && reservedBy != nexus) {
            return false;
        }
        reservedBy = nexus;
        return true;
    }

    /** RELEASE: false for a conflict; true without effect for a nexus that has not reserved. */
    boolean release(Nexus nexus) {
        if (!state.keys().isEmpty()) {
            return compatible(nexus);
        }
        if (reservedBy == nexus) {
            reservedBy = null;
        }
        return true;
    }

    /** Compatible reservation handling: whoever the persistent reservation admits is told GOOD, and nothing happens. */
    private boolean compatible(Nexus nexus) {
        return state.type() != null && state.admits(nexus.id());
    }

    /** {@code nexus} is gone. */
    void nexusLost(Nexus nexus) {
        if (reservedBy == nexus) {
            reservedBy = null;
        }
    }

    /** The unit was reset. */
    void reset() {
        reservedBy = null;
    }

    // PERSISTENT RESERVE OUT.

    /** Carries {@code task} out, now or after the one that is being kept. */
    void submit(ScsiTask task, ReservationRequest request) {
        task.work = request;
        if (keeping) {
            waiting.add(task);
        } else {
            apply(task, request);
        }
    }

    /** {@code task} has ended, maybe while it waited. */
    void left(ScsiTask task) {
        if (!waiting.isEmpty()) {
            waiting.remove(task);
        }
    }

    private void apply(ScsiTask task, ReservationRequest request) {
        ReservationChange change = PersistentReservations.apply(
                state,
                task.nexus().id(),
                request,
                task.server().targetPorts().all().stream()
                        .map(TargetPort::relativeId)
                        .collect(Collectors.toSet()));
        switch (change) {
            case ReservationChange.Refused refused -> refuse(task, refused);
            case ReservationChange.Done done -> keep(task, done);
        }
    }

    /** Ends {@code task} as {@code refused} says. */
    static TaskPhase refuse(ScsiTask task, ReservationChange.Refused refused) {
        Sense sense = refused.sense();
        return sense == null
                ? task.finish(ScsiStatus.RESERVATION_CONFLICT)
                : task.checkCondition(sense, SenseData.NO_INFORMATION, refused.specific());
    }

    private void keep(ScsiTask task, ReservationChange.Done change) {
        ReservationStore keeper = store;
        if (keeper == null || state.persistsLike(change.state())) {
            commit(task, change);
            PersistentReserveOutCommand.committed(task);
            return;
        }
        keeping = true;
        DeviceServer server = task.server();
        // The completion outlives the task, if that is aborted meanwhile: what is kept must also be the case.
        task.store()
                .callReading(
                        0,
                        0,
                        done -> keeper.keep(
                                change.state(),
                                (status, offset) -> server.executor().execute(() -> kept(task, change, status, done))));
    }

    private void kept(ScsiTask task, ReservationChange.Done change, StoreStatus status, StoreCompletion done) {
        keeping = false;
        if (status == StoreStatus.OK) {
            commit(task, change);
        } else {
            LOG.warn("The reservations of {} cannot be kept: {}", unit, status);
        }
        done.onStoreDone(status, 0);
        while (!keeping && !waiting.isEmpty()) {
            ScsiTask next = waiting.remove();
            apply(next, (ReservationRequest) Objects.requireNonNull(next.work));
        }
    }

    private void commit(ScsiTask task, ReservationChange.Done change) {
        state = change.state();
        DeviceServer server = task.server();
        change.attentions().forEach((nexus, attention) -> server.establish(unit, nexus, attention));
        if (PersistentReserveOutCommand.aborts(task)) {
            server.taskManagement().preempt(task, change.preempted());
        }
    }
}
