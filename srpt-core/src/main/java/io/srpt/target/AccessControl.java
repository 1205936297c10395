package io.srpt.target;

import io.srpt.srp.PortId;
import java.net.InetAddress;
import java.util.Set;

/** Decides who may log in. */
@FunctionalInterface
public interface AccessControl {
    /**
     * Whether {@code initiator} may log in. Called on the loop of the port for each login that passed all earlier checks;
     * must not block.
     */
    boolean mayLogIn(Initiator initiator);

    /** Lets every initiator in. */
    static AccessControl any() {
        return initiator -> true;
    }

    /** Lets nobody in. */
    static AccessControl nobody() {
        return initiator -> false;
    }

    /** Lets in those whose port identifier or whose IP address is listed. */
    static AccessControl listed(Set<PortId> ports, Set<InetAddress> addresses) {
        Set<PortId> allowedPorts = Set.copyOf(ports);
        Set<InetAddress> allowedAddresses = Set.copyOf(addresses);
        return initiator -> allowedPorts.contains(initiator.port()) || allowedAddresses.contains(initiator.address());
    }

    /**
     * Who asks.
     *
     * @param port the initiator port identifier of the login
     * @param address its IP address, from RDMA/CM's header or from its GID
     * @param nodeGuid the node GUID of its connection request
     */
    record Initiator(PortId port, InetAddress address, long nodeGuid) {}
}
