package io.srpt.scsi;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the service actions of PERSISTENT RESERVE OUT do (SPC-4 §5.9): from the state before to that after, without effect of
 * its own.
 */
final class PersistentReservations {
    /** Registrations that a disk takes. */
    static final int MAX_REGISTRATIONS = 1024;

    private static final int CDB_SCOPE_AND_TYPE = 2;

    private final ReservationState state;
    private final NexusId by;
    private final ReservationRequest request;
    private final Collection<Integer> targetPorts;

    private PersistentReservations(
            ReservationState state, NexusId by, ReservationRequest request, Collection<Integer> targetPorts) {
        this.state = state;
        this.by = by;
        this.request = request;
        this.targetPorts = targetPorts;
    }

    /**
     * What {@code request} of the nexus {@code by} does.
     *
     * @param targetPorts the relative identifiers of all target ports
     */
    static ReservationChange apply(
            ReservationState state, NexusId by, ReservationRequest request, Collection<Integer> targetPorts) {
        return new PersistentReservations(state, by, request, targetPorts).apply();
    }

    private ReservationChange apply() {
        boolean authorized = state.isRegistered(by, request.key());
        return switch (request.action()) {
            case REGISTER -> register(false);
            case REGISTER_AND_IGNORE_EXISTING_KEY -> register(true);
            case RESERVE -> authorized ? reserve() : ReservationChange.Refused.CONFLICT;
            case RELEASE -> authorized ? release() : ReservationChange.Refused.CONFLICT;
            case CLEAR -> authorized ? clear() : ReservationChange.Refused.CONFLICT;
            case PREEMPT, PREEMPT_AND_ABORT -> authorized ? preempt() : ReservationChange.Refused.CONFLICT;
            case REGISTER_AND_MOVE -> authorized ? move() : ReservationChange.Refused.CONFLICT;
        };
    }

    // Registering.

    private ReservationChange register(boolean ignoreKey) {
        if (!ignoreKey && !keyFits(by)) {
            return ReservationChange.Refused.CONFLICT;
        }
        if (request.specifiesInitiatorPorts() && state.isRegistered(by)) {
            return ReservationChange.Refused.cdb(1);
        }
        Set<NexusId> nexuses = registering();
        for (NexusId nexus : nexuses) {
            boolean specified = !nexus.initiatorPort().equals(by.initiatorPort());
            if (specified && state.isRegistered(nexus)) {
                return ReservationChange.Refused.parameter(ReservationRequest.TRANSPORT_IDS);
            }
            boolean nothingToRemove = request.serviceActionKey() == 0 && !state.isRegistered(nexus);
            if (!ignoreKey && !specified && !nothingToRemove && !keyFits(nexus)) {
                return ReservationChange.Refused.CONFLICT;
            }
        }
        return request.serviceActionKey() == 0 ? unregister(nexuses) : registerAll(nexuses);
    }

    /** The nexuses that a registration is for: those of ALL_TG_PT and SPEC_I_PT included. */
    private Set<NexusId> registering() {
        List<TransportId> initiators = new ArrayList<>(List.of(by.initiatorPort()));
        initiators.addAll(request.initiatorPorts());
        Collection<Integer> ports = request.allTargetPorts() ? targetPorts : List.of(by.targetPort());
        Set<NexusId> nexuses = new LinkedHashSet<>(Set.of(by));
        for (TransportId initiator : initiators) {
            for (int port : ports) {
                nexuses.add(new NexusId(initiator, port));
            }
        }
        return nexuses;
    }

    /** Whether the reservation key of the request is that of {@code nexus}: 0 of one that is not registered. */
    private boolean keyFits(NexusId nexus) {
        Long registered = state.keys().get(nexus);
        return request.key() == (registered == null ? 0 : registered);
    }

    private ReservationChange registerAll(Set<NexusId> nexuses) {
        Map<NexusId, Long> keys = new LinkedHashMap<>(state.keys());
        for (NexusId nexus : nexuses) {
            keys.put(nexus, request.serviceActionKey());
        }
        return keys.size() > MAX_REGISTRATIONS
                ? ReservationChange.Refused.with(Sense.INSUFFICIENT_REGISTRATION_RESOURCES)
                : ReservationChange.Done.quietly(
                        state.withKeys(keys).withPersistent(request.aptpl()).counted());
    }

    private ReservationChange unregister(Set<NexusId> nexuses) {
        if (nexuses.stream().noneMatch(state::isRegistered)) {
            return ReservationChange.Done.quietly(state);
        }
        ReservationType type = state.type();
        NexusId holder = state.holder();
        ReservationState left = without(nexuses);
        Map<NexusId, UnitAttention> attentions = new HashMap<>();
        if (type != null && type.forRegistrants() && holder != null && nexuses.contains(holder)) {
            tell(attentions, left, UnitAttention.RESERVATIONS_RELEASED);
        }
        return new ReservationChange.Done(left.withPersistent(request.aptpl()).counted(), attentions, Set.of());
    }

    /** The state without the registrations of {@code nexuses}, and without a reservation that nobody holds any more. */
    private ReservationState without(Set<NexusId> nexuses) {
        Map<NexusId, Long> keys = new LinkedHashMap<>(state.keys());
        keys.keySet().removeAll(nexuses);
        NexusId holder = state.holder();
        boolean released = keys.isEmpty() || holder != null && nexuses.contains(holder);
        return (released ? state.released() : state).withKeys(keys);
    }

