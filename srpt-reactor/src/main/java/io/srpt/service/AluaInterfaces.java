package io.srpt.service;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Whether target port groups fit to the network interfaces of this machine: each interface is one port, and a port is in one group
 * of a disk, or in none, with all its addresses.
 */
final class AluaInterfaces {
    /** In no group of a disk. */
    private static final int NONE = -1;

    private final AluaSettings alua;
    private final Map<String, List<InetAddress>> addresses = new LinkedHashMap<>();
    private final List<InetAddress> unknown = new ArrayList<>();

    private AluaInterfaces(AluaSettings alua) {
        this.alua = alua;
    }

    /** Looks up the interfaces of all addresses that are listened on; not if there are no groups. */
    static AluaInterfaces of(ServeConfiguration configuration, DeviceFactory devices) throws ServiceException {
        return of(configuration.target().alua(), configuration.listen(), devices);
    }

    /** The same for addresses in this order. */
    static AluaInterfaces of(AluaSettings alua, List<InetAddress> listen, DeviceFactory devices)
            throws ServiceException {
        AluaInterfaces found = new AluaInterfaces(alua);
        for (InetAddress address : alua.groups().isEmpty() ? List.<InetAddress>of() : listen) {
            InterfaceAddresses its = devices.interfaceOf(address);
            if (its == null) {
                found.unknown.add(address);
            } else {
                found.addresses
                        .computeIfAbsent(its.name(), name -> new ArrayList<>())
                        .add(address);
            }
        }
        return found;
    }

    /** The addresses that no interface has now, of which nothing can be said. */
    List<InetAddress> unknown() {
        return List.copyOf(unknown);
    }

    /**
     * Refuses groups that an interface is in with a part of its addresses only.
     *
     * @param setting what the groups were read from, for the place in the message; null if they were not read
     */
    void check(@Nullable Setting setting) throws ConfigurationException {
        TreeSet<Integer> luns = new TreeSet<>();
        alua.groups().forEach(group -> luns.addAll(group.luns()));
        for (Map.Entry<String, List<InetAddress>> each : addresses.entrySet()) {
            for (int lun : luns) {
                check(each.getKey(), each.getValue(), lun, setting);
            }
        }
    }

    private void check(String name, List<InetAddress> its, int lun, @Nullable Setting setting)
            throws ConfigurationException {
        InetAddress first = its.getFirst();
        int expected = group(first, lun);
        for (InetAddress other : its) {
            int found = group(other, lun);
            if (found != expected) {
                String problem = Addresses.plain(first) + " and " + Addresses.plain(other) + " are addresses of " + name
                        + " and so of one port, but of LUN " + lun + " the first is in " + text(expected)
                        + ", the other in " + text(found) + "; name both in the same group, or neither in any";
                throw found == NONE ? wrong(setting, expected, first, problem) : wrong(setting, found, other, problem);
            }
        }
    }

    /** The place of the group of the disk {@code lun} that {@code address} is in. */
    private int group(InetAddress address, int lun) {
        for (int i = 0; i < alua.groups().size(); i++) {
            AluaSettings.Group group = alua.groups().get(i);
            if (group.luns().contains(lun) && group.ports().contains(address)) {
                return i;
            }
        }
        return NONE;
    }

    private String text(int group) {
        if (group == NONE) {
            return "none";
        }
        AluaSettings.Group its = alua.groups().get(group);
        return "group " + its.id() + " (" + its.name() + ")";
    }

    private ConfigurationException wrong(@Nullable Setting setting, int group, InetAddress address, String problem) {
        int port = alua.groups().get(group).ports().indexOf(address);
        Setting place = part(part(setting, "groups", group), "ports", port);
        return place == null ? new ConfigurationException("alua: " + problem) : place.wrong(problem);
    }

    private static @Nullable Setting part(@Nullable Setting whole, String field, int index) {
        return whole == null || whole.fields() == null
                ? null
                : whole.fields().getOrDefault(field, List.of()).get(index);
    }
}
