package io.srpt.target;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Who waits for channels to be gone. Loop of the port. */
final class Departures {
    private final List<Waiting> all = new ArrayList<>();

    private record Waiting(Set<SrptChannel> channels, CompletableFuture<Void> gone) {}

    /** Completes when all {@code channels} are released; at once if there are none. */
    CompletableFuture<Void> of(Collection<SrptChannel> channels) {
        CompletableFuture<Void> gone = new CompletableFuture<>();
        if (channels.isEmpty()) {
            gone.complete(null);
        } else {
            all.add(new Waiting(new HashSet<>(channels), gone));
        }
        return gone;
    }

    void onReleased(SrptChannel channel) {
        for (Waiting waiting : List.copyOf(all)) {
            if (waiting.channels.remove(channel) && waiting.channels.isEmpty()) {
                all.remove(waiting);
                waiting.gone.complete(null);
            }
        }
    }
}
