package io.srpt.pitfalls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The table of {@code srpt-core/PITFALLS.md}. */
final class PitfallTable {
    static final int COUNT = 110;

    private static final Pattern ROW = Pattern.compile("\\| (\\d+) \\| ([^|]+) \\| ([^|]*)\\|");

    private PitfallTable() {}

    /**
     * One pitfall.
     *
     * @param reason why no test shows it; empty if one must
     */
    record Row(int number, String scenario, String reason) {
        boolean needsTest() {
            return reason.isEmpty();
        }
    }

    static List<Row> read(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .map(ROW::matcher)
                .filter(Matcher::matches)
                .map(row -> new Row(
                        Integer.parseInt(row.group(1)),
                        row.group(2).strip(),
                        row.group(3).strip()))
                .toList();
    }
}
