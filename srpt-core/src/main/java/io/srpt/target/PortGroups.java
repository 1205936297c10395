package io.srpt.target;

import io.srpt.target.AccessControl.Initiator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The groups of access rules of a port. Loop of the port, {@link #all()} from anywhere. */
final class PortGroups {
    private static final Logger LOG = LoggerFactory.getLogger(PortGroups.class);

    private final List<TargetPortGroup> groups = new CopyOnWriteArrayList<>();

    PortGroups(AccessControl access) {
        groups.add(new TargetPortGroup(TargetPortGroup.DEFAULT_NAME, access));
    }

    List<TargetPortGroup> all() {
        return List.copyOf(groups);
    }

    /** Makes a group, which is asked last. */
    TargetPortGroup make(String name, AccessControl access) {
        if (groups.stream().anyMatch(group -> group.name().equals(name))) {
            throw new IllegalArgumentException("there is a group " + name + " already");
        }
        TargetPortGroup made = new TargetPortGroup(name, access);
        groups.add(made);
        return made;
    }

    void drop(TargetPortGroup group) {
        groups.remove(group);
    }

    /** Whether logins can be let in by any group at all. */
    boolean isAnyEnabled() {
        return groups.stream().anyMatch(TargetPortGroup::isEnabled);
    }

    /** What {@code initiator} gets of the first group that gives it anything; null if none does. */
    @Nullable
    Admission admit(Initiator initiator, TargetCounters counters) {
        for (TargetPortGroup group : groups) {
            Admission admission = admit(group, initiator, counters);
            if (admission != null) {
                return admission;
            }
        }
        return null;
    }

    /** Whether the group that let {@code channel} in gives its initiator the same units now. */
    boolean admitsStill(SrptChannel channel, TargetCounters counters) {
        Admission before = channel.admission();
        Admission now = admit(before.group(), channel.initiator(), counters);
        return now != null && now.grant().view().equals(before.grant().view());
    }

    /** What {@code initiator} gets of {@code group}; nothing if that throws. */
    @Nullable
    Admission admit(TargetPortGroup group, Initiator initiator, TargetCounters counters) {
        try {
            return group.admit(initiator);
        } catch (RuntimeException e) {
            counters.handlerErrors.increment();
            LOG.warn("The access control of group {} failed on {}", group, initiator, e);
            return null;
        }
    }
}
