package io.srpt.roce.cm;

/** The four-bit code of a path MTU: 1 is 256 bytes, 5 is 4096. */
final class PathMtu {
    private static final int MIN_CODE = 1;
    private static final int MAX_CODE = 5;
    private static final int BASE_SHIFT = 7;

    private PathMtu() {}

    /** Whether the code means a size. */
    static boolean isValid(int code) {
        return code >= MIN_CODE && code <= MAX_CODE;
    }

    /** Bytes of a valid code. */
    static int bytes(int code) {
        return 1 << code + BASE_SHIFT;
    }

    /** The code of 256, 512, 1024, 2048 or 4096 bytes; of another number, that of the next smaller size. */
    static int code(int bytes) {
        int code = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(Math.max(1, bytes)) - BASE_SHIFT;
        return Math.clamp(code, MIN_CODE, MAX_CODE);
    }
}
