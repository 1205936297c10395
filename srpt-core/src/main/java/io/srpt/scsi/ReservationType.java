package io.srpt.scsi;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The types of persistent reservations (SPC-4 §6.15.3.4); their scope is always the logical unit. */
public enum ReservationType {
    WRITE_EXCLUSIVE(0x1),
    EXCLUSIVE_ACCESS(0x3),
    WRITE_EXCLUSIVE_REGISTRANTS_ONLY(0x5),
    EXCLUSIVE_ACCESS_REGISTRANTS_ONLY(0x6),
    WRITE_EXCLUSIVE_ALL_REGISTRANTS(0x7),
    EXCLUSIVE_ACCESS_ALL_REGISTRANTS(0x8);

    private static final ReservationType[] ALL = values();

    private final int code;

    ReservationType(int code) {
        this.code = code;
    }

    /** The type with this code, or null. */
    static @Nullable ReservationType of(int code) {
        for (ReservationType each : ALL) {
            if (each.code == code) {
                return each;
            }
        }
        return null;
    }

    /** Four bits; SCOPE and TYPE together are the same byte, since the scope is 0. */
    public int code() {
        return code;
    }

    /** In lower case, with dashes. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether reading is reserved, too. */
    boolean exclusiveAccess() {
        return this == EXCLUSIVE_ACCESS
                || this == EXCLUSIVE_ACCESS_REGISTRANTS_ONLY
                || this == EXCLUSIVE_ACCESS_ALL_REGISTRANTS;
    }

    /** Whether all registered nexuses hold it together. */
    boolean allRegistrants() {
        return this == WRITE_EXCLUSIVE_ALL_REGISTRANTS || this == EXCLUSIVE_ACCESS_ALL_REGISTRANTS;
    }

    /** Whether all registered nexuses have the access that its holder has. */
    boolean forRegistrants() {
        return this != WRITE_EXCLUSIVE && this != EXCLUSIVE_ACCESS;
    }
}
