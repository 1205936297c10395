package io.srpt.service;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The configuration of a running target, and how it becomes another one. Any thread but a loop. */
final class LiveConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(LiveConfiguration.class);

    private final SrptServer server;
    private final @Nullable ConfigurationSource source;
    private final Reconfiguration reconfiguration;

    /** Of {@code server}, from {@code source}; null if a program has made it. */
    LiveConfiguration(SrptServer server, @Nullable ConfigurationSource source) {
        this.server = server;
        this.source = source;
        reconfiguration = new Reconfiguration(server);
    }

    /** What the target runs by. */
    ServeConfiguration running() {
        return server.configuration();
    }

    /**
     * Reads the configuration file again and follows it.
     *
     * @throws ConfigurationException if it is wrong; nothing has changed then
     * @throws ServiceException if it cannot be followed; nothing has changed then
     */
    synchronized Reconfiguration.Outcome reload() throws ConfigurationException, ServiceException {
        ConfigurationSource from = source;
        if (from == null || from.file() == null) {
            throw new ConfigurationException("the service was started without --config: there is no file to read");
        }
        LOG.info("Reading {} again", from.file());
        Reconfiguration.Outcome outcome = reconfiguration.to(from.read());
        LOG.info(
                "{}: {} changes{}",
                from.file(),
                outcome.changes().size(),
                outcome.needsRestart().isEmpty() ? "" : ", and some that need a restart");
        return outcome;
    }
}
