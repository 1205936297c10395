package io.srpt.service;

import io.srpt.scsi.LogicalUnit;
import io.srpt.target.ChannelAttributes;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What a running target has to do to be as another configuration says.
 *
 * @param changes in the order in which they are prepared and applied
 * @param needsRestart what cannot change while it runs, and stays as it was
 * @param result what it runs by after the changes
 */
record Differences(List<Change> changes, List<String> needsRestart, ServeConfiguration result) {
    /** What cannot change while it runs. */
    private record Fixed(String name, Function<ServeConfiguration, Object> value) {
        boolean differs(ServeConfiguration one, ServeConfiguration other) {
            return !value.apply(one).equals(value.apply(other));
        }
    }

    private static final List<Fixed> FIXED = List.of(
            new Fixed(SettingKey.SERVICE_GUID.key(), ServeConfiguration::serviceGuid),
            new Fixed(SettingKey.STATE_DIR.key(), ServeConfiguration::stateDirectory),
            new Fixed(SettingKey.PCAP.key(), each -> String.valueOf(each.pcap())),
            new Fixed(SettingKey.STATS_FILE.key(), each -> String.valueOf(each.statsFile())),
            new Fixed(SettingKey.FAULTS.key(), ServeConfiguration::faults),
            new Fixed(SettingKey.INJECT.key(), each -> each.inject().toString()),
            new Fixed(SettingKey.MTU.key(), ServeConfiguration::mtu),
            new Fixed("srp.max-req-size", each -> each.target().maxRequestLength()),
            new Fixed("srp.srq-size", each -> each.target().sharedReceiveQueueSize()),
            new Fixed("srp.async-events", each -> each.target().asyncEvents()),
            new Fixed("srp.target-logout", each -> each.target().targetLogout()),
            new Fixed("provider, device, mad-send", each -> each.runtime().provider()),
            new Fixed(
                    SettingKey.HTTP.key(), each -> String.valueOf(each.runtime().http())),
            new Fixed(SettingKey.LOG_FORMAT.key(), each -> each.runtime().logFormat()),
            new Fixed(
                    SettingKey.POLL_SPIN.key(),
                    each -> String.valueOf(each.runtime().pollSpin())),
            new Fixed(
                    SettingKey.METRICS_INITIATORS.key(), each -> each.runtime().metricsInitiators()));

    Differences {
        changes = List.copyOf(changes);
        needsRestart = List.copyOf(needsRestart);
    }

    /** From {@code before}, of which the units are {@code running}, to {@code after}. */
    static Differences of(ServeConfiguration before, ServeConfiguration after, Map<Integer, LogicalUnit> running) {
        LunChanges luns = new LunChanges(before.luns(), after.luns(), running);
        List<String> needsRestart = FIXED.stream()
                .filter(fixed -> fixed.differs(before, after))
                .map(Fixed::name)
                .collect(Collectors.toCollection(ArrayList::new));
        if (!before.hasGroupsOf(after)) {
            needsRestart.add("alua, but for states, and for addresses and disks that come or go");
        }
        needsRestart.addAll(luns.needsRestart());
        ServeConfiguration result = before.changedTo(after, luns.result());
        // What may fail and can be undone; what may fail; what can hardly fail.
        List<Change> changes =
                new ArrayList<>(groups(before.target().alua(), result.target().alua()));
        changes.addAll(luns.additions());
        changes.addAll(addresses(before, result));
        if (before.rdmaCmPort() != result.rdmaCmPort()) {
            changes.add(rdmaCmPort(before.rdmaCmPort(), result.rdmaCmPort()));
        }
        changes.addAll(luns.growths());
        changes.addAll(target(before, result));
        changes.addAll(luns.removals());
        return new Differences(changes, needsRestart, result);
    }

    private static List<Change> addresses(ServeConfiguration before, ServeConfiguration after) {
        List<Change> changes = new ArrayList<>();
        for (InetAddress address : after.listen()) {
            if (!before.listen().contains(address)) {
                changes.add(Change.tried(
                        "listen: on " + Addresses.plain(address) + " too",
                        server -> server.served().add(address, after.target()),
                        server -> server.removeAddress(address)));
            }
        }
        for (InetAddress address : before.listen()) {
            if (!after.listen().contains(address)) {
                changes.add(Change.simple(
                        "listen: on " + Addresses.plain(address) + " no more",
                        server -> server.removeAddress(address)));
            }
        }
        return changes;
    }

    private static Change rdmaCmPort(int before, int after) {
        String what = "taking logins on port ";
        return Change.tried(
                "rdma-cm-port: " + after,
                server -> Blocking.await(what + after, server.rdmaCmPort(after)),
                server -> Blocking.await(what + before, server.rdmaCmPort(before)));
    }

    /** Before the addresses and disks are there that come into them. */
    private static List<Change> groups(AluaSettings before, AluaSettings after) {
        return before.withoutStates().equals(after.withoutStates())
                ? List.of()
                : List.of(Change.tried(
                        "alua: groups have addresses and disks that come, and not those that go",
                        server -> server.groups(after),
                        server -> server.groups(before)));
    }

    private static List<Change> states(AluaSettings before, AluaSettings after) {
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < before.groups().size(); i++) {
            int group = i;
            AluaSettings.Group now = after.groups().get(i);
            if (before.groups().get(i).state() != now.state()) {
                changes.add(Change.simple(
                        "alua: group " + now.name() + " becomes " + now.state(),
                        server -> Blocking.await("changing alua", server.accessState(group, now.state()))));
            }
        }
        return changes;
    }

    private static List<Change> target(ServeConfiguration before, ServeConfiguration after) {
        List<Change> changes = new ArrayList<>();
        TargetSettings old = before.target();
        TargetSettings now = after.target();
        if (!before.access().equals(after.access())) {
            changes.add(Change.simple(
                    "acls: changed", server -> Blocking.await("changing acls", server.access(after.access()))));
        }
        if (!old.ports().equals(now.ports())) {
            changes.add(
                    Change.simple("ports: changed", server -> server.served().configurePorts(now)));
        }
        ChannelAttributes attributes = now.attributes();
        if (!old.attributes().equals(attributes)) {
            changes.add(Change.simple(
                    "srp: changed",
                    server -> Blocking.await("changing srp", server.attributes(running -> attributes))));
        }
        if (!Objects.equals(old.identification(), now.identification())) {
            changes.add(Change.simple(
                    "srp.identification: changed", server -> server.identification(now.identification())));
        }
        changes.addAll(states(old.alua(), now.alua()));
        RuntimeSettings runtime = before.runtime();
        if (!Objects.equals(runtime.token(), after.runtime().token())) {
            changes.add(Change.simple("http-token: changed", server -> {}));
        }
        if (!runtime.drainTimeout().equals(after.runtime().drainTimeout())) {
            changes.add(Change.simple("drain-timeout: changed", server -> {}));
        }
        return changes;
    }
}
