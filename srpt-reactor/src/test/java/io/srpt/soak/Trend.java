package io.srpt.soak;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * How a measured value moved from the middle third of a run to its last third. The first third is not judged: there the
 * process warms up.
 *
 * @param name what was measured
 * @param middle what stands for the middle third
 * @param last what stands for the last third
 * @param band by how much the two may differ, as a part of the middle; 0 asks for equality
 */
record Trend(String name, double middle, double last, double band) {
    private static final int THIRDS = 3;

    /** Judges a value that swings around a level: by the median of each third, which a single peak does not move. */
    static Trend ofLevel(String name, List<Double> series, double band) {
        return of(name, series, band, Trend::median);
    }

    /** Judges a value that climbs and falls back, as a heap between collections does: by the lowest of each third. */
    static Trend ofFloor(String name, List<Double> series, double band) {
        return of(name, series, band, sorted -> sorted[0]);
    }

    private static Trend of(String name, List<Double> series, double band, ToDoubleFunction<double[]> summary) {
        int third = series.size() / THIRDS;
        if (third == 0) {
            throw new IllegalArgumentException(name + ": " + series.size() + " samples have no thirds");
        }
        int end = series.size();
        return new Trend(
                name,
                summary.applyAsDouble(sorted(series.subList(end - 2 * third, end - third))),
                summary.applyAsDouble(sorted(series.subList(end - third, end))),
                band);
    }

    private static double[] sorted(List<Double> values) {
        double[] array = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(array);
        return array;
    }

    private static double median(double[] sorted) {
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /** The change as a part of the middle third. */
    double change() {
        return middle == last ? 0 : (last - middle) / middle;
    }

    /** Whether the change, up or down, stays in the band. */
    boolean holds() {
        return Math.abs(change()) <= band;
    }

    /** A line of a table. */
    String line() {
        return String.format(
                Locale.ROOT,
                "%-22s %14.0f %14.0f %+8.2f %% of +-%5.2f %% %s",
                name,
                middle,
                last,
                100 * change(),
                100 * band,
                holds() ? "ok" : "MOVED");
    }
}
