package io.srpt.service;

import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/**
 * Chooses the initiator's own address: RoCEv2 uses UDP port 4791 on both sides, so that two ends on one machine need an
 * address each.
 */
final class LocalAddress {
    private static final int ROCE_PORT = 4791;
    private static final int FIRST = 2;
    private static final int LAST = 32;

    private LocalAddress() {}

    /**
     * Addresses from which {@code target} can be reached, best first. For a loopback target there are many, since others on
     * this machine may use some: take the first that can be bound.
     */
    static List<InetAddress> towards(InetAddress target) throws ServiceException {
        return target.isLoopbackAddress() ? loopback(target) : List.of(routed(target));
    }

    private static List<InetAddress> loopback(InetAddress target) throws ServiceException {
        if (!(target instanceof Inet4Address)) {
            throw new ServiceException(
                    "there is no second IPv6 loopback address; give the initiator's own address with --local");
        }
        List<InetAddress> candidates = new ArrayList<>();
        for (int last = FIRST; last <= LAST; last++) {
            InetAddress candidate = ofBytes(new byte[] {127, 0, 0, (byte) last});
            if (!candidate.equals(target)) {
                candidates.add(candidate);
            }
        }
        return candidates;
    }

    private static InetAddress routed(InetAddress target) throws ServiceException {
        try (DatagramSocket socket = new DatagramSocket(null)) {
            socket.connect(new InetSocketAddress(target, ROCE_PORT));
            InetAddress local = socket.getLocalAddress();
            if (local.equals(target)) {
                throw new ServiceException(Addresses.plain(target)
                        + " is an address of this machine; give another one for the initiator with --local");
            }
            return local;
        } catch (SocketException e) {
            throw new ServiceException("no route to " + Addresses.plain(target) + ": " + e.getMessage(), e);
        }
    }

    private static InetAddress ofBytes(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError("4 bytes are always an address", e);
        }
    }
}
