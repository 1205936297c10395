package io.srpt.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.initiator.BlockingSrpClient;
import io.srpt.initiator.SrpException;
import io.srpt.reactor.fault.FaultInjection;
import io.srpt.service.AccessPolicy;
import io.srpt.service.ServiceException;
import io.srpt.service.SrptServer;
import io.srpt.service.SrptServerBuilder;
import io.srpt.service.TestAddresses;
import io.srpt.service.TestInitiator;
import io.srpt.store.testing.StoreContract;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs what the README shows, and holds the README to it. */
class ExamplesTest {
    private static final Path MODULE =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    private static final Path SOURCES = MODULE.resolve("src/test/java/io/srpt/examples");
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String TARGET = TestAddresses.ofThisProcess(11);
    private static final String INITIATOR = TestAddresses.ofThisProcess(12);

    private final PrintedLines out = new PrintedLines();

    @Test
    void countsManagementSends() throws Exception {
        try (SrptServer server = builder().lun("memory:1MiB").start();
                TestInitiator initiator = TestInitiator.open(INITIATOR)) {
            MadSendRate.print(server, out.stream());
            initiator.login(TARGET).close();

            out.await("[1-9][0-9]* management sends/s", LIMIT);
        }
    }

    @Test
    void auditsLogins() throws Exception {
        try (SrptServer server = LoginAudit.audited(builder().lun("memory:1MiB"), out.stream())
                        .start();
                TestInitiator initiator = TestInitiator.open(INITIATOR)) {
            assertThat(server.addresses()).hasSize(1);
            initiator.login(TARGET).close();

            out.await("accepted [0-9a-f]{32} from " + INITIATOR, LIMIT);
        }
        SrptServerBuilder closed = builder().lun("memory:1MiB").access(AccessPolicy.Listed.nobody());
        try (SrptServer server = LoginAudit.audited(closed, out.stream()).start();
                TestInitiator initiator = TestInitiator.open(INITIATOR)) {
            assertThat(server.addresses()).hasSize(1);
            assertThatThrownBy(() -> initiator.login(TARGET)).isInstanceOf(SrpException.class);

            out.await("rejected [0-9a-f]{32} from " + INITIATOR + ": .*", LIMIT);
        }
    }

    @Test
    void itsDiskKeepsTheContractOfStores() throws Exception {
        StoreContract.of(TinyStore.AddressStore::new).run();
    }

    @Test
    void servesADiskOfItsOwn() throws Exception {
        try (SrptServer server = builder().lun(new TinyStore.AddressStore()).start();
                TestInitiator initiator = TestInitiator.open(INITIATOR);
                BlockingSrpClient client = initiator.login(TARGET)) {
            assertThat(server.addresses()).hasSize(1);
            BlockingSrpClient.Capacity capacity = client.capacity(0);
            assertThat(capacity.blocks() * capacity.blockSize()).isEqualTo(1L << 40);
            ByteBuffer data = ByteBuffer.wrap(client.read(0, 2_000_000_000L, 16, 512));
            assertThat(data.getLong(0)).isEqualTo(512 * 2_000_000_000L);
            assertThat(data.getLong(8184)).isEqualTo(512 * 2_000_000_000L + 8184);
            assertThatThrownBy(() -> client.write(0, 0, new byte[512], 512)).hasMessageContaining("7/27/00");
        }
    }

    @Test
    void slowsDownEvery200thReadAndHasABadBlock() throws Exception {
        FaultInjection faults = SlowReads.faults(Duration.ofMillis(150));
        try (SrptServer server = builder().lun("memory:16MiB").faults(faults).start();
                TestInitiator initiator = TestInitiator.open(INITIATOR);
                BlockingSrpClient client = initiator.login(TARGET)) {
            assertThat(server.addresses()).hasSize(1);
            assertThat(faults.injected()).as("a reply to discovery was lost").isEqualTo(1);
            assertThatThrownBy(() -> client.read(0, 998, 4, 512)).hasMessageContaining("3/11/00");
            client.testUnitReady(0);
            for (int i = 0; i < 199; i++) {
                readTen(client);
            }
            long began = System.nanoTime();
            readTen(client);
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(149));
            assertThat(faults.injected()).isEqualTo(3);
            assertThat(faults.pipelineErrors() + faults.lateDecisions()).isZero();
        }
    }

    private static void readTen(BlockingSrpClient client) {
        byte[] cdb = {0x28, 0, 0, 0, 0, 0, 0, 0, 1, 0};
        assertThat(client.executeRead(0, cdb, 512).join().status()).isZero();
    }

    @Test
    void mainsServeUntilTheirInputEnds() throws ServiceException, IOException {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(new byte[0]));
        try {
            String[] arguments = {TARGET};
            MadSendRate.main(arguments);
            LoginAudit.main(arguments);
            TinyStore.main(arguments);
            SlowReads.main(arguments);
        } finally {
            System.setIn(before);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"MadSendRate", "LoginAudit", "TinyStore", "SlowReads"})
    void theReadmeShowsWhatIsRun(String example) throws IOException {
        String readme = Files.readString(MODULE.resolve("../README.md"));
        String section = readme.substring(readme.indexOf("<!-- examples -->"), readme.indexOf("<!-- /examples -->"));

        assertThat(section).contains("```java\n" + shownPart(SOURCES.resolve(example + ".java")) + "```\n");
    }

    /** The lines between the marks, as far to the left as they can go. */
    private static String shownPart(Path source) throws IOException {
        List<String> lines = Files.readAllLines(source);
        int from = 0;
        while (!lines.get(from).strip().equals("// README")) {
            from++;
        }
        int indent = lines.get(from).indexOf('/');
        StringBuilder shown = new StringBuilder();
        for (String line : lines.subList(from + 1, lines.size())) {
            if (line.strip().equals("// end")) {
                return shown.toString();
            }
            shown.append(line.isBlank() ? "" : line.substring(indent)).append('\n');
        }
        throw new AssertionError("no end in " + source);
    }

    private static SrptServerBuilder builder() {
        return SrptServer.builder().listen(InetAddress.ofLiteral(TARGET));
    }
}
