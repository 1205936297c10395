package io.srpt.roce.packet;

/**
 * What the syndrome byte of an {@link Aeth} says (InfiniBand Architecture Specification, volume 1, section 9.7.5.1).
 *
 * <pre>
 * bits 7   6..5   4..0
 *      0    00    ACK, credit count code (31: no credit information)
 *      0    01    RNR NAK, timer code
 *      0    10    reserved
 *      0    11    NAK, error code
 * </pre>
 *
 * Stateless table look-ups; syndromes are ints 0..255.
 */
public final class AethSyndrome {

    /** ACK without credit information: what this provider sends. */
    public static final int ACK_NO_CREDITS = 0x1F;

    public static final int RNR_NAK = 0x20;
    public static final int NAK_PSN_SEQUENCE_ERROR = 0x60;
    public static final int NAK_INVALID_REQUEST = 0x61;
    public static final int NAK_REMOTE_ACCESS_ERROR = 0x62;
    public static final int NAK_REMOTE_OPERATIONAL_ERROR = 0x63;
    public static final int NAK_INVALID_RD_REQUEST = 0x64;

    /** The credit code, and {@link #credits} of it, that promises nothing. */
    public static final int NO_CREDIT_CODE = 31;

    public static final int NO_CREDITS = -1;

    private static final int KIND_MASK = 0xE0;
    private static final int KIND_ACK = 0x00;
    private static final int KIND_NAK = 0x60;
    private static final int VALUE_MASK = 0x1F;

    /** The delay of timer code 0, in units of 0.01 ms; the other codes follow the {@link #series}. */
    private static final int LONGEST_RNR_DELAY = 65_536;

    private static final long RNR_UNIT_NANOS = 10_000;

    private static final int CODES = 32;
    private static final int[] CREDITS = new int[CODES];
    private static final int[] RNR_DELAY = new int[CODES];

    static {
        for (int code = 0; code < CODES; code++) {
            CREDITS[code] = code == NO_CREDIT_CODE ? NO_CREDITS : series(code);
            RNR_DELAY[code] = code == 0 ? LONGEST_RNR_DELAY : series(code);
        }
    }

    private static final String[] NAK_NAMES = {
        "NAK PSN sequence error",
        "NAK invalid request",
        "NAK remote access error",
        "NAK remote operational error",
        "NAK invalid RD request"
    };

    private AethSyndrome() {}

    /** 0, 1, 2, 3, 4, 6, 8, 12, 16, 24 .. 32768, 49152: powers of two and one and a half of each. */
    private static int series(int code) {
        if (code < 2) {
            return code;
        }
        return (code & 1) == 0 ? 1 << code / 2 : 3 << (code - 3) / 2;
    }

    public static boolean isAck(int syndrome) {
        return (syndrome & KIND_MASK) == KIND_ACK;
    }

    public static boolean isRnrNak(int syndrome) {
        return (syndrome & KIND_MASK) == RNR_NAK;
    }

    /** Whether it is a NAK other than "receiver not ready", with a known code or not. */
    public static boolean isNak(int syndrome) {
        return (syndrome & KIND_MASK) == KIND_NAK;
    }

    /** The low five bits: credit code, RNR timer code or NAK code. */
    public static int value(int syndrome) {
        return syndrome & VALUE_MASK;
    }

    /** An ACK with this credit code, 0..31. */
    public static int ack(int creditCode) {
        return creditCode & VALUE_MASK;
    }

    /** A "receiver not ready" NAK with this timer code, 0..31. */
    public static int rnrNak(int timerCode) {
        return RNR_NAK | timerCode & VALUE_MASK;
    }

    /** Credits that an ACK with this code grants, or {@link #NO_CREDITS} for code 31. */
    public static int credits(int creditCode) {
        return CREDITS[creditCode & VALUE_MASK];
    }

    /** The code of the largest grant that is not above {@code credits}; a negative number gives {@link #NO_CREDIT_CODE}. */
    public static int creditCode(int credits) {
        if (credits < 0) {
            return NO_CREDIT_CODE;
        }
        int code = NO_CREDIT_CODE - 1;
        while (CREDITS[code] > credits) {
            code--;
        }
        return code;
    }

    /** How long a requester waits after an RNR NAK with this timer code: 0.01 ms .. 655.36 ms, in nanoseconds. */
    public static long rnrDelayNanos(int timerCode) {
        return RNR_DELAY[timerCode & VALUE_MASK] * RNR_UNIT_NANOS;
    }

    /** The timer code of the shortest delay that is not below {@code nanos}; 0, the longest, when none is. */
    public static int rnrTimerCode(long nanos) {
        for (int code = 1; code < RNR_DELAY.length; code++) {
            if (RNR_DELAY[code] * RNR_UNIT_NANOS >= nanos) {
                return code;
            }
        }
        return 0;
    }

    /** For logs. */
    public static String name(int syndrome) {
        int value = value(syndrome);
        if (isAck(syndrome)) {
            return value == NO_CREDIT_CODE ? "ACK" : "ACK credits " + credits(value);
        }
        if (isRnrNak(syndrome)) {
            return "RNR NAK " + rnrDelayNanos(value) / 1e6 + " ms";
        }
        if (isNak(syndrome) && value < NAK_NAMES.length) {
            return NAK_NAMES[value];
        }
        return "reserved syndrome 0x" + Integer.toHexString(syndrome & 0xFF);
    }
}
