package io.srpt.target;

import static io.srpt.target.TargetFixture.TEST_UNIT_READY;
import static io.srpt.target.TargetFixture.read10;
import static io.srpt.target.TargetFixture.write10;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.srp.LoginRequest;
import io.srpt.srp.PortId;
import io.srpt.srp.TaskManagementRequest;
import io.srpt.verbs.VerbsException;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Receives that all channels of a port share ({@code use_srq}). */
class SharedReceivesTest {
    private static final int SLOTS = 200;

    private final TargetFixture fixture = new TargetFixture(TargetFixture.config()
            .sharedReceives(true)
            .sharedReceiveQueueSize(SLOTS)
            .build());

    @AfterEach
    void leavesNothingBehind() {
        fixture.closeAndCheck();
    }

    private void expectAllPosted() {
        assertThat(fixture.counters().receivesInUse.get()).isEqualTo(SLOTS);
    }

    private FakePeer stranger(long id) {
        FakePeer peer = fixture.tryLogin(new LoginRequest(0, 8260, 6, 0x80, 68, new PortId(id, id), FakePeer.TARGET));
        peer.establish();
        peer.sendNoData(0, TEST_UNIT_READY);
        fixture.run();
        peer.nextResponse();
        return peer;
    }

    @Test
    void channelsServeUnitsFromTheSameReceivesAndOfferNoImmediateData() {
        FakePeer first = stranger(1);
        FakePeer second = stranger(2);
        assertThat(Objects.requireNonNull(first.response).acceptsImmediateData())
                .isFalse();
        assertThat(first.wire().postedReceives()).isEqualTo(SLOTS);
        for (int i = 0; i < 500; i++) {
            FakePeer peer = i % 2 == 0 ? first : second;
            peer.sendWrite(i, write10(i, 1), 0, 512);
            fixture.run();
            assertThat(peer.nextResponse().tag()).isEqualTo(i);
        }
        assertThat(first.credits).isEqualTo(128);
        expectAllPosted();
    }

    @Test
    void aBurstThatDrainsThemLeavesTheChannelsUp() {
        FakePeer[] peers = {stranger(1), stranger(2), stranger(3)};
        fixture.store.hold = true;
        int sent = 0;
        for (int i = 0; i < SLOTS; i++, sent++) {
            peers[i % 3].sendRead(i, read10(0, 1), 0, 512);
        }
        assertThatThrownBy(() -> peers[0].sendNoData(SLOTS, TEST_UNIT_READY)).hasMessage("no receive is posted");
        fixture.run();
        fixture.store.release();
        fixture.run();
        for (int i = 0; i < sent; i++) {
            assertThat(peers[i % 3].nextResponse().tag()).isEqualTo(i);
        }
        assertThat(fixture.port.channels()).hasSize(3);
        expectAllPosted();
    }

    /** Nothing waits for a last receive to be flushed, and no receive is lost. */
    @Test
    @Tag("pitfall-95")
    @Tag("pitfall-96")
    void anEndingChannelGivesBackTheReceivesOfUnitsThatItDoesNotServe() {
        Random random = new Random(5);
        FakePeer other = stranger(1);
        for (int round = 0; round < 100; round++) {
            FakePeer peer = stranger(2);
            fixture.store.hold = random.nextBoolean();
            peer.wire().holdSends = random.nextInt(3) == 0;
            peer.wire().holdCompletions = random.nextInt(3) == 0;
            for (int i = random.nextInt(120); i >= 0; i--) {
                if (random.nextBoolean()) {
                    peer.sendWrite(i, write10(0, 8), 0, 4096);
                } else {
                    peer.sendTaskManagement(i, TaskManagementRequest.ABORT_TASK, 0, random.nextInt(100));
                }
                if (random.nextInt(10) == 0) {
                    fixture.run();
                }
            }
            switch (random.nextInt(3)) {
                case 0 -> peer.hangUp();
                case 1 -> peer.sendRaw(new byte[64]);
                default -> peer.wire().modifyToError();
            }
            peer.wire().holdCompletions = false;
            fixture.run();
            // Again: what the fence has held back enters the store when a late write has left it.
            do {
                fixture.store.release();
                fixture.run();
            } while (!fixture.store.held.isEmpty());
            assertThat(peer.closed).isTrue();
            expectAllPosted();
        }
        other.sendNoData(9, TEST_UNIT_READY);
        fixture.store.hold = false;
        fixture.run();
        assertThat(other.wire().sent).isNotEmpty();
    }

