package io.srpt.counter;

/**
 * Counts values by fixed upper bounds, with one writer and any number of readers. Nothing is allocated and nothing is
 * locked; the bounds are few, and most values are small, so that they are looked for from the lowest on.
 *
 * <p>Threads: {@link #record} belongs to the one thread that owns the counted object; the rest to any. A reader sees each
 * bucket as it was a moment ago, and not all of them at the same moment.
 */
public final class Histogram {
    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;
    private static final long[] LATENCY_NANOS = {
        10 * MICRO, 25 * MICRO, 50 * MICRO, 100 * MICRO, 250 * MICRO, 500 * MICRO,
        MILLI, 2_500 * MICRO, 5 * MILLI, 10 * MILLI, 25 * MILLI, 50 * MILLI, 100 * MILLI, 250 * MILLI, 500 * MILLI,
        SECOND, 2_500 * MILLI, 5 * SECOND, 10 * SECOND
    };

    private final long[] bounds;
    private final Counter[] buckets;
    private final Counter sum = new Counter();

    private Histogram(long[] bounds) {
        this.bounds = bounds;
        buckets = new Counter[bounds.length + 1];
        for (int i = 0; i < buckets.length; i++) {
            buckets[i] = new Counter();
        }
    }

    /** For times in nanoseconds, with bounds from 10 microseconds to 10 seconds: the same everywhere, so that they add up. */
    public static Histogram ofLatencies() {
        return new Histogram(LATENCY_NANOS);
    }

    /** For values up to {@code highest}, with a bound at each power of two. */
    public static Histogram ofPowersOfTwo(int highest) {
        int count = Integer.SIZE - Integer.numberOfLeadingZeros(highest);
        long[] bounds = new long[count];
        for (int i = 0; i < count; i++) {
            bounds[i] = 1L << i;
        }
        return new Histogram(bounds);
    }

    /** Counts {@code value}; a negative one as 0. Owner thread only. */
    public void record(long value) {
        int bucket = 0;
        while (bucket < bounds.length && value > bounds[bucket]) {
            bucket++;
        }
        buckets[bucket].increment();
        sum.add(Math.max(0, value));
    }

    /** Buckets that have an upper bound; one more, without, comes after them. */
    public int boundedBuckets() {
        return bounds.length;
    }

    /** The largest value that bucket {@code index} takes. */
    public long bound(int index) {
        return bounds[index];
    }

    /** Values in bucket {@code index} alone; {@link #boundedBuckets()} is the one without bound. */
    public long count(int index) {
        return buckets[index].get();
    }

    /** Values in all. */
    public long count() {
        long count = 0;
        for (Counter bucket : buckets) {
            count += bucket.get();
        }
        return count;
    }

    /** The sum of the values. */
    public long sum() {
        return sum.get();
    }
}
