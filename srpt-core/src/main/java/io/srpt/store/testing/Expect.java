package io.srpt.store.testing;

import io.srpt.store.StoreStatus;

/** Assertions without a test framework. */
final class Expect {
    private Expect() {}

    static void status(StoreStatus expected, StoreStatus actual, String what) {
        that(actual == expected, "%s must end with %s and ended with %s", what, expected, actual);
    }

    static void that(boolean condition, String message, Object... arguments) {
        if (!condition) {
            throw new AssertionError(String.format(message, arguments));
        }
    }

    /** Fails at the first byte that differs. */
    static void same(byte[] expected, byte[] actual, long offset, String what) {
        for (int i = 0; i < expected.length; i++) {
            that(
                    expected[i] == actual[i],
                    "%s: byte %d must be %02x and is %02x",
                    what,
                    offset + i,
                    expected[i],
                    actual[i]);
        }
    }
}
