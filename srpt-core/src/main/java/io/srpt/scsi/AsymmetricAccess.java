package io.srpt.scsi;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asymmetric logical unit access (ALUA, SPC-4 §5.15.2): the target port groups of a device server, and the changes of their
 * states.
 *
 * <pre>
 *   change ──▶ TRANSITIONING ──transition time, at least one turn of the loop──▶ the new state, unit attention 2A/06
 * </pre>
 *
 * <p>A state changes because an initiator asks for it (explicit) or because the operator does (implicit). Commands under way
 * go on. Owner loop only.
 */
public final class AsymmetricAccess {
    private static final Logger LOG = LoggerFactory.getLogger(AsymmetricAccess.class);

    private final DeviceServer server;
    private final Map<AluaGroup, Set<LogicalUnit>> groups = new LinkedHashMap<>();
    private boolean implicit = true;
    private boolean explicit = true;
    private Duration transitionTime = Duration.ZERO;

    AsymmetricAccess(DeviceServer server) {
        this.server = server;
    }

    /**
     * How states change.
     *
     * @param byTarget whether hosts are told that they change without their doing (TPGS bit 0)
     * @param byHosts whether SET TARGET PORT GROUPS changes them (TPGS bit 1)
     * @param time how long a transition takes; for tests of initiators, which see TRANSITIONING so long
     */
    public void modes(boolean byTarget, boolean byHosts, Duration time) {
        implicit = byTarget;
        explicit = byHosts;
        transitionTime = time;
    }

    /** Adds a group of these units; a unit that is in one has asymmetric access from then on. */
    public void add(AluaGroup group, Collection<LogicalUnit> units) {
        Set<LogicalUnit> known = groups.computeIfAbsent(group, g -> new HashSet<>());
        for (LogicalUnit unit : units) {
            if (known.add(unit)) {
                unit.access(server.targetPorts()).add(group);
            }
        }
    }

    /** Forgets {@code unit}, which is gone. */
    void forget(LogicalUnit unit) {
        groups.values().forEach(units -> units.remove(unit));
    }

    /** Whether {@code group} was added. */
    boolean has(AluaGroup group) {
        return groups.containsKey(group);
    }

    /**
     * Makes {@code port} one of a group's ports; it is in no other group of the group's units. Nexuses through it learn by unit
     * attention that they reach these in another state.
     */
    public void join(AluaGroup group, TargetPort port) {
        group.join(port);
        onPortsChanged();
        announce(group, port);
    }

    /** Takes {@code port} out of a group; its nexuses learn of it. */
    public void leave(AluaGroup group, TargetPort port) {
        group.leave(port);
        onPortsChanged();
        announce(group, port);
    }

    private void announce(AluaGroup group, TargetPort port) {
        for (Nexus nexus : server.nexuses()) {
            if (nexus.id().targetPort() == port.relativeId()) {
                groups.getOrDefault(group, Set.of())
                        .forEach(unit -> nexus.establish(unit, UnitAttention.ASYMMETRIC_ACCESS_STATE_CHANGED));
            }
        }
    }

    /** Whether {@code port} is one of a group's. */
    public boolean contains(AluaGroup group, TargetPort port) {
        return group.contains(port);
    }

    /** Takes {@code port}, which is gone, out of all groups. */
    void leave(TargetPort port) {
        groups.keySet().forEach(group -> group.leave(port));
        onPortsChanged();
    }

    void onPortsChanged() {
        for (Set<LogicalUnit> units : groups.values()) {
            for (LogicalUnit unit : units) {
                UnitAccess access = unit.access();
                if (access != null) {
                    access.onPortsChanged();
                }
            }
        }
    }

    /** The groups that were added. */
    public Collection<AluaGroup> groups() {
        return Collections.unmodifiableCollection(groups.keySet());
    }

    /** Changes the state of a group; the result completes on the loop when the transition is over. */
    public CompletableFuture<Void> change(AluaGroup group, AccessState state) {
        if (state == AccessState.TRANSITIONING) {
            throw new IllegalArgumentException("no group stays in transition");
        }
        CompletableFuture<Void> result = new CompletableFuture<>();
        change(Map.of(group, state), null, AluaGroup.Cause.IMPLICIT, () -> result.complete(null));
        return result;
    }

    /** Changes states together, by wish of {@code by}, who then hears of it without unit attention. */
    void change(Map<AluaGroup, AccessState> states, @Nullable Nexus by, AluaGroup.Cause cause, Runnable done) {
        Map<AluaGroup, Integer> transitions = new HashMap<>();
        states.forEach((group, state) -> {
            if (group.wanted() != state) {
                LOG.info("Target port group {} becomes {}, was {}", group, state, group.wanted());
                transitions.put(group, group.begin(state));
            }
        });
        if (transitions.isEmpty()) {
            done.run();
            return;
        }
        Runnable end = () -> {
            transitions.forEach((group, number) -> end(group, number, by, cause));
            done.run();
        };
        if (transitionTime.isZero()) {
            server.executor().execute(end);
        } else {
            CompletableFuture.delayedExecutor(transitionTime.toNanos(), TimeUnit.NANOSECONDS, server.executor())
                    .execute(end);
        }
    }

    private void end(AluaGroup group, int transition, @Nullable Nexus by, AluaGroup.Cause cause) {
        if (group.end(transition, cause)) {
            for (LogicalUnit unit : groups.getOrDefault(group, Set.of())) {
                server.announce(unit, by, UnitAttention.ASYMMETRIC_ACCESS_STATE_CHANGED);
            }
        }
    }

    /** The TPGS field of INQUIRY. */
    int supported() {
        return (explicit ? 2 : 0) | (implicit ? 1 : 0);
    }

    boolean isExplicit() {
        return explicit;
    }

    /** Seconds that an implicit transition takes at most, 0 for no word on it. */
    int transitionSeconds() {
        return (int) Math.min(255, (transitionTime.toMillis() + 999) / 1000);
    }
}