    @Test
    void receivesComeBackBeforeAStalledStoreLetsGo() {
        FakePeer peer = stranger(1);
        fixture.store.hold = true;
        peer.sendWrite(1, write10(0, 8), 0, 4096);
        fixture.run();
        peer.hangUp();
        fixture.run();
        expectAllPosted();
        fixture.pass(java.time.Duration.ofSeconds(6));
        fixture.store.release();
        fixture.run();
        expectAllPosted();
    }

    @Test
    void anInitiatorThatIgnoresItsCreditsIsEnded() {
        fixture.closeAndCheck();
        TargetFixture wide = new TargetFixture(TargetFixture.config()
                .sharedReceives(true)
                .sharedReceiveQueueSize(1000)
                .build());
        FakePeer peer = wide.connect();
        wide.store.hold = true;
        for (int i = 0; i < 300; i++) {
            peer.sendRead(i, read10(0, 1), 0, 512);
        }
        wide.run();
        assertThat(wide.events).doesNotContain("released PROTOCOL_ERROR");
        assertThat(wide.counters().protocolErrors.get()).isEqualTo(1);
        wide.store.release();
        wide.run();
        assertThat(wide.events).last().isEqualTo("released PROTOCOL_ERROR");
        assertThat(wide.counters().receivesInUse.get()).isEqualTo(1000);
        wide.closeAndCheck();
    }

    @Test
    @Tag("pitfall-101")
    void aChangeLogsEverybodyOutAndSwitchesImmediateData() {
        FakePeer peer = stranger(1);
        fixture.store.hold = true;
        peer.sendWrite(1, write10(0, 8), 0, 4096);
        fixture.run();
        CompletableFuture<Void> changed =
                fixture.port.attributes(fixture.port.attributes().withSharedReceives(false));
        fixture.run();
        assertThat(peer.disconnects).isEqualTo(1);
        assertThat(changed).as("a command is in the store").isNotDone();
        assertThat(fixture.device.sharedReceiveQueues)
                .as("it lives as long as a channel uses it")
                .isEqualTo(1);
        fixture.store.release();
        fixture.run();
        assertThat(changed).isCompleted();
        fixture.store.hold = false;
        assertThat(fixture.device.sharedReceiveQueues).isZero();
        fixture.assertNothingInUse();

        FakePeer again = fixture.connect(LoginRequest.IMMEDIATE_DATA);
        assertThat(Objects.requireNonNull(again.response).acceptsImmediateData())
                .isTrue();
        again.sendImmediate(2, write10(0, 1), new byte[512]);
        fixture.run();
        assertThat(again.nextResponse().tag()).isEqualTo(2);
        fixture.port.attributes(fixture.port.attributes().withSharedReceives(true));
        fixture.run();
        assertThat(again.closed).isTrue();
        expectAllPosted();
        assertThat(Objects.requireNonNull(fixture.connect(0x80).response).acceptsImmediateData())
                .isFalse();
    }

    @Test
    void aChangeThatTheDeviceRefusesChangesNothing() {
        fixture.port.attributes(fixture.port.attributes().withSharedReceives(false));
        fixture.run();
        FakePeer peer = fixture.connect();
        fixture.device.refuseSharedReceives = true;
        CompletableFuture<Void> refused =
                fixture.port.attributes(fixture.port.attributes().withSharedReceives(true));
        fixture.run();
        assertThat(refused)
                .failsWithin(java.time.Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(VerbsException.class);
        assertThat(fixture.port.attributes().sharedReceives()).isFalse();
        peer.sendNoData(1, TEST_UNIT_READY);
        fixture.run();
        assertThat(peer.nextResponse().tag()).isEqualTo(1);
    }
}
