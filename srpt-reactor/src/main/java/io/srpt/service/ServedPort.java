package io.srpt.service;

import io.srpt.target.SrptPort;
import io.srpt.target.TargetPortGroup;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port of the target and how it is configured: whether it takes logins, and its groups of access rules. Not on the loop, one at
 * a time.
 */
final class ServedPort {
    private static final Logger LOG = LoggerFactory.getLogger(ServedPort.class);

    private final SrptPort port;
    private final Map<String, PortSettings.Group> groups = new HashMap<>();

    ServedPort(SrptPort port) {
        this.port = port;
    }

    SrptPort port() {
        return port;
    }

    /**
     * Has the port as {@code settings} say, null for nothing special; what is so already is left alone. Returns when the sessions
     * that end by it are gone.
     */
    void configure(@Nullable PortSettings settings) throws ServiceException {
        List<PortSettings.Group> wanted = settings == null ? List.of() : settings.groups();
        for (TargetPortGroup group : port.groups()) {
            boolean ours = groups.containsKey(group.name());
            if (ours && wanted.stream().noneMatch(each -> each.name().equals(group.name()))) {
                Blocking.await("taking group " + group + " away", port.dropGroup(group));
                groups.remove(group.name());
            }
        }
        for (PortSettings.Group group : wanted) {
            configure(group);
        }
        boolean enabled = settings == null || settings.enabled();
        if (enabled && !port.isEnabled()) {
            Blocking.await("enabling " + port.name(), port.enable());
        } else if (!enabled && port.isEnabled()) {
            Blocking.await("disabling " + port.name(), port.disable());
        }
        if (!enabled) {
            LOG.info("{} takes no logins: it is disabled", port.name());
        }
    }

    private void configure(PortSettings.Group wanted) throws ServiceException {
        PortSettings.Group before = groups.put(wanted.name(), wanted);
        TargetPortGroup group = find(wanted.name());
        if (group == null) {
            group = Blocking.await(
                    "making group " + wanted.name(),
                    port.makeGroup(wanted.name(), wanted.access().control()));
        } else if (before == null || !before.access().equals(wanted.access())) {
            Blocking.await(
                    "the rules of group " + group,
                    port.access(group, wanted.access().control()));
        }
        if (group.isEnabled() != wanted.enabled()) {
            Blocking.await("group " + group, port.enableGroup(group, wanted.enabled()));
        }
    }

    private @Nullable TargetPortGroup find(String name) {
        return port.groups().stream()
                .filter(group -> group.name().equals(name))
                .findFirst()
                .orElse(null);
    }
}
