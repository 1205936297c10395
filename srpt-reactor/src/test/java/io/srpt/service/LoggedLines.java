package io.srpt.service;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** What some loggers write, from a level on, until {@link #close()}; they are let write as much meanwhile. */
final class LoggedLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Level least;
    private final List<String> loggers;
    private final Map<Logger, @Nullable Level> levelsBefore = new HashMap<>();
    private final List<String> lines = new CopyOnWriteArrayList<>();

    private LoggedLines(Level least, List<String> loggers) {
        this.least = least;
        this.loggers = loggers;
    }

    /** Those of loggers whose names begin so. */
    static LoggedLines of(Level least, String... loggers) {
        LoggedLines logged = new LoggedLines(least, List.of(loggers));
        logged.setContext(logged.root.getLoggerContext());
        logged.start();
        logged.loggers.forEach(logged::open);
        logged.root.addAppender(logged);
        return logged;
    }

    private void open(String name) {
        Logger logger = (Logger) LoggerFactory.getLogger(name);
        if (!logger.isEnabledFor(least)) {
            levelsBefore.put(logger, logger.getLevel());
            logger.setLevel(least);
        }
    }

    @Override
    protected void append(ILoggingEvent event) {
        if (event.getLevel().isGreaterOrEqual(least) && loggers.stream().anyMatch(event.getLoggerName()::startsWith)) {
            String thrown = event.getThrowableProxy() == null
                    ? ""
                    : " " + event.getThrowableProxy().getClassName() + ": "
                            + event.getThrowableProxy().getMessage();
            lines.add(event.getLoggerName() + " " + event.getFormattedMessage() + thrown);
        }
    }

    List<String> lines() {
        return lines;
    }

    @Override
    public void close() {
        root.detachAppender(this);
        levelsBefore.forEach(Logger::setLevel);
        stop();
    }
}
