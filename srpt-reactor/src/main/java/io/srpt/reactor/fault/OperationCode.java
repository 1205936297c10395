package io.srpt.reactor.fault;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Operation codes of commands, by the names that SPC-4 and SBC-3 give them. */
public enum OperationCode {
    TEST_UNIT_READY(0x00),
    REQUEST_SENSE(0x03),
    READ_6(0x08),
    WRITE_6(0x0A),
    INQUIRY(0x12),
    MODE_SENSE_6(0x1A),
    START_STOP_UNIT(0x1B),
    READ_CAPACITY_10(0x25),
    READ_10(0x28),
    WRITE_10(0x2A),
    VERIFY_10(0x2F),
    SYNCHRONIZE_CACHE_10(0x35),
    WRITE_SAME_10(0x41),
    UNMAP(0x42),
    MODE_SENSE_10(0x5A),
    PERSISTENT_RESERVE_IN(0x5E),
    PERSISTENT_RESERVE_OUT(0x5F),
    READ_16(0x88),
    COMPARE_AND_WRITE(0x89),
    WRITE_16(0x8A),
    VERIFY_16(0x8F),
    SYNCHRONIZE_CACHE_16(0x91),
    WRITE_SAME_16(0x93),
    SERVICE_ACTION_IN_16(0x9E),
    REPORT_LUNS(0xA0),
    MAINTENANCE_IN(0xA3),
    READ_12(0xA8),
    WRITE_12(0xAA);

    private final int code;

    OperationCode(int code) {
        this.code = code;
    }

    /** Byte 0 of the CDB. */
    public int code() {
        return code;
    }

    /** The one with this name in whatever case, null if there is none. */
    static @Nullable OperationCode named(String name) {
        return Arrays.stream(values())
                .filter(each -> each.name().equalsIgnoreCase(name))
                .findFirst()
                .orElse(null);
    }
}
