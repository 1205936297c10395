package io.srpt.service;

import static io.srpt.service.LiveService.ADDRESS;
import static io.srpt.service.LiveService.INITIATOR;
import static io.srpt.service.LiveService.SECOND_ADDRESS;
import static io.srpt.service.LiveService.SECOND_INITIATOR;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.srpt.initiator.BlockingSrpClient;
import io.srpt.roce.packet.FlowHeader;
import io.srpt.verbs.RdmaDevice;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Addresses of the machine go, come back and move to other interfaces while a target is served on them. */
@Timeout(60)
class AddressChangeTest {
    private static final String TARGET =
            "acls: any\nlun: memory:1MiB\nlisten: [" + ADDRESS + ", " + SECOND_ADDRESS + "]\n";

    private final MovingAddresses machine = new MovingAddresses();

    @TempDir
    private Path directory;

    @Test
    void anAddressThatMovesIsServedByTheDeviceOfItsInterface() throws Exception {
        try (LiveService live = LiveService.start(directory, TARGET, machine);
                InitiatorHost host = LiveService.initiator(INITIATOR);
                InitiatorHost other = LiveService.initiator(SECOND_INITIATOR);
                BlockingSrpClient stays = LiveService.login(host, ADDRESS)) {
            machine.move(SECOND_ADDRESS, "elsewhere");
            live.server().lookAtAddresses();

            assertThat(live.server().devices())
                    .extracting(RdmaDevice::name)
                    .containsExactly("roce-lo", "roce-elsewhere");
            LiveService.login(other, SECOND_ADDRESS).close();
            stays.testUnitReady(0);

            machine.move(SECOND_ADDRESS, "lo");
            live.server().lookAtAddresses();

            assertThat(live.server().devices()).extracting(RdmaDevice::name).containsExactly("roce-lo");
            LiveService.login(other, SECOND_ADDRESS).close();
            stays.testUnitReady(0);
        }
    }

    @Test
    void anAddressThatCannotBeServedAgainIsToldOfOnceAndTriedUntilItCan() throws Exception {
        try (LiveService live = LiveService.start(directory, TARGET, machine);
                InitiatorHost host = LiveService.initiator(INITIATOR);
                LoggedLines log = LoggedLines.of(Level.INFO, ServedDevices.class.getName())) {
            machine.move(SECOND_ADDRESS, MovingAddresses.NOWHERE);
            live.server().lookAtAddresses();
            try (DatagramSocket other = new DatagramSocket(
                    new InetSocketAddress(InetAddress.ofLiteral(SECOND_ADDRESS), FlowHeader.ROCE_PORT))) {
                machine.move(SECOND_ADDRESS, "lo");
                live.server().lookAtAddresses();
                live.server().lookAtAddresses();
                assertThat(other.isBound()).isTrue();
            }
            live.server().lookAtAddresses();

            assertThat(log.lines())
                    .satisfiesExactly(
                            gone -> assertThat(gone).contains(SECOND_ADDRESS + " is no address of lo any more"),
                            wrong -> assertThat(wrong).contains(SECOND_ADDRESS + " is looked at again: ", "in use"),
                            back -> assertThat(back).contains(SECOND_ADDRESS + " is an address of this machine again"));
            LiveService.login(host, SECOND_ADDRESS).close();
        }
    }
}
