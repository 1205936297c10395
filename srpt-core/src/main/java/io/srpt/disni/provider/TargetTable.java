package io.srpt.disni.provider;

import io.srpt.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The queues of a device by the index in their {@link WorkRequestNumber}s. An index that is used again has a new generation. */
final class TargetTable {
    private static final int MAX = 1 << 16;

    private final List<@Nullable CompletionTarget> targets = new ArrayList<>();
    private int generation;

    /** Reserves an index; returns the numbers that go with it. */
    long reserve() throws VerbsException {
        int index = targets.indexOf(null);
        if (index < 0) {
            index = targets.size();
            if (index == MAX) {
                throw new VerbsException("there are " + MAX + " queues already");
            }
            targets.add(null);
        }
        return WorkRequestNumber.base(index, ++generation);
    }

    void put(CompletionTarget target) {
        targets.set(WorkRequestNumber.index(target.numbers()), target);
    }

    void remove(CompletionTarget target) {
        targets.set(WorkRequestNumber.index(target.numbers()), null);
    }

    /** The queue that {@code number} is of; null when it is gone. */
    @Nullable
    CompletionTarget find(long number) {
        int index = WorkRequestNumber.index(number);
        CompletionTarget target = index < targets.size() ? targets.get(index) : null;
        return target != null && WorkRequestNumber.isOf(number, target.numbers()) ? target : null;
    }

    List<CompletionTarget> all() {
        List<CompletionTarget> all = new ArrayList<>();
        for (CompletionTarget target : targets) {
            if (target != null) {
                all.add(target);
            }
        }
        return all;
    }
}
