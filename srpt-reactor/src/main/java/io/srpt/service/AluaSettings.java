package io.srpt.service;

import io.srpt.scsi.AccessState;
import io.srpt.scsi.AluaGroup;
import io.srpt.scsi.Lun;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How well disks are reached through which addresses: the target port groups of ALUA.
 *
 * <pre>
 *   alua:
 *     explicit: true            # hosts may change states
 *     groups:
 *     - {id: 1, name: near, state: active-optimized, preferred: true, ports: [192.0.2.1], luns: [0, 5]}
 *     - {id: 2, name: far, state: standby, ports: [192.0.2.2], luns: [0, 5]}
 * </pre>
 *
 * @param implicit whether hosts are told that states change without their doing
 * @param explicit whether hosts may change them
 * @param transitionTime how long a change takes
 */
public record AluaSettings(boolean implicit, boolean explicit, Duration transitionTime, List<Group> groups) {
    /** All addresses are the same. */
    public static final AluaSettings NONE = new AluaSettings(true, true, Duration.ZERO, List.of());

    static final List<String> FIELDS = List.of("explicit", "groups", "implicit", "transition-time");
    static final List<String> GROUP_FIELDS = List.of("id", "luns", "name", "ports", "preferred", "state");
    private static final Duration MAX_TRANSITION = Duration.ofSeconds(60);

    /**
     * A target port group.
     *
     * @param id unique among the groups of a disk
     * @param ports our addresses
     * @param luns the disks
     */
    public record Group(
            int id, String name, AccessState state, boolean preferred, List<InetAddress> ports, Set<Integer> luns) {
        public Group {
            ports = List.copyOf(ports);
            luns = Set.copyOf(luns);
        }

        Group in(AccessState another) {
            return new Group(id, name, another, preferred, ports, luns);
        }

        private Group among(Collection<InetAddress> addresses, Collection<Integer> disks) {
            List<InetAddress> itsPorts =
                    ports.stream().filter(addresses::contains).toList();
            Set<Integer> itsLuns = luns.stream().filter(disks::contains).collect(Collectors.toSet());
            return new Group(id, name, state, preferred, itsPorts, itsLuns);
        }
    }

    public AluaSettings {
        groups = List.copyOf(groups);
    }

    /** All but the states. */
    AluaSettings withoutStates() {
        List<Group> same = groups.stream()
                .map(group -> group.in(AccessState.ACTIVE_OPTIMIZED))
                .toList();
        return new AluaSettings(implicit, explicit, transitionTime, same);
    }

    /** What cannot change while a target runs: all but the states, as far as it is about these addresses and disks. */
    AluaSettings fixed(Collection<InetAddress> addresses, Collection<Integer> luns) {
        List<Group> same = withoutStates().groups.stream()
                .map(group -> group.among(addresses, luns))
                .toList();
        return new AluaSettings(implicit, explicit, transitionTime, same);
    }

    /**
     * Reads {@code alua}.
     *
     * @param listen our addresses
     * @param luns the numbers of the disks that there are
     */
    static AluaSettings of(@Nullable Setting setting, List<InetAddress> listen, Set<Integer> luns)
            throws ConfigurationException {
        if (setting == null) {
            return NONE;
        }
        if (setting.fields() == null) {
            throw setting.wrong("fields are wanted, such as groups; it belongs into the configuration file");
        }
        Map<String, List<Setting>> fields = setting.fields(FIELDS);
        List<Group> groups = new ArrayList<>();
        for (Setting each : fields.getOrDefault("groups", List.of())) {
            Group group = group(each, groups.size() + 1, listen, luns);
            for (Group other : groups) {
                check(each, group, other);
            }
            groups.add(group);
        }
        boolean implicit = Values.flag(setting.field("implicit"), true);
        boolean explicit = Values.flag(setting.field("explicit"), true);
        if (!implicit && !explicit) {
            throw setting.wrong("a state that neither we nor hosts change is of no use: leave alua out");
        }
        return new AluaSettings(
                implicit,
                explicit,
                Values.duration(setting.field("transition-time"), Duration.ZERO, MAX_TRANSITION),
                groups);
    }

    private static Group group(Setting setting, int number, List<InetAddress> listen, Set<Integer> luns)
            throws ConfigurationException {
        Map<String, List<Setting>> fields = setting.fields(GROUP_FIELDS);
        List<InetAddress> ports = new ArrayList<>();
        for (Setting port : fields.getOrDefault("ports", List.of())) {
            InetAddress address = Addresses.parse(port);
            if (!listen.contains(address)) {
                throw port.wrong(port.text() + " is not among the addresses of 'listen'");
            }
            ports.add(address);
        }
        if (ports.isEmpty()) {
            throw setting.wrong("the ports are missing, such as {id: 1, ports: [192.0.2.1], state: standby}");
        }
        Set<Integer> members = new TreeSet<>(fields.containsKey("luns") ? Set.of() : luns);
        for (Setting lun : fields.getOrDefault("luns", List.of())) {
            int value = Values.number(lun, 0, 0, Lun.MAX);
            if (!luns.contains(value)) {
                throw lun.wrong("there is no LUN " + value);
            }
            members.add(value);
        }
        int id = Values.number(setting.field("id"), number, 1, AluaGroup.MAX_ID);
        Setting name = setting.field("name");
        return new Group(
                id,
                name == null ? "group-" + id : name.text(),
                state(setting.field("state")),
                Values.flag(setting.field("preferred"), false),
                ports,
                members);
    }

    /** The state that is written so. */
    static AccessState state(@Nullable Setting setting) throws ConfigurationException {
        if (setting == null) {
            return AccessState.ACTIVE_OPTIMIZED;
        }
        List<AccessState> lasting = Arrays.stream(AccessState.values())
                .filter(state -> state != AccessState.TRANSITIONING)
                .toList();
        for (AccessState state : lasting) {
            if (state.toString().equals(setting.text())) {
                return state;
            }
        }
        throw setting.wrong("'" + setting.text() + "' is none of "
                + lasting.stream().map(AccessState::toString).collect(Collectors.joining(", ")));
    }

    /** For one disk, a number stands for one group, and an address is in one. */
    private static void check(Setting setting, Group group, Group other) throws ConfigurationException {
        Set<Integer> shared = new HashSet<>(group.luns());
        shared.retainAll(other.luns());
        if (shared.isEmpty()) {
            return;
        }
        String lun = "LUN " + shared.iterator().next();
        if (group.id() == other.id()) {
            throw setting.wrong(lun + " has a group " + group.id() + " already");
        }
        for (InetAddress port : group.ports()) {
            if (other.ports().contains(port)) {
                throw setting.wrong(Addresses.plain(port) + " is in group " + other.id() + " of " + lun + " already");
            }
        }
    }
}
