package io.srpt.scsi;

/**
 * Unit attention conditions, the most important first: the order is that in which they are reported, and a condition of
 * the reset family drops those behind it (SAM-5 §5.14).
 */
public enum UnitAttention {
    POWER_ON(Sense.POWER_ON_OCCURRED, true),
    BUS_DEVICE_RESET(Sense.BUS_DEVICE_RESET_OCCURRED, true),
    I_T_NEXUS_LOSS(Sense.I_T_NEXUS_LOSS_OCCURRED, true),
    COMMANDS_CLEARED(Sense.COMMANDS_CLEARED_BY_ANOTHER_INITIATOR, false),
    RESERVATIONS_PREEMPTED(Sense.RESERVATIONS_PREEMPTED, false),
    RESERVATIONS_RELEASED(Sense.RESERVATIONS_RELEASED, false),
    REGISTRATIONS_PREEMPTED(Sense.REGISTRATIONS_PREEMPTED, false),
    MODE_PARAMETERS_CHANGED(Sense.MODE_PARAMETERS_CHANGED, false),
    ASYMMETRIC_ACCESS_STATE_CHANGED(Sense.ASYMMETRIC_ACCESS_STATE_CHANGED, false),
    CAPACITY_CHANGED(Sense.CAPACITY_DATA_CHANGED, false),
    SOFT_THRESHOLD_REACHED(Sense.THIN_PROVISIONING_SOFT_THRESHOLD_REACHED, false),
    REPORTED_LUNS_CHANGED(Sense.REPORTED_LUNS_DATA_CHANGED, false);

    private final Sense sense;
    private final boolean reset;

    UnitAttention(Sense sense, boolean reset) {
        this.sense = sense;
        this.reset = reset;
    }

    public Sense sense() {
        return sense;
    }

    boolean isReset() {
        return reset;
    }
}
