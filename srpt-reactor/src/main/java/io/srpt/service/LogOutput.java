package io.srpt.service;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import java.util.Iterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How log lines look. The text format is that of {@code logback.xml}. */
final class LogOutput {
    private LogOutput() {}

    /** Makes every appender of the root logger write in {@code format}. Nothing happens without Logback. */
    static void use(RuntimeSettings.LogFormat format) {
        if (format == RuntimeSettings.LogFormat.JSON && LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            Iterator<Appender<ILoggingEvent>> appenders =
                    context.getLogger(Logger.ROOT_LOGGER_NAME).iteratorForAppenders();
            while (appenders.hasNext()) {
                if (appenders.next() instanceof OutputStreamAppender<ILoggingEvent> appender) {
                    appender.stop();
                    appender.setEncoder(json(context));
                    appender.start();
                }
            }
        }
    }

    /** One object a line: time, level, thread, logger, message, key-value pairs and the exception. */
    static JsonEncoder json(LoggerContext context) {
        JsonEncoder encoder = new JsonEncoder();
        encoder.setContext(context);
        encoder.setWithSequenceNumber(false);
        encoder.setWithNanoseconds(false);
        encoder.setWithContext(false);
        encoder.setWithMessage(false);
        encoder.setWithArguments(false);
        encoder.setWithFormattedMessage(true);
        encoder.start();
        return encoder;
    }
}
