package io.srpt.roce.net;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the system may cut messages into datagrams (UDP_SEGMENT) at an address.
 *
 * <p>The ICRC covers the IPv4 identification. The kernel numbers it from 0 when it cuts in software; an adapter that cuts is
 * free to number otherwise, and then every peer would drop the packets. So over IPv4 only interfaces without a device behind
 * them (loopback, veth, tap, bridge) cut; IPv6 has no such field. {@code -Dsrpt.udp.segmentation=on|off} decides otherwise.
 */
final class Segmentation {
    private static final Logger LOG = LoggerFactory.getLogger(Segmentation.class);
    private static final String PROPERTY = "srpt.udp.segmentation";
    private static final Path INTERFACES = Path.of("/sys/class/net");

    private Segmentation() {}

    static boolean isSafe(InetAddress address) {
        String mode = System.getProperty(PROPERTY, "auto");
        if (!mode.equals("auto")) {
            return mode.equals("on");
        }
        return address instanceof Inet6Address || !hasDevice(address);
    }

    private static boolean hasDevice(InetAddress address) {
        try {
            NetworkInterface owner = address.isLoopbackAddress() ? null : NetworkInterface.getByInetAddress(address);
            return owner != null
                    && Files.exists(INTERFACES.resolve(owner.getName()).resolve("device"));
        } catch (SocketException e) {
            LOG.debug("{}: the interface cannot be looked at", address, e);
            return true;
        }
    }
}
