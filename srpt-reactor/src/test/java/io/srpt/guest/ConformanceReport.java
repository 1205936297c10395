package io.srpt.guest;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What libiscsi's SCSI suite said, by test ({@code FAMILY.TEST}). The suite itself counts a test that it skipped as passed;
 * here it is skipped. A test whose process died is crashed, and so is one that a family's process did not come to and that
 * was not run again by itself.
 */
final class ConformanceReport {
    enum Outcome {
        PASSED,
        SKIPPED,
        FAILED,
        CRASHED
    }

    /**
     * How a test ended.
     *
     * @param reason what the suite said about it, in one line; empty where it passed
     */
    record Result(Outcome outcome, String reason) {}

    private static final Pattern BEGIN = Pattern.compile("=== begin ([\\w-]+)(\\.[\\w-]+)?");
    private static final Pattern END = Pattern.compile("=== end (\\S+) (\\d+) .*");
    private static final Pattern TEST = Pattern.compile(" {2}Test: (\\S+) \\.\\.\\.(.*)");

    private final Map<String, Result> results = new LinkedHashMap<>();

    private String family = "";
    private String test = "";
    private final StringBuilder said = new StringBuilder();

    private ConformanceReport() {}

    static ConformanceReport parse(String text) {
        ConformanceReport report = new ConformanceReport();
        text.lines().forEach(report::line);
        return report;
    }

    private void line(String line) {
        Matcher begin = BEGIN.matcher(line);
        Matcher end = END.matcher(line);
        Matcher next = TEST.matcher(line);
        if (begin.matches()) {
            family = begin.group(1);
        } else if (next.matches()) {
            finish();
            test = next.group(1);
            said.append(next.group(2)).append('\n');
        } else if (line.startsWith("Run Summary:")) {
            finish();
        } else if (end.matches()) {
            if (!test.isEmpty()) {
                results.put(name(), new Result(Outcome.CRASHED, "exit status " + end.group(2) + ": " + reason()));
                test = "";
                said.setLength(0);
            }
        } else if (!test.isEmpty()) {
            said.append(line).append('\n');
        }
    }

    private String name() {
        return family + "." + test;
    }

    private void finish() {
        if (test.isEmpty()) {
            return;
        }
        Outcome outcome = said.indexOf("FAILED") >= 0
                ? Outcome.FAILED
                : said.indexOf("[SKIPPED]") >= 0 ? Outcome.SKIPPED : Outcome.PASSED;
        results.put(name(), new Result(outcome, outcome == Outcome.PASSED ? "" : reason()));
        test = "";
        said.setLength(0);
    }

    private String reason() {
        return said.toString()
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.equals("passed") && !line.equals("FAILED"))
                .distinct()
                .reduce((a, b) -> a + "; " + b)
                .orElse("");
    }

    /** The tests with that outcome and what the suite said of each, by name. */
    Map<String, String> with(Outcome outcome) {
        Map<String, String> found = new TreeMap<>();
        results.forEach((name, result) -> {
            if (result.outcome() == outcome) {
                found.put(name, result.reason());
            }
        });
        return found;
    }

    int size() {
        return results.size();
    }

    /** Counts, then a line for each test that did not pass. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Outcome outcome : Outcome.values()) {
            text.append(outcome).append(' ').append(with(outcome).size()).append(' ');
        }
        for (Outcome outcome : Outcome.values()) {
            if (outcome != Outcome.PASSED) {
                with(outcome)
                        .forEach((name, reason) -> text.append("\n")
                                .append(outcome)
                                .append(' ')
                                .append(name)
                                .append(": ")
                                .append(reason));
            }
        }
        return text.toString();
    }
}
