package io.srpt.scsi;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Asymmetric access states of a target port group (SPC-4 §5.15.2.4). LBA dependent access does not exist here. */
public enum AccessState {
    ACTIVE_OPTIMIZED(0x0, null),
    ACTIVE_NON_OPTIMIZED(0x1, null),
    STANDBY(0x2, Sense.TARGET_PORT_IN_STANDBY_STATE),
    UNAVAILABLE(0x3, Sense.TARGET_PORT_IN_UNAVAILABLE_STATE),
    OFFLINE(0xE, Sense.LOGICAL_UNIT_OFFLINE),
    /** Between two others, for a moment; nobody asks for it. */
    TRANSITIONING(0xF, Sense.ASYMMETRIC_ACCESS_STATE_TRANSITION);

    private final int code;
    private final @Nullable Sense refusal;

    AccessState(int code, @Nullable Sense refusal) {
        this.code = code;
        this.refusal = refusal;
    }

    /** Its number in parameter data. */
    public int code() {
        return code;
    }

    /** What a command hears that it does not allow; null where it allows all. */
    @Nullable
    Sense refusal() {
        return refusal;
    }

    /** The state that SET TARGET PORT GROUPS may ask for by this number, null for none. */
    static @Nullable AccessState ofRequest(int code) {
        for (AccessState each : values()) {
            if (each.code == code && each != TRANSITIONING) {
                return each;
            }
        }
        return null;
    }

    /** In lower case, with dashes, as configuration files have it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
