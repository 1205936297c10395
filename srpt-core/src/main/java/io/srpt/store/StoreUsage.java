package io.srpt.store;

/**
 * How much of its medium a store takes, for thin provisioning thresholds and the log page of the same name.
 *
 * @param allocatedBytes bytes of the medium that the store occupies, or {@link #UNKNOWN}
 * @param availableBytes bytes that it, or a neighbour on the same medium, can still come to occupy; or {@link #UNKNOWN}, and
 *     nobody is told when they become few
 */
public record StoreUsage(long allocatedBytes, long availableBytes) {
    public static final long UNKNOWN = -1;

    /** What a store says that does not know. */
    public static final StoreUsage NOT_KNOWN = new StoreUsage(UNKNOWN, UNKNOWN);
}
