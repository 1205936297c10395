package io.srpt.service.http;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether the service lives, and whether it can take I/O now. It begins as not ready, starting. Any thread.
 */
public final class Health {
    private final Supplier<@Nullable String> wedged;
    private volatile @Nullable String notReady = "starting";

    /** {@code wedged} says why the process does not live any more, null while it does. */
    public Health(Supplier<@Nullable String> wedged) {
        this.wedged = wedged;
    }

    /** It can take I/O from now on. */
    public void ready() {
        notReady = null;
    }

    /** It can't take I/O from now on, and why. */
    public void notReady(String reason) {
        notReady = reason;
    }

    /** Why it can't take I/O, null if it can. */
    public @Nullable String whyNotReady() {
        String reason = notReady;
        return reason != null ? reason : wedged.get();
    }

    /** Why it does not live, null if it does. */
    public @Nullable String whyNotAlive() {
        return wedged.get();
    }
}
