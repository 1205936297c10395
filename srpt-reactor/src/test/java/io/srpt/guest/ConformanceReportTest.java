package io.srpt.guest;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.guest.ConformanceReport.Outcome;
import org.junit.jupiter.api.Test;

class ConformanceReportTest {
    private static final String OUTPUT = """
            === begin Inquiry
            Suite: Inquiry
              Test: Standard ...passed
              Test: EVPD ...    [SKIPPED] No such page.
            passed
              Test: BlockLimits ...    [FAILED] INQUIRY failed with sense
            FAILED
                1. test_inquiry_block_limits.c:83  - CU_ASSERT_EQUAL(_r,0)

            Run Summary:    Type  Total    Ran Passed Failed Inactive
                           tests      3      3      2      1        0
            === end Inquiry 0 402 ms
            === begin Sanitize
              Test: BlockErase ...passed
              Test: Reset ...
            === end Sanitize 139 12 ms
            === begin Sanitize.BlockErase
              Test: BlockErase ...passed
            Run Summary:    Type  Total    Ran Passed Failed Inactive
            === end Sanitize.BlockErase 0 12 ms
            """;

    private final ConformanceReport report = ConformanceReport.parse(OUTPUT);

    @Test
    void aSkippedTestDidNotPass() {
        assertThat(report.with(Outcome.PASSED)).containsOnlyKeys("Inquiry.Standard", "Sanitize.BlockErase");
        assertThat(report.with(Outcome.SKIPPED)).containsEntry("Inquiry.EVPD", "[SKIPPED] No such page.");
    }

    @Test
    void aFailureIsNamedWithWhatWasSaid() {
        assertThat(report.with(Outcome.FAILED))
                .containsEntry(
                        "Inquiry.BlockLimits",
                        "[FAILED] INQUIRY failed with sense; 1. test_inquiry_block_limits.c:83  - CU_ASSERT_EQUAL(_r,0)");
    }

    @Test
    void aTestWhoseProcessDiedCrashed() {
        assertThat(report.with(Outcome.CRASHED)).containsEntry("Sanitize.Reset", "exit status 139: ");
        assertThat(report.size()).isEqualTo(5);
    }
}
