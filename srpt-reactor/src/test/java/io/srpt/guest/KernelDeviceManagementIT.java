package io.srpt.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A program in the guest asks the Device Management agent through {@code /dev/infiniband/umad0}. Over IPv6: the kernel
 * does not match an answer over an IPv4 GID to its question.
 */
@GuestTest
class KernelDeviceManagementIT {
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final Pattern ANSWER = Pattern.compile(
            "(?<query>\\S+) method=81 status=(?<status>[0-9a-f]{4}) attribute=\\w+ modifier=\\w+ data=(?<data>[0-9a-f]{384})");
    private static final int QUERIES = 1000;
    private static final int BAD_ATTRIBUTE = 0x000C;
    private static final int BAD_MODIFIER = 0x001C;
    private static final int NO_CONTROLLER = 0x0100;

    private record Answer(int status, ByteBuffer data) {
        long bytes(int offset, int length) {
            long value = 0;
            for (int i = 0; i < length; i++) {
                value = value << 8 | data.get(offset + i) & 0xFF;
            }
            return value;
        }

        String text(int offset, int length) {
            byte[] bytes = new byte[length];
            data.get(offset, bytes);
            return new String(bytes, StandardCharsets.UTF_8).replaceFirst("\0+$", "");
        }

        boolean isZero(int from, int to) {
            byte[] bytes = new byte[to - from];
            data.get(from, bytes);
            return Arrays.equals(bytes, new byte[to - from]);
        }
    }

    @BeforeEach
    void prepare(GuestLab lab) {
        lab.initiator().prepare(1500, LoginCase.Module.DEFAULT);
    }

    @Test
    void answersClassPortInfo(GuestLab lab) {
        Answer answer = ask(lab, "get:1:0");

        assertThat(answer.status()).isZero();
        assertThat(answer.bytes(0, 8))
                .as("versions 1 and 1, no capability, 4.3 s to answer")
                .isEqualTo(0x0101_0000_0000_0014L);
        assertThat(answer.isZero(8, 192)).as("no redirection, no trap").isTrue();
    }

    @Test
    void answersIoUnitInfo(GuestLab lab) {
        Answer answer = ask(lab, "get:10:0");

        assertThat(answer.status()).isZero();
        assertThat(answer.bytes(0, 5))
                .as("change 1, 16 slots, nothing optional, slot 1 in use")
                .isEqualTo(0x00_0110_0010L);
        assertThat(answer.isZero(5, 192)).as("the other slots are empty").isTrue();
    }

    @Test
    @Tag("pitfall-28")
    @Tag("pitfall-29")
    void answersIoControllerProfile(GuestLab lab) {
        Answer answer = ask(lab, "get:11:1");

        assertThat(answer.status()).isZero();
        assertThat(answer.bytes(0, 8)).isEqualTo(guid(lab));
        assertThat(answer.bytes(28, 8)).as("class, subclass, protocol, version").isEqualTo(0x0100_609E_0108_0001L);
        assertThat(answer.bytes(40, 2)).as("send queue depth").isPositive();
        assertThat(answer.bytes(43, 1)).as("read queue depth").isPositive();
        assertThat(answer.bytes(44, 4)).as("message size").isGreaterThanOrEqualTo(2116);
        assertThat(answer.bytes(48, 4)).as("transfer size").isGreaterThanOrEqualTo(65536);
        assertThat(answer.bytes(52, 3))
                .as("operations, services, one service entry")
                .isEqualTo(0x2B0001);
        assertThat(answer.text(64, 64)).isNotEmpty();
        assertThat(List.of(
                        answer.isZero(18, 20),
                        answer.isZero(36, 40),
                        answer.isZero(42, 43),
                        answer.isZero(55, 64),
                        answer.isZero(128, 192)))
                .as("reserved bytes")
                .containsOnly(true);
    }

