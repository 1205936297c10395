package io.srpt.scsi;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What comes of a service action of PERSISTENT RESERVE OUT. */
sealed interface ReservationChange {
    /**
     * It is done.
     *
     * @param state what is the case from then on
     * @param attentions which nexuses hear of it, and what
     * @param preempted nexuses that lost their registration to another one
     */
    record Done(ReservationState state, Map<NexusId, UnitAttention> attentions, Set<NexusId> preempted)
            implements ReservationChange {
        public Done {
            attentions = Map.copyOf(attentions);
            preempted = Set.copyOf(preempted);
        }

        /** Nobody else hears of it. */
        static Done quietly(ReservationState state) {
            return new Done(state, Map.of(), Set.of());
        }
    }

    /**
     * It is refused, and nothing changes.
     *
     * @param sense why, null for a reservation conflict
     * @param specific the sense-key specific field
     */
    record Refused(@Nullable Sense sense, int specific) implements ReservationChange {
        static final Refused CONFLICT = new Refused(null, SenseData.NOTHING_SPECIFIC);

        /** Byte {@code at} of the parameter list is wrong. */
        static Refused parameter(int at) {
            return new Refused(Sense.INVALID_FIELD_IN_PARAMETER_LIST, SenseData.field(true, at));
        }

        /** Byte {@code at} of the CDB is wrong. */
        static Refused cdb(int at) {
            return new Refused(Sense.INVALID_FIELD_IN_CDB, SenseData.field(false, at));
        }

        static Refused with(Sense sense) {
            return new Refused(sense, SenseData.NOTHING_SPECIFIC);
        }
    }
}
