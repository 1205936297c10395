package io.srpt.roce;

import java.util.Arrays;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Things in order that have work to do; the array that is worked off and the one that fills take turns. */
final class WorkList<T> {
    private static final int INITIAL_LENGTH = 16;

    private @Nullable T[] filling;
    private @Nullable T[] spare;
    private int count;

    /** An empty one, of arrays that {@code arrays} makes. */
    WorkList(IntFunction<@Nullable T[]> arrays) {
        filling = arrays.apply(INITIAL_LENGTH);
        spare = arrays.apply(INITIAL_LENGTH);
    }

    void add(T thing) {
        if (count == filling.length) {
            filling = Arrays.copyOf(filling, count * 2);
        }
        filling[count++] = thing;
    }

    /** How many there are. */
    int count() {
        return count;
    }

    /** Those that there are, to be worked off and set to null before the next call; the list is empty from now on. */
    @Nullable
    T[] swap() {
        @Nullable T[] full = filling;
        filling = spare;
        spare = full;
        count = 0;
        return full;
    }
}
