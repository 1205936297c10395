package io.srpt.functions;

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
 * Runs after all tests of a build and looks in their reports for those that the table names. Arguments: the table, {@code
 * required} when a test for a guest must not have been skipped, and the folders of reports.
 */
public final class TestedFunctions {
    private enum Result {
        PASSED,
        SKIPPED,
        FAILED
    }

    private TestedFunctions() {}

    /** Ends with an exception when a function is not shown. */
    public static void main(String[] arguments) throws Exception {
        boolean skippable = !arguments[1].equals("required");
        Map<String, Result> results = new HashMap<>();
        for (String folder : List.of(arguments).subList(2, arguments.length)) {
            readFolder(Path.of(folder), results);
        }
        List<String> missing = new ArrayList<>();
        List<String> skipped = new ArrayList<>();
        List<FunctionTable.Row> rows = FunctionTable.read(Path.of(arguments[0]));
        for (FunctionTable.Row row : rows) {
            Result result = results.get(row.test() + "#" + row.testMethod());
            String line = row.function() + ": " + row.test() + "#" + row.testMethod();
            if (result == null || result == Result.FAILED) {
                missing.add(line + (result == null ? " did not run" : " failed"));
            } else if (result == Result.SKIPPED) {
                (skippable ? skipped : missing).add(line + " was skipped");
            }
        }
        skipped.forEach(System.out::println);
        System.out.println(rows.size() - missing.size() - skipped.size() + " of " + rows.size()
                + " functions of ib_srpt are shown by tests of this build");
        if (!missing.isEmpty()) {
            throw new IllegalStateException("not shown:\n" + String.join("\n", missing));
        }
    }

    private static void readFolder(Path folder, Map<String, Result> results) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        List<Path> reports;
        try (Stream<Path> files = Files.list(folder)) {
            reports = files.filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
                    .toList();
        }
        for (Path report : reports) {
            readReport(report, results);
        }
    }

    private static void readReport(Path report, Map<String, Result> results) throws IOException {
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
