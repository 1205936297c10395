package io.srpt.disni;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs {@link DisniVerbsContractTest} where there is no Maven, such as in a guest, and prints what came of it. */
public final class ContractOnDevice {
    private ContractOnDevice() {}

    /** Prints {@code passed N}, {@code failed N} and {@code skipped N}, a test a line before. */
    public static void main(String[] arguments) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(DisniVerbsContractTest.class))
                .build();
        int[] counts = new int[3];
        LauncherFactory.create().execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                boolean failed = result.getStatus() == TestExecutionResult.Status.FAILED;
                if (test.isTest() || failed) {
                    counts[failed ? 1 : result.getStatus() == TestExecutionResult.Status.ABORTED ? 2 : 0]++;
                    System.out.println(result.getStatus() + " in " + test.getDisplayName());
                    result.getThrowable().ifPresent(error -> error.printStackTrace(System.out));
                }
            }
        });
        System.out.printf("passed %d%nfailed %d%nskipped %d%n", counts[0], counts[1], counts[2]);
        System.exit(0);
    }
}
