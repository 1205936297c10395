package io.srpt.store.testing;

import io.srpt.store.BlockStore;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks that a store does what {@link BlockStore} says. Depends on no test framework; with JUnit:
 *
 * <pre>{@code
 * @TestFactory
 * Stream<DynamicTest> keepsTheContract() {
 *     return StoreContract.of(MyStore::open).checks().stream()
 *             .map(check -> DynamicTest.dynamicTest(check.name(), check::run));
 * }
 * }</pre>
 *
 * <p>Each check opens a store of its own and closes it. One that is writable must be all zeros then, and have 1 MiB at
 * least; it is written to. Of one that is read-only, what a reader sees is checked.
 *
 * <p>What no program can check here is durability: that what was acknowledged as durable survives a power cut. With
 * {@link #reopenedBy} it is checked at least that flushed data survives a close.
 */
public final class StoreContract {
    /** Opens a store. */
    @FunctionalInterface
    public interface Opener {
        BlockStore open() throws Exception;
    }

    /** What is checked, on an open store. */
    @FunctionalInterface
    interface Body {
        void check(BlockStore store) throws Exception;
    }

    /** One check of the contract. */
    public static final class Check {
        private final String name;
        private final Opener opener;
        private final Body body;

        Check(String name, Opener opener, Body body) {
            this.name = name;
            this.opener = opener;
            this.body = body;
        }

        /** What the store has to do, as in {@code readsZerosWhereNothingWasWritten}. */
        public String name() {
            return name;
        }

        /**
         * Runs it, on the caller's thread.
         *
         * @throws AssertionError if the store does something else; the message says what
         * @throws Exception if the store cannot be opened
         */
        public void run() throws Exception {
            try (BlockStore store = opener.open()) {
                body.check(store);
            }
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private final Opener opener;
    private final List<Check> more = new ArrayList<>();

    private StoreContract(Opener opener) {
        this.opener = opener;
    }

    /** The contract for the stores that {@code opener} opens. */
    public static StoreContract of(Opener opener) {
        return new StoreContract(opener);
    }

    /** Also checks that data is kept; {@code again} opens the store once more that was opened last. */
    public StoreContract reopenedBy(Opener again) {
        more.add(new Check("keepsFlushedDataWhenReopened", opener, store -> DataChecks.keepsData(store, again)));
        return this;
    }

    /**
     * The checks that fit the store, which is opened to find out.
     *
     * @throws Exception if it cannot be opened
     */
    public List<Check> checks() throws Exception {
        List<Check> checks = new ArrayList<>();
        try (BlockStore store = opener.open()) {
            add(checks, "hasASize", RangeChecks::hasASize);
            add(checks, "refusesRangesOutsideOfIt", RangeChecks::refusesRangesOutside);
            add(checks, "readsTheSameTwice", DataChecks::readsTheSameTwice);
            add(checks, "fillsOnlyWhatLiesBetweenPositionAndLimit", DataChecks::fillsOnlyTheSegments);
            add(checks, "tellsWhatIsAllocated", AllocationChecks::tellsRuns);
            add(checks, "tellsItsUsage", AllocationChecks::tellsUsage);
            add(checks, "isNotReadyOnceClosed", RangeChecks::isNotReadyOnceClosed);
            if (store.readOnly()) {
                add(checks, "refusesChanges", RangeChecks::refusesChanges);
                return checks;
            }
        }
        add(checks, "readsZerosWhereNothingWasWritten", DataChecks::readsZeros);
        add(checks, "behavesLikeAnArrayUnderRandomOperations", DataChecks::behavesLikeAnArray);
        add(checks, "keepsOperationsOfSeveralThreadsApart", DataChecks::keepsThreadsApart);
        add(checks, "writesThroughAndFlushes", DataChecks::writesThrough);
        add(checks, "readsZerosWhereItWasUnmapped", AllocationChecks::unmapsToZeros);
        add(checks, "growsOrSaysThatItCannot", AllocationChecks::grows);
        checks.addAll(more);
        return checks;
    }

    private void add(List<Check> checks, String name, Body body) {
        checks.add(new Check(name, opener, body));
    }

    /**
     * Runs all checks.
     *
     * @throws AssertionError at the first one that fails
     * @throws Exception if the store cannot be opened
     */
    public void run() throws Exception {
        for (Check check : checks()) {
            try {
                check.run();
            } catch (AssertionError e) {
                throw new AssertionError(check.name() + ": " + e.getMessage(), e);
            }
        }
    }
}
