package io.srpt.service;

import static io.srpt.service.LiveService.ADDRESS;
import static io.srpt.service.LiveService.INITIATOR;
import static io.srpt.service.LiveService.SECOND_ADDRESS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.initiator.BlockingSrpClient;
import io.srpt.initiator.DiscoveredTarget;
import io.srpt.roce.packet.FlowHeader;
import io.srpt.target.ChannelInfo;
import io.srpt.verbs.RejectReason;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where a running target is, and what it grants, follow its file; sessions that this is not about go on. */
@Timeout(60)
class TargetReloadTest {
    private static final String TARGET = LiveService.withToken() + "acls: any\nlun: memory:1MiB\n";
    private static final int OTHER_PORT = 4711;

    @TempDir
    private Path directory;

    @Test
    void anAddressComesAndAnotherGoes() throws Exception {
        try (LiveService live = LiveService.start(directory, TARGET);
                InitiatorHost host = LiveService.initiator(INITIATOR)) {
            assertThatThrownBy(() -> bind(ADDRESS)).isInstanceOf(BindException.class);
            live.says("listen: [" + ADDRESS + ", " + SECOND_ADDRESS + "]\n" + TARGET);
            assertThat(live.reload().body()).contains("listen: on " + SECOND_ADDRESS + " too");

            try (BlockingSrpClient session = LiveService.login(host, SECOND_ADDRESS)) {
                live.says("listen: " + SECOND_ADDRESS + "\n" + TARGET);
                assertThat(live.reload().body()).contains("listen: on " + ADDRESS + " no more");

                bind(ADDRESS);
                session.testUnitReady(0);
                assertThat(live.server().addresses())
                        .extracting(line -> Addresses.plain(line.address()))
                        .containsExactly(SECOND_ADDRESS);
            }
        }
    }

    private static void bind(String address) throws Exception {
        new DatagramSocket(new InetSocketAddress(InetAddress.ofLiteral(address), FlowHeader.ROCE_PORT)).close();
    }

    @Test
    @Tag("pitfall-20")
    void loginsComeToAnotherPortAndSessionsStay() throws Exception {
        try (LiveService live = LiveService.start(directory, TARGET);
                InitiatorHost host = LiveService.initiator(INITIATOR);
                BlockingSrpClient session = LiveService.login(host, ADDRESS)) {
            assertThat(live.says(TARGET + "rdma-cm-port: " + OTHER_PORT + "\n")
                            .reload()
                            .body())
                    .contains("rdma-cm-port: " + OTHER_PORT);

            session.testUnitReady(0);
            assertThatThrownBy(() -> LiveService.login(host, ADDRESS))
                    .hasMessageContaining(RejectReason.INVALID_SERVICE_ID.toString());
            InetAddress target = InetAddress.ofLiteral(ADDRESS);
            host.login(host.session(target, OTHER_PORT, host.discoverOne(target))
                            .multiChannel(true)
                            .build())
                    .close();
            session.testUnitReady(0);
        }
    }

    @Test
    void laterLoginsGetTheNewAttributesAndDiscoveryTellsOfThem() throws Exception {
        try (LiveService live = LiveService.start(directory, TARGET);
                InitiatorHost host = LiveService.initiator(INITIATOR);
                BlockingSrpClient session = LiveService.login(host, ADDRESS)) {
            live.says(TARGET + "srp: {max-rsp-size: 128, max-rdma-size: 131072, identification: other}\n");
            assertThat(live.reload().body()).contains("srp: changed", "srp.identification: changed");

            session.testUnitReady(0);
            DiscoveredTarget found = host.discoverOne(InetAddress.ofLiteral(ADDRESS));
            assertThat(found.maxRdmaLength()).isEqualTo(131072);
            assertThat(found.id()).isEqualTo("other");
            assertThat(channel(live).maxResponseLength()).isEqualTo(256);
            session.close();
            try (BlockingSrpClient later = LiveService.login(host, ADDRESS)) {
                later.testUnitReady(0);
                assertThat(channel(live).maxResponseLength()).isEqualTo(128);
            }
        }
    }

    @Test
    @Tag("pitfall-101")
    void sharedReceivesEndAllSessionsWhichComeBackWithoutImmediateData() throws Exception {
        try (LiveService live = LiveService.start(directory, TARGET);
                InitiatorHost host = LiveService.initiator(INITIATOR);
                BlockingSrpClient session = login(host)) {
            assertThat(channel(live).immediateData()).isTrue();
            live.says(TARGET + "srp: {use-srq: true}\n").reload();

            assertThat(session.onClosed().get(10, TimeUnit.SECONDS)).isNotNull();
            try (BlockingSrpClient again = login(host)) {
                again.write(0, 0, new byte[512], 512);
                assertThat(channel(live).immediateData()).isFalse();
            }
        }
    }

    /** A session with immediate data. */
    private static BlockingSrpClient login(InitiatorHost host) throws Exception {
        InetAddress target = InetAddress.ofLiteral(ADDRESS);
        BlockingSrpClient session =
                host.login(host.session(target, ServeConfiguration.DEFAULT_RDMA_CM_PORT, host.discoverOne(target))
                        .immediateData(true)
                        .build());
        session.testUnitReady(0);
        return session;
    }

    private static ChannelInfo channel(LiveService live) {
        return live.server().target().ports().getFirst().channels().getLast();
    }
}
