package io.srpt.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.MemoryInUse;
import io.srpt.srp.LoginRequest;
import io.srpt.srp.PortId;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a channel costs of which the initiator has looked at the disk and wants nothing more. */
class IdleChannelMemoryTest {
    private static final int CHANNELS = 200;
    private static final int LIMIT = 64 << 10;
    private static final int WARM = 10;
    private static final int COMMANDS = 8;

    private WireTarget target;

    @AfterEach
    void leavesNothingBehind() {
        target.closeAndCheck();
    }

    @ParameterizedTest
    @CsvSource({"true, 1", "true, 8", "false, 1", "false, 8"})
    void isSmall(boolean sharedReceives, int commandsAtOnce) throws Exception {
        target = new WireTarget(
                TargetFixture.config().sharedReceives(sharedReceives).build(), 1024);
        WireInitiator peer = target.initiator();
        logIn(peer, WARM, commandsAtOnce);
        long heap = MemoryInUse.heapBytes();
        long beside = residentBesideHeap();

        logIn(peer, CHANNELS, commandsAtOnce);
        long heapEach = (MemoryInUse.heapBytes() - heap) / CHANNELS;
        long besideEach = (residentBesideHeap() - beside) / CHANNELS;
        System.out.println("IdleChannelMemoryTest: " + heapEach + " bytes on the heap and " + besideEach
                + " resident beside it a channel, receives " + (sharedReceives ? "shared" : "of its own") + ", "
                + commandsAtOnce + " commands at once");

        assertThat(target.channels()).isEqualTo(WARM + CHANNELS);
        assertThat(heapEach + besideEach).isLessThan(LIMIT);
    }

    private static long residentBesideHeap() throws IOException {
        return MemoryInUse.directBytes() + MemoryInUse.sparseBytes();
    }

    private void logIn(WireInitiator peer, int channels, int commandsAtOnce) {
        for (int i = 0; i < channels; i++) {
            peer.id++;
            peer.queuePair++;
            peer.logIn(new LoginRequest(
                    0, 8260, 6, 0, 0, new PortId(peer.id, 1), new PortId(WireTarget.GUID, WireTarget.GUID)));
            for (int tag = 1; tag <= COMMANDS; tag++) {
                peer.sendRead(tag, TargetFixture.read10(0, 8), 8192, 4096);
                if (tag % commandsAtOnce == 0) {
                    target.settle();
                }
            }
            assertThat(peer.units).hasSize(COMMANDS);
            peer.units.clear();
            peer.mads.clear();
            peer.packets.clear();
        }
    }
}
