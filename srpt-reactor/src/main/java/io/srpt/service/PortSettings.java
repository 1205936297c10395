package io.srpt.service;

import java.net.InetAddress;
import java.util.List;

/**
 * What is special about the port that has an address.
 *
 * @param address one of ours
 * @param enabled whether it takes logins from the beginning
 * @param groups groups of access rules that are asked after the rules of the target
 */
public record PortSettings(InetAddress address, boolean enabled, List<Group> groups) {
    public PortSettings {
        groups = List.copyOf(groups);
    }

    /**
     * A group of access rules.
     *
     * @param enabled whether it lets anybody in from the beginning
     */
    public record Group(String name, boolean enabled, AccessPolicy access) {}
}
