package io.srpt.guest;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.TestProfile;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The kernel's initiator logs in in every way that matters and keeps a file system on the disk. */
@GuestTest
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class KernelInitiatorIT {
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final int CYCLES = TestProfile.count(15, 50);
    private static final int FILES = 42;
    /** Gauges of what a session holds; each is back when the session is gone. */
    private static final List<String> HELD = List.of(
            "srpt_channels",
            "srpt_queue_pairs",
            "srpt_memory_regions",
            "srpt_mad_buffers_in_use",
            "srpt_address_handles");

    static final List<LoginCase> LOGINS = LoginCase.ALL;

    @ParameterizedTest(name = "{0}")
    @FieldSource("LOGINS")
    @Order(1)
    @Tag("pitfall-21")
    @Tag("pitfall-43")
    void keepsAFileSystem(LoginCase login, GuestLab lab) {
        lab.initiator().prepare(login.mtu(), login.module());

        Report report = lab.initiator()
                .run(LIMIT, "login.sh", lab.target().line(login.family()).text(), login.options());

        assertThat(report.number("ch_count")).isEqualTo(login.channels());
        assertThat(report.number("cmd_sg_entries")).isEqualTo(login.descriptors());
        assertThat(report.number("files")).isEqualTo(FILES);
    }

    @Test
    @Order(2)
    void theLoginsUsedDirectIndirectAndImmediateCommands(GuestLab lab) {
        Report statistics = lab.target().statistics();

        assertThat(statistics.number("srpt_commands_direct")).isPositive();
        assertThat(statistics.number("srpt_commands_indirect")).isPositive();
        assertThat(statistics.number("srpt_commands_immediate")).isPositive();
        assertThat(statistics.number("srpt_logins")).isEqualTo(statistics.number("srpt_logouts"));
    }

    @Test
    @Order(3)
    void holdsNothingMoreAfterManyLogins(GuestLab lab) {
        lab.initiator().prepare(1500, LoginCase.Module.DEFAULT);
        String line = lab.target().line(AddressFamily.IPV4).text();
        lab.initiator().run(LIMIT, "cycle.sh", line, "ch_count=2", "1");
        Report before = lab.isKernelTarget() ? Report.parse("") : settled(lab, Report.parse(""));

        Report report = lab.initiator()
                .run(LIMIT.plusSeconds(CYCLES * 10L), "cycle.sh", line, "ch_count=2", Integer.toString(CYCLES));

        assertThat(report.number("cycles")).isEqualTo(CYCLES);
        Report after = settled(lab, before);
        assertThat(HELD)
                .allSatisfy(name -> assertThat(after.number(name)).as(name).isEqualTo(before.number(name)));
        assertThat(after.number("srpt_channels")).isZero();
        assertThat(after.number("srpt_logins") - before.number("srpt_logins")).isGreaterThanOrEqualTo(CYCLES);
    }

    /** Statistics once TimeWait is over: when no gauge is above the ones before, or when they do not fall any more. */
    private static Report settled(GuestLab lab, Report before) {
        Report[] latest = {lab.target().statistics()};
        Await.until(Duration.ofSeconds(20), () -> {
            Report now = lab.target().statistics();
            boolean steady = HELD.stream()
                    .allMatch(name -> before.values().isEmpty()
                            ? now.number(name) == latest[0].number(name) && now.number("srpt_channels") == 0
                            : now.number(name) <= before.number(name));
            latest[0] = now;
            return steady;
        });
        return latest[0];
    }
}
