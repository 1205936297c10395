package io.srpt.scsi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The target port groups of one logical unit. Each port is in one of them: those that were put into none are in a group of
 * their own, 0, which is active and optimized. Looked up without allocation; owner loop only.
 */
final class UnitAccess {
    private static final int REST_ID = 0;

    private final TargetPorts ports;
    private final List<AluaGroup> groups = new ArrayList<>();
    private final AluaGroup rest = new AluaGroup(REST_ID, "default", AccessState.ACTIVE_OPTIMIZED, false);
    /** By relative identifier. */
    private @Nullable AluaGroup[] byPort = new @Nullable AluaGroup[8];

    UnitAccess(TargetPorts ports) {
        this.ports = ports;
    }

    /** Adds a group, whose ports are in no other one. */
    void add(AluaGroup group) {
        if (find(group.id()) != null) {
            throw new IllegalArgumentException("there are two target port groups " + group.id());
        }
        groups.add(group);
        onPortsChanged();
    }

    /** Ports came to groups, or left them. */
    void onPortsChanged() {
        Arrays.fill(byPort, null);
        for (TargetPort port : ports.all()) {
            int at = port.relativeId();
            if (at >= byPort.length) {
                byPort = Arrays.copyOf(byPort, 2 * at);
            }
            byPort[at] = groups.stream()
                    .filter(group -> group.contains(port))
                    .findFirst()
                    .orElse(rest);
        }
    }

    /** The group of {@code port}. */
    AluaGroup of(TargetPort port) {
        int at = port.relativeId();
        AluaGroup group = at < byPort.length ? byPort[at] : null;
        return group == null ? rest : group;
    }

    /** The group with this identifier that is reported, or null. */
    @Nullable
    AluaGroup find(int id) {
        for (AluaGroup group : reported()) {
            if (group.id() == id) {
                return group;
            }
        }
        return null;
    }

    /** The groups, that of all other ports included if there are such. */
    List<AluaGroup> reported() {
        if (ports.all().stream().noneMatch(port -> of(port) == rest)) {
            return groups;
        }
        List<AluaGroup> all = new ArrayList<>(groups);
        all.add(rest);
        return all;
    }

    /** The ports of one of its groups. */
    List<TargetPort> ports(AluaGroup group) {
        return ports.all().stream().filter(port -> of(port) == group).toList();
    }
}
