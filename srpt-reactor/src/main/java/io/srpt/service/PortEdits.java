package io.srpt.service;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Changes what is written about ports, and leaves all else in it as it was. */
final class PortEdits {
    private static final String ADDRESS = "address";
    private static final String ENABLED = "enabled";

    private PortEdits() {}

    /** The list in which the port with {@code addresses} takes logins, or does not. */
    static List<Setting> enabled(List<Setting> ports, List<InetAddress> addresses, boolean enabled)
            throws ConfigurationException {
        List<Setting> all = new ArrayList<>();
        boolean found = false;
        for (Setting port : ports) {
            Setting address = port.field(ADDRESS);
            boolean meant = !found && address != null && addresses.contains(Addresses.parse(address));
            all.add(meant ? enabled(port, enabled) : port);
            found |= meant;
        }
        if (!found) {
            String path = SettingKey.PORTS.key() + "[" + ports.size() + "]";
            String address = Addresses.plain(addresses.getFirst());
            Setting named = new Setting(address, "", path + "." + ADDRESS);
            all.add(enabled(new Setting("", "", path, Map.of(ADDRESS, List.of(named))), enabled));
        }
        return all;
    }

    private static Setting enabled(Setting port, boolean enabled) {
        Map<String, List<Setting>> fields =
                port.fields() == null ? new LinkedHashMap<>() : new LinkedHashMap<>(port.fields());
        fields.put(ENABLED, List.of(port.part(ENABLED, Boolean.toString(enabled))));
        return new Setting("", port.where(), port.path(), fields);
    }
}
