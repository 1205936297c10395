package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LogOutputTest {
    @Test
    void writesOneJsonObjectALine() {
        LoggerContext context = new LoggerContext();
        context.setMDCAdapter(new LogbackMDCAdapter());
        LoggingEvent event = new LoggingEvent(
                "",
                context.getLogger("io.srpt.sessions"),
                Level.INFO,
                "Login of \"{}\"\non {}",
                new IllegalStateException("broken"),
                new Object[] {"me", "port 1"});
        event.setKeyValuePairs(List.of(new KeyValuePair("channel", 7)));
        String line = new String(LogOutput.json(context).encode(event), StandardCharsets.UTF_8);

        assertThat(line.strip().lines()).hasSize(1);
        JsonNode object = JsonMapper.shared().readTree(line);
        assertThat(object.get("level").asString()).isEqualTo("INFO");
        assertThat(object.get("loggerName").asString()).isEqualTo("io.srpt.sessions");
        assertThat(object.get("formattedMessage").asString()).isEqualTo("Login of \"me\"\non port 1");
        assertThat(object.get("timestamp").isNumber()).isTrue();
        assertThat(object.get("throwable").get("message").asString()).isEqualTo("broken");
        assertThat(object.get("kvpList").get(0).get("channel").asString()).isEqualTo("7");
    }
}
