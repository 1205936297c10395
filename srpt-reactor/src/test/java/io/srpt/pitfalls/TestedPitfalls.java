package io.srpt.pitfalls;

import io.srpt.reports.TestReports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Runs after all tests of a build and looks in their reports for those with the tag of a pitfall. Arguments: the table,
 * {@code required} when a test for a guest must not have been skipped, the folder of the core's build, and that of this
 * module's.
 */
public final class TestedPitfalls {
    private TestedPitfalls() {}

    /** Ends with an exception when a pitfall has no test, or one of its tests did not pass. */
    public static void main(String[] arguments) throws Exception {
        List<String> builds = List.of(arguments).subList(2, arguments.length);
        List<String> folders = new ArrayList<>();
        List<TaggedTests.Tagged> tests = new ArrayList<>();
        for (String build : builds) {
            folders.add(build + "/surefire-reports");
            folders.add(build + "/failsafe-reports");
            Path classes = Path.of(build, "test-classes");
            if (Files.isDirectory(classes)) {
                tests.addAll(TaggedTests.below(classes));
            }
        }
        TestReports reports = TestReports.read(arguments[1], folders);
        List<PitfallTable.Row> rows = PitfallTable.read(Path.of(arguments[0]));
        int shown = 0;
        for (PitfallTable.Row row : rows) {
            shown += row.needsTest() && isShown(row, tests, reports) ? 1 : 0;
        }
        long reasons = rows.stream().filter(row -> !row.reason().isEmpty()).count();
        System.out.println(shown + " of " + rows.size() + " pitfalls are shown by tests of this build, " + reasons
                + " cannot occur");
        reports.finish();
    }

    private static boolean isShown(PitfallTable.Row row, List<TaggedTests.Tagged> tests, TestReports reports) {
        List<TaggedTests.Tagged> own =
                tests.stream().filter(test -> test.number() == row.number()).collect(Collectors.toList());
        if (own.isEmpty()) {
            return reports.expect("pitfall " + row.number(), "no test has its tag:", row.scenario());
        }
        boolean all = true;
        for (TaggedTests.Tagged test : own) {
            all &= reports.expect("pitfall " + row.number(), test.type(), test.method());
        }
        return all;
    }
}
