package io.srpt.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.testng.ITestListener;
import org.testng.ITestResult;
import org.testng.TestNG;
import org.testng.xml.XmlClass;
import org.testng.xml.XmlSuite;
import org.testng.xml.XmlTest;

/** Runs the Reactive Streams TCK on every publisher that the API returns, of a whole target and of a port. */
class ReactiveStreamsTckTest {
    /** What the API has; a new method that returns a publisher must be added here on purpose. */
    private static final List<String> KNOWN = List.of(
            "MadPortStreams.receives",
            "MadPortStreams.sendCompletions",
            "SrptStreams.allEvents",
            "SrptStreams.channelEvents",
            "SrptStreams.commandCompletions",
            "SrptStreams.loginEvents",
            "SrptStreams.madEvents",
            "SrptStreams.madReceives",
            "SrptStreams.madSendCompletions",
            "SrptStreams.portEvents",
            "SrptStreams.stallEvents",
            "SrptStreams.taskManagementEvents",
            "SrptStreams.transportEvents");

    /** Rules of the TCK that a publisher must at least have been shown to keep; the others do not apply to it. */
    private static final int MIN_PASSED = 24;

    private static final int THREADS = 8;

    @Test
    void everyPublisherOfTheApiIsKnown() {
        assertThat(FluxMethods.ofTheApi().stream().map(FluxMethods::name).sorted())
                .containsExactlyElementsOf(KNOWN);
    }

    /** Most of the time a rule waits for something that must not come: the publishers are verified side by side. */
    @TestFactory
    Stream<DynamicTest> publishersKeepTheRules() {
        Results results = new Results();
        TestNG engine = new TestNG(false);
        engine.setVerbose(0);
        engine.setXmlSuites(List.of(suite(FluxVerification.all().size())));
        engine.addListener(results);
        engine.run();
        assertThat(results.byPublisher).hasSizeGreaterThan(KNOWN.size());
        return results.byPublisher.entrySet().stream()
                .map(each -> DynamicTest.dynamicTest(
                        each.getKey(), () -> each.getValue().check()));
    }

    /** A TestNG test for each publisher, as one keeps to one thread. */
    private static XmlSuite suite(int publishers) {
        XmlSuite suite = new XmlSuite();
        suite.setName("publishers");
        suite.setParallel(XmlSuite.ParallelMode.TESTS);
        suite.setThreadCount(THREADS);
        for (int index = 0; index < publishers; index++) {
            XmlTest test = new XmlTest(suite);
            test.setName("publisher " + index);
            test.addParameter("index", Integer.toString(index));
            test.setXmlClasses(List.of(new XmlClass(FluxVerification.class)));
        }
        return suite;
    }

    /** What became of the rules for one publisher. */
    private static final class Outcome {
        private final List<String> passed = new ArrayList<>();
        private final Map<String, String> failed = new TreeMap<>();

        private void check() {
            assertThat(failed).isEmpty();
            assertThat(passed).hasSizeGreaterThanOrEqualTo(MIN_PASSED);
        }
    }

    private static final class Results implements ITestListener {
        private final Map<String, Outcome> byPublisher = new TreeMap<>();

        private synchronized Outcome of(ITestResult result) {
            return byPublisher.computeIfAbsent(result.getInstance().toString(), name -> new Outcome());
        }

        @Override
        public synchronized void onTestSuccess(ITestResult result) {
            of(result).passed.add(result.getName());
        }

        @Override
        public synchronized void onTestFailure(ITestResult result) {
            Throwable cause = result.getThrowable();
            of(result)
                    .failed
                    .put(
                            result.getName(),
                            cause
                                    + Stream.of(cause.getStackTrace())
                                            .limit(12)
                                            .map(frame -> "\n    at " + frame)
                                            .collect(Collectors.joining()));
        }
    }
}
