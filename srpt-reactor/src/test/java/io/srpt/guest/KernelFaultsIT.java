package io.srpt.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Faults that the target injects arrive at the kernel's initiator as what they are; {@code faults.sh} has the places. */
@GuestTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KernelFaultsIT {
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final String[] RULES = {
        "--inject", "command=READ_12,sense=3/11/04",
        "--inject", "command=READ_10,lba=4096,sense=3/11/00",
        "--inject", "command=READ_10,lba=8192,nth=1,delay=4s",
        "--inject", "command=READ_10,lba=12288,nth=1,drop",
        "--inject", "command=READ_10,lba=16384,nth=1,kill",
        "--inject", "mad,attribute=0x10,nth=1,drop",
        "--inject", "mad,attribute=0x11,nth=1,delay=1s"
    };

    private Target target;

    @BeforeAll
    void startTarget(GuestLab lab) {
        target = lab.startTarget(3, RULES);
    }

    @AfterAll
    void endTarget() {
        target.close();
    }

    @BeforeEach
    void prepare(GuestLab lab) {
        lab.initiator().prepare(1500, LoginCase.Module.DEFAULT);
    }

    @Test
    void theSenseThatWasInjectedArrives(GuestLab lab) {
        Report report = run(lab, "pass_through");

        assertThat(report.number("sg_status")).as("sg_raw: a medium error").isEqualTo(3);
        assertThat(report.text())
                .containsIgnoringCase("Medium Error")
                .containsIgnoringCase("Unrecovered read error - auto reallocate failed");
        assertGoesOn(report);
    }

    @Test
    void aReadOfABadBlockFailsAndSaysWhy(GuestLab lab) {
        Report report = run(lab, "medium_error");

        assertThat(report.number("dd_status")).isEqualTo(1);
        assertThat(report.number("medium_errors")).isEqualTo(1);
        assertThat(report.number("senses")).isEqualTo(1);
        assertThat(report.number("timeouts")).isZero();
        assertGoesOn(report);
    }

    @Test
    void aDelayedCommandIsAbortedAndItsRepetitionSucceeds(GuestLab lab) {
        Report report = run(lab, "delay");

        assertThat(report.number("timeouts")).isEqualTo(1);
        assertThat(report.number("aborts")).isEqualTo(1);
        assertThat(report.number("dd_status")).isZero();
        assertThat(report.number("seconds")).isGreaterThanOrEqualTo(2);
        assertGoesOn(report);
    }

    @Test
    void aDroppedCommandIsAbortedAndItsRepetitionSucceeds(GuestLab lab) {
        Report report = run(lab, "drop");

        assertThat(report.number("timeouts")).isEqualTo(1);
        assertThat(report.number("aborts")).isEqualTo(1);
        assertThat(report.number("dd_status")).isZero();
        assertGoesOn(report);
    }

    @Test
    void aKilledChannelIsConnectedAgainAndTheCommandRepeated(GuestLab lab) {
        Report report = run(lab, "kill");

        assertThat(report.number("dd_status")).isZero();
        assertGoesOn(report);
        assertThat(target.log()).contains("FAULT_INJECTED");
    }

    @Test
    void aDroppedReplyTimesOutAndTheNextQueryIsAnswered(GuestLab lab) {
        String answers = query(lab, "get:10:0 get:10:0");

        assertThat(answers.lines().toList()).hasSize(2);
        assertThat(answers.lines().toList().get(0))
                .startsWith("get:0010")
                .contains("unanswered (Connection timed out)");
        assertThat(answers.lines().toList().get(1)).contains("method=81 status=0000");
    }

    @Test
    void aDelayedReplyStillCounts(GuestLab lab) {
        long began = System.nanoTime();
        assertThat(query(lab, "get:11:1")).contains("method=81 status=0000");
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofSeconds(1));
    }

    private Report run(GuestLab lab, String faultCase) {
        return lab.initiator()
                .run(
                        LIMIT,
                        "faults.sh",
                        faultCase,
                        target.line(AddressFamily.IPV4).text());
    }

    private String query(GuestLab lab, String queries) {
        String gid = target.line(AddressFamily.IPV6).address();
        return lab.initiator()
                .machine()
                .run(LIMIT, "python3 /guest/dm-query.py --once " + gid + " " + queries)
                .text()
                .strip();
    }

    private static void assertGoesOn(Report report) {
        assertThat(report.number("next_read")).isZero();
        assertThat(report.text()).contains("state running");
    }
}
