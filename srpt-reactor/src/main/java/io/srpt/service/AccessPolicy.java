package io.srpt.service;

import io.srpt.srp.PortId;
import java.net.InetAddress;
import java.util.Set;

/** Which initiators may log in. */
public sealed interface AccessPolicy {
    /** Every initiator; what options alone mean, and {@code acls: any}. */
    record Any() implements AccessPolicy {}

    /**
     * The initiators listed; nobody if both sets are empty.
     *
     * @param ports initiator port ids
     * @param addresses IP addresses of initiators
     */
    record Listed(Set<PortId> ports, Set<InetAddress> addresses) implements AccessPolicy {
        /** Copies the sets. */
        public Listed {
            ports = Set.copyOf(ports);
            addresses = Set.copyOf(addresses);
        }
    }
}
