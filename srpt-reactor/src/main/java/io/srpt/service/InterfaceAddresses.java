package io.srpt.service;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Addresses of ours on one network interface, which become the GID table of one port.
 *
 * @param name of the interface
 * @param mtu of the interface in bytes
 * @param addresses in the order in which they were given
 */
record InterfaceAddresses(String name, int mtu, List<InetAddress> addresses) {
    private static final int LOOPBACK_MTU = 65536;

    InterfaceAddresses {
        addresses = List.copyOf(addresses);
    }

    /** Finds the interface of each address; the interfaces come in the order of their first addresses. */
    static List<InterfaceAddresses> group(List<InetAddress> addresses, DeviceFactory devices) throws ServiceException {
        Map<String, InterfaceAddresses> groups = new LinkedHashMap<>();
        for (InetAddress address : addresses) {
            InterfaceAddresses found = of(address, devices);
            groups.merge(found.name, found, InterfaceAddresses::plus);
        }
        return List.copyOf(groups.values());
    }

    /** The interface of one address. */
    static InterfaceAddresses of(InetAddress address, DeviceFactory devices) throws ServiceException {
        InterfaceAddresses found = devices.interfaceOf(address);
        if (found == null) {
            throw new ServiceException("no network interface of this machine has the address "
                    + Addresses.plain(address) + "; `ip -brief address` lists those that there are");
        }
        return found;
    }

    private InterfaceAddresses plus(InterfaceAddresses more) {
        List<InetAddress> all = new ArrayList<>(addresses);
        all.addAll(more.addresses);
        return new InterfaceAddresses(name, mtu, all);
    }

    /** The interface that has {@code address} now, null if none has. */
    static @Nullable InterfaceAddresses find(InetAddress address) throws ServiceException {
        try {
            NetworkInterface found = NetworkInterface.getByInetAddress(address);
            if (found != null) {
                return new InterfaceAddresses(found.getName(), found.getMTU(), List.of(address));
            }
        } catch (SocketException e) {
            throw new ServiceException("cannot look up the interface of " + Addresses.plain(address) + ": " + e, e);
        }
        // all of 127.0.0.0/8 is the loopback interface's, although it lists one address only
        return address.isLoopbackAddress() ? new InterfaceAddresses("lo", LOOPBACK_MTU, List.of(address)) : null;
    }
}
