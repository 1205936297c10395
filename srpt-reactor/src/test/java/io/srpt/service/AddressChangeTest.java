package io.srpt.service;

import static io.srpt.service.LiveService.ADDRESS;
import static io.srpt.service.LiveService.INITIATOR;
import static io.srpt.service.LiveService.SECOND_ADDRESS;
import static io.srpt.service.LiveService.SECOND_INITIATOR;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.srpt.initiator.BlockingSrpClient;
import io.srpt.loop.RdmaEventLoop;
import io.srpt.roce.packet.FlowHeader;
import io.srpt.verbs.RdmaDevice;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Addresses of the machine go, come back and move to other interfaces while a target is served on them. */
@Timeout(60)
class AddressChangeTest {
    private static final String TARGET =
            "acls: any\nlun: memory:1MiB\nlisten: [" + ADDRESS + ", " + SECOND_ADDRESS + "]\n";
    private static final String NOWHERE = "";

    private final MovingAddresses machine = new MovingAddresses();

    @TempDir
    private Path directory;

    /** The software provider on a machine whose addresses are where a test says. */
    private static final class MovingAddresses implements DeviceFactory {
        private final DeviceFactory roce = new RoceDevices();
        private final Map<InetAddress, String> interfaces = new ConcurrentHashMap<>();

        void move(String address, String interfaceName) {
            interfaces.put(InetAddress.ofLiteral(address), interfaceName);
        }

        @Override
        public @Nullable InterfaceAddresses interfaceOf(InetAddress address) throws ServiceException {
            InterfaceAddresses real = InterfaceAddresses.of(address);
            String name = interfaces.getOrDefault(address, real.name());
            return name.equals(NOWHERE) ? null : new InterfaceAddresses(name, real.mtu(), real.addresses());
        }

        @Override
        public RdmaDevice open(RdmaEventLoop loop, InterfaceAddresses addresses, Extras extras)
                throws ServiceException {
            return roce.open(loop, addresses, extras);
        }

        @Override
        public void attach(RdmaDevice device, RdmaEventLoop loop, InetAddress address, Extras extras)
                throws ServiceException {
            roce.attach(device, loop, address, extras);
        }

        @Override
        public void detach(RdmaDevice device, RdmaEventLoop loop, InetAddress address) throws ServiceException {
            roce.detach(device, loop, address);
        }
    }

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
            machine.move(SECOND_ADDRESS, NOWHERE);
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
