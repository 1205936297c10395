package io.srpt.service;

import java.nio.file.Path;
import java.util.Map;

/** Where a service keeps what must survive a restart. */
final class StateDirectory {
    private StateDirectory() {}

    /** {@code $STATE_DIRECTORY} of systemd, else {@code $XDG_STATE_HOME/srpt}, else {@code ~/.local/state/srpt}. */
    static Path of(Map<String, String> environment, Path home) {
        String given = environment.getOrDefault("STATE_DIRECTORY", "");
        if (!given.isEmpty()) {
            // systemd lists several with colons; the first is the one that StateDirectory= names first
            return Path.of(given.split(":", 2)[0]);
        }
        String xdg = environment.getOrDefault("XDG_STATE_HOME", "");
        Path base = xdg.isEmpty() ? home.resolve(".local").resolve("state") : Path.of(xdg);
        return base.resolve("srpt");
    }
}
