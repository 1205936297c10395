package io.srpt.service;

import java.net.InetAddress;

/**
 * One address at which a target can be reached, in the words of {@code ib_srp}'s {@code add_target} file.
 *
 * @param serviceGuid both {@code id_ext} and {@code ioc_guid}
 */
public record ReadyLine(long serviceGuid, InetAddress address, int rdmaCmPort) {
    /** {@code id_ext=…,ioc_guid=…,dest=ADDR:PORT}. */
    @Override
    public String toString() {
        String guid = Guid.format(serviceGuid);
        return "id_ext=" + guid + ",ioc_guid=" + guid + ",dest=" + Addresses.withPort(address, rdmaCmPort);
    }
}