    @Test
    void answersServiceEntries(GuestLab lab) {
        Answer answer = ask(lab, "get:12:10000");

        assertThat(answer.status()).isZero();
        assertThat(answer.text(0, 40)).isEqualTo("SRP.T10:" + HexFormat.of().toHexDigits(guid(lab)));
        assertThat(answer.bytes(40, 8)).isEqualTo(guid(lab));
        assertThat(answer.isZero(48, 192)).isTrue();
    }

    @Test
    void refusesWhatItDoesNotHave(GuestLab lab) {
        assertThat(ask(lab, "get:11:0").status()).as("slot 0").isEqualTo(BAD_MODIFIER);
        assertThat(ask(lab, "get:11:11").status()).as("slot 17").isEqualTo(BAD_MODIFIER);
        assertThat(ask(lab, "get:11:3").status()).as("an empty slot").isEqualTo(NO_CONTROLLER);
        assertThat(ask(lab, "get:12:10202").status()).as("a third service").isEqualTo(NO_CONTROLLER);
        assertThat(ask(lab, "get:55:0").status()).as("an unknown attribute").isEqualTo(BAD_ATTRIBUTE);
        assertThat(ask(lab, "get:2:0").status()).as("a notice").isEqualTo(BAD_ATTRIBUTE);
        assertThat(ask(lab, "set:1:0").status()).as("Set").isEqualTo(BAD_ATTRIBUTE);
        assertThat(ask(lab, "set:10:0").status()).as("Set").isEqualTo(BAD_ATTRIBUTE);
    }

    @Test
    void answersASecondSlotLikeAnyEmptyOne(GuestLab lab) {
        assumeFalse(lab.isKernelTarget(), "the kernel's target answers slot 2 as slot 1");
        Answer answer = ask(lab, "get:11:2");

        assertThat(answer.status()).isEqualTo(NO_CONTROLLER);
        assertThat(answer.isZero(0, 192)).isTrue();
    }

    @Test
    void answersEachOfManyQueriesOnceAndHoldsNothing(GuestLab lab) {
        Report before = lab.isKernelTarget() ? Report.parse("") : lab.target().statistics();
        Report load;
        PacketCapture capture = PacketCapture.start(lab.tool(), lab.initiator().machine(), "device-management.pcap");
        try (capture) {
            load = query(lab, "--count " + QUERIES, "get:1:0 get:10:0 get:11:1 get:12:10000 get:55:0");
        }

        assertThat(load.number("answered")).isEqualTo(QUERIES);
        assertThat(load.number("repeated") + load.number("foreign")).isZero();
        Report wire = PacketCapture.check(lab.tool(), capture.file(), lab.target());
        assertThat(wire.number("dm.answered_once")).isEqualTo(QUERIES);
        assertThat(wire.number("icrc_wrong")).isZero();
        Report statistics = lab.target().statistics();
        // Buffers that are posted to receive are in use too: as many as before.
        assertThat(statistics.number("srpt_mad_buffers_in_use")).isEqualTo(before.number("srpt_mad_buffers_in_use"));
        assertThat(statistics.number("srpt_address_handles")).isZero();
    }

    private static Answer ask(GuestLab lab, String query) {
        Report report = query(lab, "", query);
        Matcher matcher = ANSWER.matcher(report.text().strip());
        assertThat(matcher.matches()).as(report.text()).isTrue();
        byte[] data = HexFormat.of().parseHex(matcher.group("data"));
        return new Answer(Integer.parseInt(matcher.group("status"), 16), ByteBuffer.wrap(data));
    }

    private static Report query(GuestLab lab, String options, String queries) {
        String gid = lab.target().line(AddressFamily.IPV6).address();
        return lab.initiator()
                .machine()
                .run(LIMIT, "python3 /guest/dm-query.py " + options + " " + gid + " " + queries);
    }

    private static long guid(GuestLab lab) {
        return HexFormat.fromHexDigitsToLong(
                lab.target().line(AddressFamily.IPV6).guid());
    }
}
