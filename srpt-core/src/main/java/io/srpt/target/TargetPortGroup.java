package io.srpt.target;

import org.jspecify.annotations.Nullable;

/**
 * A named set of access rules of a port, which lets its initiators in while it is enabled ("target portal group" of LIO; not
 * one of ALUA's). A port asks its groups in the order of their making, and the first one that has a rule for the initiator
 * counts ({@code srpt_make_tpg} of the Linux driver).
 *
 * <p>Threads: read from anywhere; changed through {@link SrptPort}.
 */
public final class TargetPortGroup {
    /** The group that a port has from the beginning. */
    public static final String DEFAULT_NAME = "default";

    private final String name;
    private volatile AccessControl access;
    private volatile boolean enabled = true;

    TargetPortGroup(String name, AccessControl access) {
        this.name = name;
        this.access = access;
    }

    public String name() {
        return name;
    }

    /** Who may log in. */
    public AccessControl access() {
        return access;
    }

    void access(AccessControl newAccess) {
        access = newAccess;
    }

    /** Whether logins are let in by it. */
    public boolean isEnabled() {
        return enabled;
    }

    void enabled(boolean newEnabled) {
        enabled = newEnabled;
    }

    /** What {@code initiator} gets of this group, null if that is nothing. */
    @Nullable
    Admission admit(AccessControl.Initiator initiator) {
        AccessControl.Grant grant = enabled ? access.admit(initiator) : null;
        return grant == null ? null : new Admission(this, grant);
    }

    @Override
    public String toString() {
        return name;
    }
}
