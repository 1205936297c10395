package io.srpt.scsi;

import java.util.BitSet;

/**
 * A target port group (SPC-4 §5.15.2): ports through which its logical units are reached equally well, and how well that is.
 * One group may serve many units; each of them then is in the same state.
 *
 * <pre>
 *   state ──begin──▶ TRANSITIONING ──end──▶ the state that was asked for last
 * </pre>
 *
 * <p>Owner loop only, but for {@link #id}, {@link #name}, {@link #preferred} and {@link #state}.
 */
public final class AluaGroup {
    /** The highest group identifier. */
    public static final int MAX_ID = 0xFFFF;

    /** Who has changed the state last; its number in parameter data. */
    enum Cause {
        NOBODY,
        SET_TARGET_PORT_GROUPS,
        IMPLICIT
    }

    private final int id;
    private final String name;
    private final boolean preferred;
    private final BitSet ports = new BitSet();
    private volatile AccessState state;
    private AccessState wanted;
    private Cause cause = Cause.NOBODY;
    private int transitions;

    /**
     * A group without ports.
     *
     * @param id unique among the groups of a unit
     * @param name for people
     * @param preferred whether hosts are to prefer it (PREF)
     */
    public AluaGroup(int id, String name, AccessState state, boolean preferred) {
        if (id < 0 || id > MAX_ID) {
            throw new IllegalArgumentException("target port group " + id + " is not in 0.." + MAX_ID);
        }
        if (state == AccessState.TRANSITIONING) {
            throw new IllegalArgumentException("no group stays in transition");
        }
        this.id = id;
        this.name = name;
        this.state = state;
        this.wanted = state;
        this.preferred = preferred;
    }

    public int id() {
        return id;
    }

    public String name() {
        return name;
    }

    public boolean preferred() {
        return preferred;
    }

    /** The state at this moment. Any thread. */
    public AccessState state() {
        return state;
    }

    /** Makes {@code port} one of its ports. */
    void join(TargetPort port) {
        ports.set(port.relativeId());
    }

    void leave(TargetPort port) {
        ports.clear(port.relativeId());
    }

    boolean contains(TargetPort port) {
        return ports.get(port.relativeId());
    }

    Cause cause() {
        return cause;
    }

    /** The state it is in, or will be when the transition is over. */
    AccessState wanted() {
        return wanted;
    }

    /** Begins a transition; returns its number. */
    int begin(AccessState next) {
        wanted = next;
        state = AccessState.TRANSITIONING;
        return ++transitions;
    }

    /** Ends the transition with this number, unless another one has begun meanwhile; returns whether it ended. */
    boolean end(int transition, Cause by) {
        if (transition != transitions) {
            return false;
        }
        state = wanted;
        cause = by;
        return true;
    }

    @Override
    public String toString() {
        return name;
    }
}
