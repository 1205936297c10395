package io.srpt.target;

import static io.srpt.target.TargetFixture.read10;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The order in which data and responses of commands that came together leave. */
class ResponseOrderTest {
    private static final String RESPONSE = "S36";

    private final TargetFixture fixture = new TargetFixture();
    private final FakePeer peer = fixture.connect();

    @AfterEach
    void leavesNothingBehind() {
        fixture.closeAndCheck();
    }

    @Test
    void responsesOfOnePollFollowTheDataOfAllItsCommands() {
        for (int i = 0; i < 3; i++) {
            peer.sendRead(i, read10(i, 1), i * 512, 512);
        }
        fixture.run();

        assertThat(peer.wire().wire).containsExactly("W512", "W512", "W512", RESPONSE, RESPONSE, RESPONSE);
        for (int i = 0; i < 3; i++) {
            assertThat(peer.nextResponse().tag()).isEqualTo(i);
        }
    }

    @Test
    void responsesDoNotWaitForMoreDataThanOneMessageHolds() {
        int blocks = 32 << 10 >> 9;
        for (int i = 0; i < 3; i++) {
            peer.sendRead(i, read10(0, blocks), 0, 32 << 10);
        }
        fixture.run();

        List<String> wire = peer.wire().wire;
        assertThat(wire.subList(0, 4)).containsExactly("W32768", "W32768", RESPONSE, RESPONSE);
        assertThat(wire.subList(4, 6)).containsExactly("W32768", RESPONSE);
        for (int i = 0; i < 3; i++) {
            assertThat(peer.nextResponse().tag()).isEqualTo(i);
        }
        assertThat(Collections.frequency(wire, RESPONSE)).isEqualTo(3);
    }
}
