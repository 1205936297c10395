package io.srpt.functions;

import io.srpt.reports.TestReports;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs after all tests of a build and looks in their reports for those that the table names. Arguments: the table, {@code
 * required} when a test for a guest must not have been skipped, and the folders of reports.
 */
public final class TestedFunctions {
    private TestedFunctions() {}

    /** Ends with an exception when a function is not shown. */
    public static void main(String[] arguments) throws Exception {
        List<String> all = List.of(arguments);
        TestReports reports = TestReports.read(all.get(1), all.subList(2, all.size()));
        List<FunctionTable.Row> rows = FunctionTable.read(Path.of(all.get(0)));
        int shown = 0;
        for (FunctionTable.Row row : rows) {
            shown += reports.expect(row.function(), row.test(), row.testMethod()) ? 1 : 0;
        }
        System.out.println(shown + " of " + rows.size() + " functions of ib_srpt are shown by tests of this build");
        reports.finish();
    }
}
