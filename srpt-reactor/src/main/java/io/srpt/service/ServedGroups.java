package io.srpt.service;

import io.srpt.scsi.AccessState;
import io.srpt.scsi.AluaGroup;
import io.srpt.scsi.AsymmetricAccess;
import io.srpt.scsi.DeviceServer;
import io.srpt.scsi.LogicalUnit;
import io.srpt.target.SrptPort;
import io.srpt.verbs.Gid;
import io.srpt.verbs.RdmaLoop;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The target port groups of a running target: which ports are theirs by the addresses that they have, and their states.
 *
 * <p>Threads: any but the loops, where nothing else is said.
 */
final class ServedGroups {
    private static final Logger LOG = LoggerFactory.getLogger(ServedGroups.class);

    private final RdmaLoop loop;
    private final AsymmetricAccess access;
    private volatile Map<AluaSettings.Group, AluaGroup> groups = Map.of();

    private ServedGroups(RdmaLoop loop, AsymmetricAccess access) {
        this.loop = loop;
        this.access = access;
    }

    /** Makes the groups of disks that are there already; their ports come later. */
    static ServedGroups make(RdmaLoop loop, DeviceServer server, Map<Integer, LogicalUnit> units, AluaSettings settings)
            throws ServiceException {
        ServedGroups made = new ServedGroups(loop, server.asymmetricAccess());
        Blocking.onLoop(loop, "making target port groups", () -> made.add(units, settings));
        return made;
    }

    private void add(Map<Integer, LogicalUnit> units, AluaSettings settings) {
        access.modes(settings.implicit(), settings.explicit(), settings.transitionTime());
        Map<AluaSettings.Group, AluaGroup> made = new LinkedHashMap<>();
        for (AluaSettings.Group each : settings.groups()) {
            AluaGroup group = new AluaGroup(each.id(), each.name(), each.state(), each.preferred());
            List<LogicalUnit> members = each.luns().stream()
                    .map(units::get)
                    .filter(Objects::nonNull)
                    .toList();
            access.add(group, members);
            made.put(each, group);
        }
        groups = made;
    }

    /**
     * Has the groups as {@code settings} say, which are the same groups in the same order: for the ports and the disks that come
     * after this.
     */
    void settings(AluaSettings settings) {
        Map<AluaSettings.Group, AluaGroup> same = new LinkedHashMap<>();
        for (AluaGroup group : all()) {
            same.put(settings.groups().get(same.size()), group);
        }
        groups = same;
    }

    /** Puts a disk that is shown from now on into its groups. On the loop. */
    void join(int lun, LogicalUnit unit) {
        groups.forEach((settings, group) -> {
            if (settings.luns().contains(lun)) {
                access.add(group, List.of(unit));
            }
        });
    }

    /** Puts a port that is offered from now on into the groups of its addresses. On the loop. */
    void join(SrptPort port) {
        List<Gid> gids = port.rdmaPort().gids();
        groups.forEach((settings, group) -> settings.ports().stream()
                .filter(address -> gids.contains(Gid.of(address)))
                .findFirst()
                .ifPresent(address -> join(port, group, address)));
    }

    private void join(SrptPort port, AluaGroup group, InetAddress address) {
        access.join(group, port.targetPort());
        LOG.info(
                "{} is relative target port {}, in target port group {} ({})",
                Addresses.plain(address),
                port.targetPort().relativeId(),
                group.id(),
                group);
    }

    /** Has a port, whose addresses have changed, in the groups of {@code first}, the first of them, and in no others. On the loop. */
    void settle(SrptPort port, InetAddress first) {
        groups.forEach((settings, group) -> {
            boolean belongs = settings.ports().contains(first);
            if (belongs != access.contains(group, port.targetPort())) {
                if (belongs) {
                    join(port, group, first);
                } else {
                    access.leave(group, port.targetPort());
                    LOG.info("{} is in target port group {} ({}) no more", port.name(), group.id(), group);
                }
            }
        });
    }

    /** The groups and their states at this moment. */
    List<AluaGroup> all() {
        return List.copyOf(groups.values());
    }

    /** Those that the disk {@code lun} is in, with the addresses through which it is reached like that. */
    Map<AluaSettings.Group, AluaGroup> of(int lun) {
        Map<AluaSettings.Group, AluaGroup> its = new LinkedHashMap<>(groups);
        its.keySet().removeIf(group -> !group.luns().contains(lun));
        return its;
    }

    /**
     * Changes the state of all groups with this name; initiators learn of it by unit attention. The result completes when the
     * transition is over.
     *
     * @throws ServiceException if there is no group of the name
     */
    CompletableFuture<Void> change(String name, AccessState state) throws ServiceException {
        List<AluaGroup> named = groups.values().stream()
                .filter(group -> group.name().equals(name))
                .toList();
        if (named.isEmpty()) {
            throw new ServiceException("there is no target port group " + name);
        }
        return CompletableFuture.allOf(
                named.stream().map(group -> change(group, state)).toArray(CompletableFuture<?>[]::new));
    }

    /** Changes the state of one group, by its place in the settings. */
    CompletableFuture<Void> change(int index, AccessState state) {
        return change(all().get(index), state);
    }

    private CompletableFuture<Void> change(AluaGroup group, AccessState state) {
        return CompletableFuture.supplyAsync(() -> access.change(group, state), loop)
                .thenCompose(done -> done);
    }
}
