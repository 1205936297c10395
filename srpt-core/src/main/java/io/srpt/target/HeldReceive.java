package io.srpt.target;

/**
 * The receive whose unit a context works on: the CDB, descriptors and immediate data are in it, so it is held until just
 * before the response, and given back once. Threads: the port's loop.
 */
final class HeldReceive {
    private final ReceiveRing receives;
    private int slot;
    private boolean held;

    HeldReceive(ReceiveRing receives) {
        this.receives = receives;
    }

    void take(int newSlot) {
        slot = newSlot;
        held = true;
    }

    int slot() {
        return slot;
    }

    int unitOffset() {
        return receives.unitOffset(slot);
    }

    /** Posts it again, for the next unit. */
    void post() {
        held = false;
        receives.post(slot);
    }

    /** Gives it back without posting it, if it is still held: the channel is over. */
    void giveBack() {
        if (held) {
            held = false;
            receives.giveBack(slot);
        }
    }

    /** The channel is drained. Shared receives hold no immediate data, so that nobody looks at this one: others may need it. */
    void onDrained() {
        if (receives.isShared()) {
            giveBack();
        }
    }
}
