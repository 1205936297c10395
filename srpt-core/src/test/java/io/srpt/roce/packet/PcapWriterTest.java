package io.srpt.roce.packet;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.srpt.Needed;
import io.srpt.roce.packet.PcapReader.Datagram;
import io.srpt.verbs.Gid;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PcapWriterTest {

    private static final long UNBOUNDED = Long.MAX_VALUE;

    @TempDir
    Path directory;

    private final FlowHeader flow = new FlowHeader(Gid.parse("192.0.2.1"), Gid.parse("192.0.2.2"), 4791);

    @Test
    void whatIsWrittenIsReadBack() throws IOException {
        List<Datagram> originals = Captures.all();
        Path file = directory.resolve("copy.pcap");
        copy(originals, file);
        List<Datagram> copies = PcapReader.read(file);
        assertThat(copies).hasSameSizeAs(originals);
        for (int i = 0; i < copies.size(); i++) {
            Datagram copy = copies.get(i);
            Datagram original = originals.get(i);
            assertThat(copy.payload()).isEqualTo(original.payload());
            assertThat(copy.epochNanos()).isEqualTo(original.epochNanos());
            assertThat(copy.flow()).usingRecursiveComparison().isEqualTo(original.flow());
            assertThat(copy.udpChecksum()).isZero();
            assertThat(copy.isIpv4()).isEqualTo(original.isIpv4());
            assertThat(copy.identification()).isEqualTo(original.identification());
        }
    }

    @Test
    void theIpHeadersOfRxeAreReproducedByteForByte() throws IOException {
        for (String capture : Captures.FILES) {
            if (capture.equals(Captures.HARDWARE)) {
                continue;
            }
            List<Datagram> originals = PcapReader.roce(capture);
            Path file = directory.resolve(capture);
            copy(originals, file);
            List<Datagram> copies = PcapReader.read(file);
            for (int i = 0; i < copies.size(); i++) {
                assertThat(copies.get(i).ipHeader())
                        .as("%s %d", capture, i)
                        .isEqualTo(originals.get(i).ipHeader());
            }
        }
    }

    @Test
    void tsharkReadsTheCopyAsItReadsTheOriginal() throws Exception {
        Needed.isThere(isInstalled("tshark"), "tshark is not installed");
        for (String capture : List.of("dm-v4.pcap", "srp-mtu9000.pcap", "srp-login-io-v6.pcap", Captures.HARDWARE)) {
            Path copy = directory.resolve(capture);
            List<Datagram> datagrams = PcapReader.roce(capture);
            copy(datagrams, copy);
            Path original = directory.resolve("original-" + capture);
            try (InputStream in = PcapReader.class.getResourceAsStream("/captures/" + capture)) {
                Files.copy(Objects.requireNonNull(in), original);
            }
            List<String> dissected = dissect(copy);
            assertThat(dissected).as(capture).hasSameSizeAs(datagrams).isEqualTo(dissect(original));
        }
    }

    /**
     * One line a RoCEv2 packet: malformed or not, IPv4 checksum status, addresses, and the fields of the BTH. RPC over
     * RDMA is switched off, because it takes some SRP messages for its own and then finds them malformed.
     */
    private List<String> dissect(Path capture) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("tshark", "-r", capture.toString(), "-T", "fields"));
        command.addAll(List.of("-Y", "udp.dstport == 4791", "-o", "ip.check_checksum:TRUE"));
        command.addAll(List.of("--disable-protocol", "rpcordma"));
        for (String field :
                List.of("_ws.malformed", "ip.checksum.status", "ip.addr", "ip.id", "ipv6.addr", "udp.port")) {
            command.addAll(List.of("-e", field));
        }
        for (String field : List.of("opcode", "destqp", "psn")) {
            command.addAll(List.of("-e", "infiniband.bth." + field));
        }
        Path output = directory.resolve("tshark.txt");
        Process tshark = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(output.toFile())
                .start();
        assertThat(tshark.waitFor(60, TimeUnit.SECONDS)).isTrue();
        List<String> lines = Files.readAllLines(output);
        assertThat(lines).noneMatch(line -> line.contains("alformed"));
        return lines;
    }

    private static boolean isInstalled(String program) {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            if (Files.isExecutable(Path.of(folder, program))) {
                return true;
            }
        }
        return false;
    }

    private static void copy(List<Datagram> datagrams, Path file) throws IOException {
        try (PcapWriter writer = PcapWriter.open(file, UNBOUNDED)) {
            for (Datagram d : datagrams) {
                ByteBuffer packet = d.direct(7);
                writer.write(d.epochNanos(), d.flow(), packet, 7, d.payload().length, d.identification());
                assertThat(packet.position()).isZero();
            }
            assertThat(writer.packets()).isEqualTo(datagrams.size());
        }
    }

    @Test
    void theFileStopsAtItsBound() throws IOException {
        Path file = directory.resolve("bounded.pcap");
        ByteBuffer packet = ByteBuffer.allocate(100);
        try (PcapWriter writer = PcapWriter.open(file, 1000)) {
            for (int i = 0; i < 10; i++) {
                writer.write(i, flow, packet, 0, 100, i);
            }
            assertThat(writer.isEnabled()).isFalse();
            assertThat(writer.packets()).isEqualTo(6);
            assertThat(writer.skipped()).isEqualTo(4);
        }
        assertThat(Files.size(file)).isLessThanOrEqualTo(1000);
        assertThat(PcapReader.read(file)).hasSize(6);
    }

    @Test
    void aFullDiskEndsTheCaptureAndNothingElse() throws IOException {
        Path full = Path.of("/dev/full");
        assertThat(full).exists();
        ByteBuffer packet = ByteBuffer.allocateDirect(4096);
        try (PcapWriter writer = PcapWriter.open(full, UNBOUNDED)) {
            for (int i = 0; i < 200; i++) {
                writer.write(i, flow, packet, 0, 4096, 0);
            }
            assertThat(writer.isEnabled()).isFalse();
            assertThat(writer.skipped()).isPositive();
            writer.flush();
        }
    }

    @Test
    void argumentsThatNameNoDatagramAreSkipped() throws IOException {
        ByteBuffer packet = ByteBuffer.allocate(20);
        try (PcapWriter writer = PcapWriter.open(directory.resolve("skip.pcap"), UNBOUNDED)) {
            writer.write(0, flow, packet, -1, 10, 0);
            writer.write(0, flow, packet, 0, -1, 0);
            writer.write(0, flow, packet, 1, 20, 0);
            writer.write(0, flow, packet, Integer.MAX_VALUE, Integer.MAX_VALUE, 0);
            assertThat(writer.skipped()).isEqualTo(4);
            assertThat(writer.packets()).isZero();
        }
    }

    @Test
    void aClosedWriterSkipsAndMayBeClosedAgain() throws IOException {
        PcapWriter writer = PcapWriter.open(directory.resolve("closed.pcap"), UNBOUNDED);
        writer.close();
        writer.write(0, flow, ByteBuffer.allocate(20), 0, 20, 0);
        writer.flush();
        writer.close();
        assertThat(writer.packets()).isZero();
        assertThat(writer.skipped()).isEqualTo(1);
        assertThat(PcapReader.read(directory.resolve("closed.pcap"))).isEmpty();
    }

    @Test
    void vlanTagsAreReadOver() throws IOException {
        Path file = directory.resolve("plain.pcap");
        try (PcapWriter writer = PcapWriter.open(file, UNBOUNDED)) {
            writer.write(1_700_000_000_123_456_789L, flow, ByteBuffer.allocate(16), 0, 16, 3);
        }
        byte[] plain = Files.readAllBytes(file);
        List<Byte> bytes = new ArrayList<>();
        for (int i = 0; i < plain.length; i++) {
            if (i == 24 + 16 + 12) {
                bytes.addAll(List.of((byte) 0x81, (byte) 0, (byte) 0, (byte) 5));
            }
            bytes.add(plain[i]);
        }
        byte[] tagged = new byte[bytes.size()];
        for (int i = 0; i < tagged.length; i++) {
            tagged[i] = bytes.get(i);
        }
        ByteBuffer record = ByteBuffer.wrap(tagged);
        record.putInt(24 + 8, record.getInt(24 + 8) + 4).putInt(24 + 12, record.getInt(24 + 12) + 4);
        Files.write(file, tagged);
        assertThat(PcapReader.read(file)).singleElement().satisfies(d -> {
            assertThat(d.epochNanos()).isEqualTo(1_700_000_000_123_456_789L);
            assertThat(d.identification()).isEqualTo(3);
            assertThat(d.source()).isEqualTo(flow.source());
        });
    }

    @Test
    void recordingAllocatesNothing() throws IOException {
        ByteBuffer packet = ByteBuffer.allocateDirect(64);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (PcapWriter writer = PcapWriter.open(Path.of("/dev/null"), UNBOUNDED)) {
            record(writer, packet);
            long before = threads.getCurrentThreadAllocatedBytes();
            record(writer, packet);
            assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(50_000);
            assertThat(writer.packets()).isEqualTo(100_000);
        }
    }

    private void record(PcapWriter writer, ByteBuffer packet) {
        for (int i = 0; i < 50_000; i++) {
            writer.write(i, flow, packet, 0, 64, i);
        }
    }
}
