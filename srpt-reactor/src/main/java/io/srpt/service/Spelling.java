package io.srpt.service;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a misspelt key may have meant. */
final class Spelling {
    private Spelling() {}

    /** The end of a sentence about {@code key}, which is not among {@code known}. */
    static String hint(String key, List<String> known) {
        String near = nearest(key, known);
        return near == null ? "known keys are " + String.join(", ", known) : "did you mean '" + near + "'?";
    }

    /** The known key that differs least, if it is close enough to be a slip. */
    private static @Nullable String nearest(String key, List<String> all) {
        String best = null;
        int bestDistance = 3;
        for (String known : all) {
            int distance = distance(key.replace('_', '-'), known);
            if (distance < bestDistance) {
                bestDistance = distance;
                best = known;
            }
        }
        return best;
    }

    /** Levenshtein's distance. */
    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int column = 0; column <= to.length(); column++) {
            row[column] = column;
        }
        for (int line = 1; line <= from.length(); line++) {
            int diagonal = row[0];
            row[0] = line;
            for (int column = 1; column <= to.length(); column++) {
                int change = diagonal + (from.charAt(line - 1) == to.charAt(column - 1) ? 0 : 1);
                diagonal = row[column];
                row[column] = Math.min(change, 1 + Math.min(row[column], row[column - 1]));
            }
        }
        return row[to.length()];
    }
}
