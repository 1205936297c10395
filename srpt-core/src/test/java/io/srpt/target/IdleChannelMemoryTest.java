package io.srpt.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.MemoryInUse;
import io.srpt.srp.LoginRequest;
import io.srpt.srp.PortId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a channel costs of which the initiator has looked at the disk and wants nothing more. */
class IdleChannelMemoryTest {
    private static final int CHANNELS = 200;
    private static final int WARM = 10;
    private static final int COMMANDS = 8;

    private WireTarget target;

    @AfterEach
    void leavesNothingBehind() {
        target.closeAndCheck();
    }

    /** Receives of its own are 132 of 9 KiB. */
    @ParameterizedTest
    @CsvSource({"true, 65536", "false, 1376256"})
    void isSmall(boolean sharedReceives, long limit) throws Exception {
        target = new WireTarget(
                TargetFixture.config().sharedReceives(sharedReceives).build(), 1024);
        WireInitiator peer = target.initiator();
        logIn(peer, WARM);
        long heap = MemoryInUse.heapBytes();
        long direct = MemoryInUse.directBytes();

        logIn(peer, CHANNELS);
        long heapEach = (MemoryInUse.heapBytes() - heap) / CHANNELS;
        long directEach = (MemoryInUse.directBytes() - direct) / CHANNELS;
        System.out.println("IdleChannelMemoryTest: " + heapEach + " bytes on the heap and " + directEach
                + " beside it a channel, receives " + (sharedReceives ? "shared" : "of its own"));

        assertThat(target.channels()).isEqualTo(WARM + CHANNELS);
        assertThat(heapEach + directEach).isLessThan(limit);
    }

    private void logIn(WireInitiator peer, int channels) {
        for (int i = 0; i < channels; i++) {
            peer.id++;
            peer.queuePair++;
            peer.logIn(new LoginRequest(
                    0, 8260, 6, 0, 0, new PortId(peer.id, 1), new PortId(WireTarget.GUID, WireTarget.GUID)));
            for (int tag = 1; tag <= COMMANDS; tag++) {
                peer.sendRead(tag, TargetFixture.read10(0, 8), 8192, 4096);
            }
            target.settle();
            assertThat(peer.units).hasSize(COMMANDS);
            peer.units.clear();
            peer.mads.clear();
            peer.packets.clear();
        }
    }
}
