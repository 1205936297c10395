package io.srpt.guest;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestWatcher;
import org.opentest4j.TestAbortedException;

/** Boots one guest for all tests of a run, decides whether they can run, and counts them. */
final class GuestExtension
        implements ExecutionCondition,
                BeforeAllCallback,
                BeforeEachCallback,
                AfterEachCallback,
                ParameterResolver,
                TestExecutionExceptionHandler,
                TestWatcher {
    private static final Namespace NAMESPACE = Namespace.create(GuestExtension.class);
    private static final String MODE = System.getProperty("srpt.guest", "auto");
    private static final boolean REQUIRED = MODE.equals("required");
    private static final int LOG_LINES = 60;

    /** What the run can do, and what it did. */
    private static final class Run implements AutoCloseable {
        final GuestTool tool = new GuestTool();
        final String obstacle;
        int run;
        int skipped;

        Run() {
            if (MODE.equals("off")) {
                obstacle = "guests are switched off (srpt.guest=off)";
            } else {
                GuestTool.Result check = tool.run(Duration.ofSeconds(30), "check");
                obstacle = check.status() == 0
                        ? ""
                        : String.join("; ", check.output().lines().toList());
            }
        }

        @Override
        public void close() {
            print("guest cases: %d run, %d skipped", run, skipped);
        }
    }

    private static Store store(ExtensionContext context) {
        return context.getRoot().getStore(NAMESPACE);
    }

    private static Run run(ExtensionContext context) {
        return store(context).computeIfAbsent(Run.class, key -> new Run(), Run.class);
    }

    private static GuestLab lab(ExtensionContext context) {
        GuestTool tool = run(context).tool;
        return store(context).computeIfAbsent(GuestLab.class, key -> GuestLab.open(tool), GuestLab.class);
    }

    /** Only methods are disabled, so that the report names each of them. */
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        String obstacle = run(context).obstacle;
        if (context.getTestMethod().isEmpty() || obstacle.isEmpty() || REQUIRED) {
            return ConditionEvaluationResult.enabled("guests can run");
        }
        return ConditionEvaluationResult.disabled("no guest: " + obstacle);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        String obstacle = run(context).obstacle;
        if (obstacle.isEmpty()) {
            lab(context);
        } else if (REQUIRED) {
            throw new AssertionError("a guest is required: " + obstacle);
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        store(context).put("began", System.nanoTime());
    }

    @Override
    public void afterEach(ExtensionContext context) {
        long began = store(context).getOrDefault("began", Long.class, 0L);
        double seconds = (System.nanoTime() - began) / 1e9;
        Optional<Throwable> failure = context.getExecutionException();
        if (failure.isEmpty()) {
            print("guest case: %5.1f s  %s", seconds, name(context));
        } else if (failure.get() instanceof TestAbortedException) {
            print(
                    "guest case: %5.1f s  %s SKIPPED: %s",
                    seconds, name(context), failure.get().getMessage());
        } else {
            print("guest case: %5.1f s  %s FAILED", seconds, name(context));
            List<String> log = lab(context).target().log().lines().toList();
            print(String.join("\n", log.subList(Math.max(0, log.size() - LOG_LINES), log.size()))
                    .replace("%", "%%"));
            lab(context).initiator().recover();
        }
    }

    private static String name(ExtensionContext context) {
        String method = context.getRequiredTestMethod().getName();
        String display = context.getDisplayName();
        return display.startsWith(method) ? method : method + " " + display;
    }

    /** A case that skips itself is a failure where guests are required. */
    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable throwable) throws Throwable {
        if (REQUIRED && throwable instanceof TestAbortedException) {
            throw new AssertionError("a required case was skipped", throwable);
        }
        throw throwable;
    }

    @Override
    public void testSuccessful(ExtensionContext context) {
        run(context).run++;
    }

    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
        run(context).run++;
    }

    @Override
    public void testAborted(ExtensionContext context, Throwable cause) {
        run(context).skipped++;
    }

    @Override
    public void testDisabled(ExtensionContext context, Optional<String> reason) {
        run(context).skipped++;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == GuestLab.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return lab(context);
    }

    static void print(String format, Object... arguments) {
        System.out.println(format.formatted(arguments));
    }
}
