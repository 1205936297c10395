package io.srpt.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What administrators use in the guest: sg3_utils tell what the disks are, and discarding gives space back on the host. */
@GuestTest
class SgUtilitiesIT {
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final int NUMBER = 2;
    private static final int MISCOMPARE = 14;
    private static final int ILLEGAL_REQUEST = 5;
    private static final int DATA_PROTECT = 7;
    private static final Pattern SECTION = Pattern.compile("^=== (\\S+) (\\d+)$", Pattern.MULTILINE);
    private static final long MEBIBYTE_SECTORS = 2048;

    private record Output(int status, String text) {}

    private static Path thinFile(GuestLab lab) {
        return lab.tool().directory().resolve("sg-utilities.img");
    }

    private static Target start(GuestLab lab) throws IOException {
        Path readOnly = lab.tool().directory().resolve("sg-utilities-read-only.img");
        Path configuration = lab.tool().directory().resolve("sg-utilities.yaml");
        Files.deleteIfExists(thinFile(lab));
        Files.write(readOnly, new byte[8 << 20]);
        Files.writeString(configuration, """
                acls: any
                lun:
                - {lun: 0, store: "file:%s:256MiB", physical-block-size: 4096, thin: true, serial: THIN-1}
                - {lun: 1, store: "memory:64MiB", block-size: 4096, product: LARGE BLOCKS}
                - {lun: 2, store: "file:%s:8MiB", read-only: true}
                """.formatted(thinFile(lab), readOnly));
        return lab.startFileTarget(NUMBER, "--config", configuration.toString());
    }

    @Test
    void utilitiesPrintWhatTheDisksAre(GuestLab lab) throws IOException {
        Map<String, Output> outputs;
        try (Target target = start(lab)) {
            lab.initiator().prepare(1500, LoginCase.Module.DEFAULT);
            String text = lab.initiator()
                    .run(
                            LIMIT,
                            "sg-utilities.sh",
                            target.line(AddressFamily.IPV4).text())
                    .text();
            outputs = sections(text);
        }

        assertRun(outputs);
        assertThat(text(outputs, "thin.vpd"))
                .contains("Unit serial number: THIN-1", "vendor specific: VIRTUAL DISK    THIN-1")
                .containsPattern("designator type: NAA,  code set: Binary\\s+0x602535")
                .contains("Optimal transfer length granularity: 8 blocks", "Optimal unmap granularity: 8 blocks")
                .contains("Provisioning type: 2 (thin provisioned)", "Extended copy(LID1)");
        assertThat(text(outputs, "large.vpd")).contains("vendor specific: LARGE BLOCKS");
        assertThat(text(outputs, "thin.modes"))
                .contains("WP=0", "DpoFua=1")
                .containsPattern("Caching, page_control: current\\s+00\\s+08 12 04");
        assertThat(text(outputs, "large.modes")).containsPattern("Caching, page_control: current\\s+00\\s+08 12 00");
        assertThat(text(outputs, "read_only.modes")).contains("WP=1");
        assertThat(text(outputs, "thin.capacity"))
                .contains("Number of logical blocks=524288", "length=512 bytes", "physical block length=4096 bytes");
        assertThat(text(outputs, "large.capacity"))
                .contains("Number of logical blocks=16384", "Logical block length=4096 bytes");
        assertThat(text(outputs, "threshold")).as("25 threshold sets of 1 MiB").contains("80 01 00 00 00 00 00 19");
        assertThat(text(outputs, "luns")).contains("3 lun entries");
        assertThat(text(outputs, "opcodes")).contains("Compare and write", "Extended copy(LID1)", "Unmap");
        assertThat(text(outputs, "logs")).contains("Available LBA mapping", "Used LBA mapping");
        assertThat(text(outputs, "copy_results")).contains("Maximum segment length: 16777216 bytes");
        assertBlocks(outputs);
    }

    private static void assertRun(Map<String, Output> outputs) {
        Map<String, Integer> refusals = Map.of(
                "verify.miscompare",
                MISCOMPARE,
                "compare.again",
                MISCOMPARE,
                "sanitize.crypto",
                ILLEGAL_REQUEST,
                "read_only.write",
                DATA_PROTECT);
        assertThat(outputs).containsKeys("thin.vpd", "read_only.write");
        outputs.forEach((name, output) ->
                assertThat(output.status()).as(name + ": " + output.text()).isEqualTo(refusals.getOrDefault(name, 0)));
    }

    private static void assertBlocks(Map<String, Output> outputs) {
        assertThat(text(outputs, "verify.miscompare")).contains("started at LBA 0x41");
        assertThat(text(outputs, "compare.again")).contains("Miscompare at byte offset: 0");
        assertThat(text(outputs, "status.before")).contains("blocks:         64  deallocated");
        assertThat(text(outputs, "status.mapped")).contains("blocks:          8  mapped");
        assertThat(text(outputs, "status.unmapped")).contains("deallocated");
        assertThat(text(outputs, "status.end")).contains("deallocated");
        assertThat(text(outputs, "sense")).contains("Sense key: No Sense");
    }

    @Test
    void discardingGivesSpaceBack(GuestLab lab) throws Exception {
        GuestMachine machine = lab.initiator().machine();
        try (Target target = start(lab)) {
            lab.initiator().prepare(1500, LoginCase.Module.DEFAULT);
            String line = target.line(AddressFamily.IPV4).text();
            String limits = machine.run(
                            LIMIT,
                            "srp_login '" + line + "'; echo $DISK >/tmp/disk; lsblk -Db $DISK; "
                                    + "mkfs.ext4 -q -E nodiscard $DISK; mkdir -p /tmp/discard; mount $DISK /tmp/discard; "
                                    + "dd if=/dev/urandom of=/tmp/discard/file bs=1M count=64 status=none; sync")
                    .text();
            assertThat(limits).as("granularity").containsPattern("(?m)^sd\\w+\\s+0\\s+4096\\s");
            long full = sectors(thinFile(lab));
            assertThat(full).isGreaterThan(64 * MEBIBYTE_SECTORS);

            machine.run(LIMIT, "rm /tmp/discard/file; sync; fstrim /tmp/discard");
            long trimmed = sectors(thinFile(lab));
            assertThat(trimmed).isLessThan(full - 63 * MEBIBYTE_SECTORS);

            machine.run(LIMIT, "umount /tmp/discard; blkdiscard -f $(cat /tmp/disk); srp_logout_all");
            assertThat(sectors(thinFile(lab))).isLessThan(MEBIBYTE_SECTORS);
        }
    }

    /** What the host's file system has given to the file, in sectors of 512 bytes. */
    private static long sectors(Path file) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("stat", "--format=%b", file.toString()).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertThat(process.waitFor()).isZero();
        return Long.parseLong(output.strip());
    }

    private static String text(Map<String, Output> outputs, String name) {
        Output output = outputs.get(name);
        return output == null ? "(nothing)" : output.text();
    }

    private static Map<String, Output> sections(String text) {
        Map<String, Output> outputs = new HashMap<>();
        Matcher matcher = SECTION.matcher(text);
        String name = "";
        int status = 0;
        int begin = 0;
        while (matcher.find()) {
            outputs.put(name, new Output(status, text.substring(begin, matcher.start())));
            name = matcher.group(1);
            status = Integer.parseInt(matcher.group(2));
            begin = matcher.end();
        }
        outputs.put(name, new Output(status, text.substring(begin)));
        outputs.remove("");
        return outputs;
    }
}
