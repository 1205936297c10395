package io.srpt.target;

import io.srpt.time.Deadline;
import io.srpt.verbs.RdmaLoop;

/** A command that a {@link CommandFault} keeps from its beginning, for a time or for good. Port's loop. */
final class HeldCommand extends Deadline {
    private final RdmaLoop loop;
    private final Runnable resume;
    private boolean held;

    /** {@code resume} runs when the time is over. */
    HeldCommand(RdmaLoop loop, Runnable resume) {
        this.loop = loop;
        this.resume = resume;
    }

    void delay(long nanos) {
        held = true;
        loop.schedule(this, loop.nanoTime() + nanos);
    }

    void forGood() {
        held = true;
    }

    /** Whether it is held now. */
    boolean isHeld() {
        return held;
    }

    /** Lets go of it without resuming it. */
    void cancel() {
        held = false;
        loop.cancel(this);
    }

    @Override
    protected void onDeadline() {
        held = false;
        resume.run();
    }
}
