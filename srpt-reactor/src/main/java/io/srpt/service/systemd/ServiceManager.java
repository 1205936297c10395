package io.srpt.service.systemd;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Who started the service and wants to know how it does. Messages that can't be delivered are lost. Any thread. */
public interface ServiceManager extends AutoCloseable {
    /** Nobody wants to know. */
    ServiceManager NONE = new ServiceManager() {
        @Override
        public void ready(String status) {}

        @Override
        public void status(String status) {}

        @Override
        public void reloading() {}

        @Override
        public void stopping() {}

        @Override
        public void alive() {}

        @Override
        public @Nullable Duration watchdog() {
            return null;
        }

        @Override
        public void close() {}
    };

    /** It has started, and what it does. */
    void ready(String status);

    /** What it does, in a few words. */
    void status(String status);

    /** It has begun to read its configuration again; {@link #ready} follows. */
    void reloading();

    /** It has begun to stop. */
    void stopping();

    /** Feeds the watchdog. */
    void alive();

    /** How long the watchdog waits, null if there is none. */
    @Nullable
    Duration watchdog();

    @Override
    void close();
}
