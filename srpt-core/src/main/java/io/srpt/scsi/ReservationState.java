package io.srpt.scsi;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The registrations and the persistent reservation of a disk at one moment. Immutable.
 *
 * @param keys the reservation key of every registered nexus, in the order of their registration
 * @param type the type of the reservation, null without one
 * @param holder who holds it; null without a reservation, and where all registrants do
 * @param persistent APTPL: whether all this outlives the process
 * @param generation PRgeneration
 */
public record ReservationState(
        Map<NexusId, Long> keys,
        @Nullable ReservationType type,
        @Nullable NexusId holder,
        boolean persistent,
        int generation) {
    /** No registration, as after power on. */
    static final ReservationState NONE = new ReservationState(Map.of(), null, null, false, 0);

    /** Checks that the holder is registered, and that there is one where there has to be. */
    public ReservationState {
        keys = Collections.unmodifiableMap(new LinkedHashMap<>(keys));
        boolean held = type != null && !type.allRegistrants();
        if (held != (holder != null) || holder != null && !keys.containsKey(holder)) {
            throw new IllegalArgumentException(type + " of " + holder + " with the registrations " + keys);
        }
        if (type != null && keys.isEmpty()) {
            throw new IllegalArgumentException(type + " without registrations");
        }
    }

    boolean isRegistered(NexusId nexus) {
        return keys.containsKey(nexus);
    }

    /** Whether {@code nexus} is registered with {@code key}. */
    boolean isRegistered(NexusId nexus, long key) {
        Long registered = keys.get(nexus);
        return registered != null && registered == key;
    }

    /** Whether {@code nexus} is a holder of the reservation. */
    boolean isHeldBy(NexusId nexus) {
        ReservationType current = type;
        return current != null && (current.allRegistrants() ? isRegistered(nexus) : nexus.equals(holder));
    }

    /** Whether {@code nexus} may do what the reservation keeps others from. */
    boolean admits(NexusId nexus) {
        ReservationType current = type;
        return current == null || (current.forRegistrants() ? isRegistered(nexus) : nexus.equals(holder));
    }

    /** Whether what would outlive the process is the same in {@code other}. */
    boolean persistsLike(ReservationState other) {
        return persistent == other.persistent
                && (!persistent
                        || keys.equals(other.keys) && type == other.type && Objects.equals(holder, other.holder));
    }

    /** The same with other registrations; the reservation must fit them. */
    ReservationState withKeys(Map<NexusId, Long> newKeys) {
        return new ReservationState(newKeys, type, holder, persistent, generation);
    }

    /** The same with a reservation of {@code newType} that {@code by} holds, or all registrants do. */
    ReservationState reservedBy(NexusId by, ReservationType newType) {
        return new ReservationState(keys, newType, newType.allRegistrants() ? null : by, persistent, generation);
    }

    /** The same without reservation. */
    ReservationState released() {
        return new ReservationState(keys, null, null, persistent, generation);
    }

    ReservationState withPersistent(boolean aptpl) {
        return new ReservationState(keys, type, holder, aptpl, generation);
    }

    /** The same after one more change that PRgeneration counts. */
    ReservationState counted() {
        return new ReservationState(keys, type, holder, persistent, generation + 1);
    }
}
