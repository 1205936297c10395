package io.srpt.scsi;

import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a nexus sees of the target's logical units: under which numbers, and which of them it may only read. Immutable; looked
 * up without allocation.
 */
public final class LunView {
    /** Every unit under its own number, as the target has it. */
    public static final LunView ALL = new LunView(new TreeMap<>(), true);

    private static final int NONE = -1;

    private final boolean all;
    /** By number of the nexus: the target's number. */
    private final int[] numbers;

    private final boolean[] readOnly;

    /**
     * One unit that is seen.
     *
     * @param lun its number at the target
     * @param readOnly whether the nexus may only read it
     */
    public record Mapping(int lun, boolean readOnly) {}

    private LunView(SortedMap<Integer, Mapping> mappings, boolean all) {
        this.all = all;
        int limit = mappings.isEmpty() ? 0 : mappings.lastKey() + 1;
        numbers = new int[limit];
        readOnly = new boolean[limit];
        for (int lun = 0; lun < limit; lun++) {
            Mapping mapping = mappings.get(lun);
            numbers[lun] = mapping == null ? NONE : mapping.lun();
            readOnly[lun] = mapping != null && mapping.readOnly();
        }
    }

    /** Only these units, by the number that the nexus uses; numbers are 0 to {@link Lun#MAX}. */
    public static LunView of(Map<Integer, Mapping> mappings) {
        for (Map.Entry<Integer, Mapping> entry : mappings.entrySet()) {
            if (entry.getKey() < 0 || entry.getKey() > Lun.MAX) {
                throw new IllegalArgumentException("LUN " + entry.getKey() + " is not in 0.." + Lun.MAX);
            }
        }
        return new LunView(new TreeMap<>(mappings), false);
    }

    /** The target's number of what the nexus calls {@code lun}; -1 when it is nothing. */
    int unit(int lun) {
        if (all) {
            return lun;
        }
        return lun >= 0 && lun < numbers.length ? numbers[lun] : NONE;
    }

    boolean isReadOnly(int lun) {
        return lun >= 0 && lun < readOnly.length && readOnly[lun];
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LunView view
                && all == view.all
                && Arrays.equals(numbers, view.numbers)
                && Arrays.equals(readOnly, view.readOnly);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(numbers) + Arrays.hashCode(readOnly);
    }

    /** One above the highest number that the nexus may use, where the target has units below {@code limit}. */
    int limit(int limitOfTarget) {
        return all ? limitOfTarget : numbers.length;
    }
}
