package io.srpt.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** fio in the guest finds every block as it wrote it: on a clean wire, on a bad wire, and while the wire is recorded. */
@GuestTest
class KernelVerifyIT {
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final Duration FAULTS_LIMIT = Duration.ofSeconds(240);
    private static final String[] JOBS = {
        "random:randwrite:4k:4m:16",
        "sequential-64k:write:64k:16m:8",
        "sequential-1m:write:1m:32m:4",
        "mixed:randrw:4k:4m:16"
    };
    private static final String FAULTS_JOB = "faults:randwrite:16k:4m:16";
    private static final int MEBIBYTE = 1024;

    @Test
    void findsNoWrongBlock(GuestLab lab) {
        lab.initiator().prepare(1500, LoginCase.Module.DEFAULT);

        Report report = verify(lab, lab.target().line(AddressFamily.IPV6), LIMIT, "", JOBS);

        assertThat(report.number("random.written_kib")).isEqualTo(4 * MEBIBYTE);
        assertThat(report.number("sequential-64k.written_kib")).isEqualTo(16 * MEBIBYTE);
        assertThat(report.number("sequential-1m.written_kib")).isEqualTo(32 * MEBIBYTE);
        assertThat(report.number("mixed.read_kib")).isPositive();
        assertThat(report.number("mixed.written_kib")).isPositive();
    }

    /** One command at a time, then commands of a mebibyte, as one range and as a table of pages. */
    @Test
    @Tag("pitfall-54")
    @Tag("pitfall-76")
    void findsNoWrongBlockWithTheSmallestQueueAndWithTheLargestCommands(GuestLab lab) {
        lab.initiator().prepare(1500, LoginCase.Module.DEFAULT);
        TargetLine line = lab.target().line(AddressFamily.IPV4);

        verify(lab, line, LIMIT, "queue_size=1", "small:randrw:4k:512k:32");
        for (int descriptors : new int[] {1, 255}) {
            String options = "max_sect=16384,cmd_sg_entries=" + descriptors;
            Report report = verify(lab, line, LIMIT, options, "large:write:8m:16m:2");
            assertThat(report.number("request_kib")).isGreaterThanOrEqualTo(1024);
        }
    }

    @Test
    void survivesLossOnTheGuestsInterface(GuestLab lab) {
        prepareForLoss(lab);
        Report before = lab.isKernelTarget() ? Report.parse("") : lab.target().statistics();
        lab.initiator().run(LIMIT, "netem.sh", "on");
        Report wire;
        try {
            verify(lab, lab.target().line(AddressFamily.IPV4), FAULTS_LIMIT, "ch_count=2", FAULTS_JOB);
        } finally {
            wire = lab.initiator().run(LIMIT, "netem.sh", "off");
        }

        assertThat(wire.number("eth0.dropped")).isPositive();
        assertThat(wire.number("faults.dropped")).isPositive();
        assertRecovered(before, lab.target().statistics(), List.of("srpt_roce_retransmits"));
    }

    @Test
    @Tag("pitfall-78")
    void survivesLossInTheFaultLayer(GuestLab lab) {
        prepareForLoss(lab);
        String faults = "seed=" + Long.getLong("srpt.seed", 20261202L) + ",loss=0.01,duplicate=0.005,reorder=0.005";
        try (Target target = lab.startTarget(2, "--faults", faults)) {
            verify(lab, target.line(AddressFamily.IPV6), FAULTS_LIMIT, "ch_count=2", FAULTS_JOB);

            // Losses alone need not show as each of these: one ACK makes up for another that was lost.
            assertRecovered(
                    Report.parse(""),
                    target.statistics(),
                    List.of("srpt_roce_retransmits", "srpt_roce_duplicates", "srpt_roce_out_of_sequence"));
        }
    }

    @Test
    @Tag("pitfall-45")
    void everyPacketOnTheWireHasARightCrcAndOurOwnCaptureIsReadable(GuestLab lab) {
        lab.initiator().prepare(1500, LoginCase.Module.NO_IMMEDIATE_DATA);
        Path own = lab.tool().directory().resolve("own.pcap");
        Target target = lab.isKernelTarget() ? lab.target() : lab.startTarget(3, "--pcap", own.toString());
        Path captured;
        try {
            captured = recordSessions(lab, target);
        } finally {
            if (!lab.isKernelTarget()) {
                target.close();
            }
        }
        Report wire = PacketCapture.check(lab.tool(), captured, target);

        assertThat(wire.number("icrc_wrong")).isZero();
        assertThat(List.of("from_target", "to_target"))
                .allSatisfy(name -> assertThat(wire.number(name)).isGreaterThan(1000));
        assertThat(List.of(
                        "to_target.cm",
                        "from_target.cm",
                        "to_target.send",
                        "from_target.send",
                        "from_target.write",
                        "from_target.read_request",
                        "to_target.read_response"))
                .allSatisfy(name -> assertThat(wire.number(name)).as(name).isPositive());
        assertThat(PacketCapture.tshark(lab.tool(), captured, "_ws.malformed")).isZero();
        if (!lab.isKernelTarget()) {
            assertThat(PacketCapture.tshark(lab.tool(), own, "infiniband")).isGreaterThan(1000);
            assertThat(PacketCapture.tshark(lab.tool(), own, "_ws.malformed")).isZero();
        }
    }

    private static Path recordSessions(GuestLab lab, Target target) {
        PacketCapture capture = PacketCapture.start(lab.tool(), lab.initiator().machine(), "wire.pcap");
        try (capture) {
            verify(lab, target.line(AddressFamily.IPV4), LIMIT, "", "wire:randwrite:16k:2m:8");
            verify(lab, target.line(AddressFamily.IPV6), LIMIT, "", "wire:randwrite:16k:2m:8");
        }
        return capture.file();
    }

    /**
     * The guest's rdma_rxe executes a memory registration again when it sends again what followed it, finds the region in
     * use and breaks the connection: with loss, its initiator works only without registrations.
     */
    private static void prepareForLoss(GuestLab lab) {
        lab.initiator().prepare(1500, LoginCase.Module.NO_REGISTRATION);
    }

    private static Report verify(GuestLab lab, TargetLine line, Duration limit, String options, String... jobs) {
        String[] arguments = new String[2 + jobs.length];
        arguments[0] = line.text();
        arguments[1] = options;
        System.arraycopy(jobs, 0, arguments, 2, jobs.length);
        Report report = lab.initiator().run(limit, "verify.sh", arguments);
        for (String job : jobs) {
            String name = job.substring(0, job.indexOf(':'));
            assertThat(report.number(name + ".errors")).as(job).isZero();
        }
        assertThat(report.number("timeouts")).isZero();
        assertThat(report.number("io_errors")).isZero();
        assertThat(report.number("channels_kept")).isOne();
        assertThat(report.number("reconnects")).isZero();
        return report;
    }

    private static void assertRecovered(Report before, Report after, List<String> counters) {
        assertThat(counters)
                .allSatisfy(name -> assertThat(after.number(name)).as(name).isGreaterThan(before.count(name)));
    }
}
