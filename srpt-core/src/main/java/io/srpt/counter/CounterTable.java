package io.srpt.counter;

/** A counter for each pair of two enums' constants. Threads: those of {@link Counter}. */
public final class CounterTable<R extends Enum<R>, C extends Enum<C>> {
    private final Counter[][] cells;

    public CounterTable(Class<R> rows, Class<C> columns) {
        int width = columns.getEnumConstants().length;
        cells = new Counter[rows.getEnumConstants().length][width];
        for (Counter[] row : cells) {
            for (int column = 0; column < width; column++) {
                row[column] = new Counter();
            }
        }
    }

    /** The counter of {@code row} and {@code column}. */
    public Counter get(R row, C column) {
        return cells[row.ordinal()][column.ordinal()];
    }
}
