package io.srpt.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Persistent reservations as {@code sg_persist} of two initiators sees them, over a restart of the target, too. */
@GuestTest
class KernelReservationsIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int NUMBER = 2;

    /** What sg_raw returns for RESERVATION CONFLICT, and for a unit attention. */
    private static final int CONFLICT = 24;

    private static final int UNIT_ATTENTION = 6;

    @BeforeEach
    void prepare(GuestLab lab) {
        lab.initiator().prepare(1500, LoginCase.Module.DEFAULT);
    }

    @Test
    void oneInitiatorKeepsTheOtherOutUntilItIsPreemptedAndARestartChangesNothing(GuestLab lab) {
        try (Target target = lab.startTarget(NUMBER)) {
            Report report = run(lab, target, "first");
            assertThat(report.number("register_a")).as(report.text()).isZero();
            assertThat(report.number("register_b")).isZero();
            assertThat(report.number("keys")).isEqualTo(2);
            assertThat(report.number("reserve_a")).isZero();
            assertThat(report.text()).contains("holder 0xa1");
            assertThat(report.number("write_a")).isZero();
            assertThat(report.number("write_b")).isEqualTo(CONFLICT);
            assertThat(report.number("dd_b")).isPositive();
            assertThat(report.number("read_b")).isZero();
            assertThat(report.number("preempt_b")).isZero();
            assertThat(report.number("attention_a")).isEqualTo(UNIT_ATTENTION);
            assertThat(report.number("preempted")).isPositive();
            assertThat(report.number("preempted_write_a")).isEqualTo(CONFLICT);
            assertThat(report.number("holder_write_b")).isZero();
        }
        try (Target target = lab.startTarget(NUMBER)) {
            Report report = run(lab, target, "again");
            assertThat(report.text()).contains("kept_holder 0xb2");
            assertThat(report.number("kept_write_a")).isEqualTo(CONFLICT);
            assertThat(report.number("kept_write_b")).isZero();
            assertThat(report.number("clear_b")).isZero();
            assertThat(report.number("cleared_keys")).isZero();
            assertThat(report.number("cleared_write_a")).isZero();
        }
    }

    private static Report run(GuestLab lab, Target target, String part) {
        return lab.initiator()
                .run(LIMIT, "reservations.sh", target.line(AddressFamily.IPV4).text(), part);
    }
}
