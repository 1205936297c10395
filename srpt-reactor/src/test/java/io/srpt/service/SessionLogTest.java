package io.srpt.service;

import static io.srpt.service.LiveService.ADDRESS;
import static io.srpt.service.LiveService.INITIATOR;
import static io.srpt.service.LiveService.SECOND_INITIATOR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an operator reads of who came and who was turned away. */
@Timeout(60)
class SessionLogTest {
    private static final String TARGET =
            "lun: memory:1MiB\nacls:\n- {initiator: " + INITIATOR + ", name: host-a}\n- 192.0.2.0/24\n";

    @TempDir
    private Path directory;

    @Test
    void saysWhichRuleLetAnInitiatorInOrThatNoneDid() throws Exception {
        try (LiveService live = LiveService.start(directory, TARGET);
                LoggedLines log = LoggedLines.of(Level.INFO, "io.srpt.sessions");
                InitiatorHost known = LiveService.initiator(INITIATOR);
                InitiatorHost unknown = LiveService.initiator(SECOND_INITIATOR)) {
            LiveService.login(known, ADDRESS).close();
            assertThatThrownBy(() -> LiveService.login(unknown, ADDRESS)).isNotNull();

            assertThat(live.server().addresses()).hasSize(1);
            assertThat(log.lines())
                    .anySatisfy(line -> assertThat(line).contains("from " + INITIATOR, "let in by acls[0] host-a"))
                    .anySatisfy(line ->
                            assertThat(line).contains("from " + SECOND_INITIATOR, "rejected", "no rule lets it in"));
        }
    }
}