    /** Everybody who is registered in {@code at}, but for the nexus that asked, hears {@code attention}. */
    private void tell(Map<NexusId, UnitAttention> attentions, ReservationState at, UnitAttention attention) {
        for (NexusId nexus : at.keys().keySet()) {
            if (!nexus.equals(by)) {
                attentions.put(nexus, attention);
            }
        }
    }

    // The reservation.

    private @Nullable ReservationType requestedType() {
        return ReservationType.of(request.scopeAndType());
    }

    private ReservationChange reserve() {
        ReservationType wanted = requestedType();
        if (wanted == null) {
            return ReservationChange.Refused.cdb(CDB_SCOPE_AND_TYPE);
        }
        if (state.type() == null) {
            return ReservationChange.Done.quietly(state.reservedBy(by, wanted));
        }
        return state.isHeldBy(by) && state.type() == wanted
                ? ReservationChange.Done.quietly(state)
                : ReservationChange.Refused.CONFLICT;
    }

    private ReservationChange release() {
        ReservationType type = state.type();
        if (type == null || !state.isHeldBy(by)) {
            return ReservationChange.Done.quietly(state);
        }
        if (requestedType() != type) {
            return ReservationChange.Refused.with(Sense.INVALID_RELEASE_OF_PERSISTENT_RESERVATION);
        }
        Map<NexusId, UnitAttention> attentions = new HashMap<>();
        if (type.forRegistrants()) {
            tell(attentions, state, UnitAttention.RESERVATIONS_RELEASED);
        }
        return new ReservationChange.Done(state.released(), attentions, Set.of());
    }

    private ReservationChange clear() {
        Map<NexusId, UnitAttention> attentions = new HashMap<>();
        tell(attentions, state, UnitAttention.RESERVATIONS_PREEMPTED);
        return new ReservationChange.Done(state.released().withKeys(Map.of()).counted(), attentions, Set.of());
    }

    private ReservationChange preempt() {
        ReservationType type = state.type();
        NexusId holder = state.holder();
        boolean all = type != null && type.allRegistrants();
        if (request.serviceActionKey() == 0 && !all) {
            return ReservationChange.Refused.parameter(ReservationRequest.SERVICE_ACTION_KEY);
        }
        boolean takes = all
                ? request.serviceActionKey() == 0
                : holder != null && state.isRegistered(holder, request.serviceActionKey());
        Set<NexusId> victims = new LinkedHashSet<>(state.keys().keySet());
        if (request.serviceActionKey() != 0) {
            victims.removeIf(nexus -> !state.isRegistered(nexus, request.serviceActionKey()));
        }
        return takes ? preemptReservation(victims) : preemptRegistrations(victims);
    }

    /** Takes the reservation over; registrations of {@code victims} go, but for that of the nexus that asked. */
    private ReservationChange preemptReservation(Set<NexusId> victims) {
        ReservationType wanted = requestedType();
        if (wanted == null) {
            return ReservationChange.Refused.cdb(CDB_SCOPE_AND_TYPE);
        }
        victims.remove(by);
        ReservationState left = without(victims).released().reservedBy(by, wanted);
        Map<NexusId, UnitAttention> attentions = new HashMap<>();
        if (wanted != state.type()) {
            tell(attentions, left, UnitAttention.RESERVATIONS_RELEASED);
        }
        return preempted(left, victims, attentions);
    }

    private ReservationChange preemptRegistrations(Set<NexusId> victims) {
        return victims.isEmpty()
                ? ReservationChange.Refused.CONFLICT
                : preempted(without(victims), victims, new HashMap<>());
    }

    private ReservationChange preempted(
            ReservationState left, Set<NexusId> victims, Map<NexusId, UnitAttention> attentions) {
        for (NexusId victim : victims) {
            if (!victim.equals(by)) {
                attentions.put(victim, UnitAttention.REGISTRATIONS_PREEMPTED);
            }
        }
        return new ReservationChange.Done(left.counted(), attentions, victims);
    }

    // REGISTER AND MOVE.

    private ReservationChange move() {
        ReservationType type = state.type();
        if (type == null || type.allRegistrants() || !state.isHeldBy(by)) {
            return ReservationChange.Refused.CONFLICT;
        }
        if (request.serviceActionKey() == 0) {
            return ReservationChange.Refused.parameter(ReservationRequest.SERVICE_ACTION_KEY);
        }
        if (!targetPorts.contains(request.targetPort())) {
            return ReservationChange.Refused.parameter(ReservationRequest.TARGET_PORT);
        }
        NexusId to = new NexusId(request.initiatorPorts().getFirst(), request.targetPort());
        if (to.equals(by)) {
            return ReservationChange.Refused.parameter(ReservationRequest.MOVE_TRANSPORT_ID);
        }
        Map<NexusId, Long> keys = new LinkedHashMap<>(state.keys());
        keys.put(to, request.serviceActionKey());
        if (request.unregister()) {
            keys.remove(by);
        }
        return keys.size() > MAX_REGISTRATIONS
                ? ReservationChange.Refused.with(Sense.INSUFFICIENT_REGISTRATION_RESOURCES)
                : ReservationChange.Done.quietly(state.released()
                        .withKeys(keys)
                        .reservedBy(to, type)
                        .withPersistent(request.aptpl())
                        .counted());
    }
}
