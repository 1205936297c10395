package io.srpt.reports;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * The results of the tests of a build, and which of those that somebody asked for are not among those that passed.
 *
 * <p>A test that was skipped, for want of a guest, say, passes for the time being, unless guests are required.
 */
public final class TestReports {
    private enum Result {
        PASSED,
        SKIPPED,
        FAILED
    }

    private final Map<String, Result> results = new HashMap<>();
    private final boolean skippable;
    private final List<String> missing = new ArrayList<>();
    private final List<String> skipped = new ArrayList<>();

    private TestReports(boolean skippable) {
        this.skippable = skippable;
    }

    /**
     * Reads what is in {@code folders}; one that is not there has no reports.
     *
     * @param guest the property {@code srpt.guest}: {@code required} when no test may have been skipped
     */
    public static TestReports read(String guest, List<String> folders) throws IOException {
        TestReports reports = new TestReports(!guest.equals("required"));
        for (String folder : folders) {
            reports.readFolder(Path.of(folder));
        }
        return reports;
    }

    /** Notes how the test {@code type#method} ended, which is to show {@code what}; returns whether it passed. */
    public boolean expect(String what, String type, String method) {
        Result result = results.get(type + "#" + method);
        String line = what + ": " + type + "#" + method;
        if (result == null || result == Result.FAILED) {
            missing.add(line + (result == null ? " did not run" : " failed"));
        } else if (result == Result.SKIPPED) {
            (skippable ? skipped : missing).add(line + " was skipped");
        }
        return result == Result.PASSED;
    }

    /** Prints what was skipped; an exception if something that was expected is missing. */
    public void finish() {
        skipped.forEach(System.out::println);
        if (!missing.isEmpty()) {
            throw new IllegalStateException("not shown:\n" + String.join("\n", missing));
        }
    }

    private void readFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        List<Path> reports;
        try (Stream<Path> files = Files.list(folder)) {
            reports = files.filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
                    .toList();
        }
        for (Path report : reports) {
            readReport(report);
        }
    }

    private void readReport(Path report) throws IOException {
        NodeList cases;
        try {
            cases = DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .parse(report.toFile())
                    .getElementsByTagName("testcase");
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException(report + " is no report", e);
        }
        for (int i = 0; i < cases.getLength(); i++) {
            Element each = (Element) cases.item(i);
            // A test with parameters has a case for each set of them.
            String method = each.getAttribute("name").replaceFirst("[(\\[{].*", "");
            results.merge(
                    each.getAttribute("classname") + "#" + method,
                    result(each),
                    (one, other) -> one.compareTo(other) > 0 ? one : other);
        }
    }

    private static Result result(Element each) {
        boolean failed = each.getElementsByTagName("failure").getLength()
                        + each.getElementsByTagName("error").getLength()
                > 0;
        if (failed) {
            return Result.FAILED;
        }
        return each.getElementsByTagName("skipped").getLength() > 0 ? Result.SKIPPED : Result.PASSED;
    }
}
