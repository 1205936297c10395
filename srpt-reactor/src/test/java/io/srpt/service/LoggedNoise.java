package io.srpt.service;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What the HTTP side and the libraries under it log as a warning or worse, until {@link #close()}. */
final class LoggedNoise extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private static final List<String> LOGGERS = List.of("reactor.", "io.netty.", "io.srpt.service.http.");

    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final List<String> lines = new CopyOnWriteArrayList<>();

    LoggedNoise() {
        setContext(root.getLoggerContext());
        start();
        root.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
        if (event.getLevel().isGreaterOrEqual(Level.WARN)
                && LOGGERS.stream().anyMatch(event.getLoggerName()::startsWith)) {
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
        stop();
    }
}
