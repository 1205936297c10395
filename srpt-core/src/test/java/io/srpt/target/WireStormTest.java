package io.srpt.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.MemoryInUse;
import io.srpt.TestProfile;
import io.srpt.roce.cm.CmMads;
import io.srpt.srp.LoginRequest;
import io.srpt.srp.PortId;
import io.srpt.verbs.DeviceResources;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Logins without end on the wire, refused and accepted: nothing grows. */
class WireStormTest {
    private static final int REFUSED = TestProfile.count(5_000, 100_000);
    private static final int ACCEPTED = TestProfile.count(500, 10_000);

    /** Measuring is not exact to the byte; an object for each login would be seen. */
    private static final long HEAP_NOISE = 32 << 10;

    private static final int ROUNDS = 4;
    private static final int INITIATORS = 8;

    private final WireTarget target;

    WireStormTest() throws Exception {
        target = new WireTarget(TargetFixture.config().sendQueueSize(64).build(), 1024);
    }

    @AfterEach
    void leavesNothingBehind() {
        target.closeAndCheck();
    }

    /** What is held once TimeWait is over: objects of the device, of the target, of the process, and reachable bytes. */
    private record Held(DeviceResources device, long chunks, long threads, long armed, long heap) {}

    private Held held() {
        target.pass(Duration.ofMinutes(3));
        TargetCounters counters = target.port.counters();
        assertThat(counters.channelsInUse.get()).isZero();
        assertThat(counters.nexusesInUse.get()).isZero();
        assertThat(counters.commandsInUse.get()).isZero();
        assertThat(counters.creditsInUse.get()).isZero();
        return new Held(
                target.device.resources(),
                counters.chunksInUse.get(),
                ManagementFactory.getThreadMXBean().getThreadCount(),
                target.loop.clock().armedDeadlines(),
                MemoryInUse.heapBytes());
    }

    /** Does {@code load} until the heap did not grow by it: a leak grows each time, what else the process does does not. */
    private void assertFlat(Runnable load) {
        long growth = Long.MAX_VALUE;
        Held before = held();
        for (int round = 0; round < ROUNDS && growth >= HEAP_NOISE; round++) {
            load.run();
            Held after = held();
            assertThat(after.device).isEqualTo(before.device);
            assertThat(after.chunks).isEqualTo(before.chunks);
            assertThat(after.armed).isEqualTo(before.armed);
            assertThat(after.threads).isLessThanOrEqualTo(before.threads);
            growth = after.heap - before.heap;
            before = after;
        }
        assertThat(growth).as("bytes on the heap").isLessThan(HEAP_NOISE);
    }

    @Test
    @Tag("pitfall-94")
    void refusedLoginsOfEverNewInitiatorsLeaveNothing() {
        WireInitiator peer = target.initiator();
        refuse(peer, REFUSED / 5);
        assertFlat(() -> refuse(peer, REFUSED));
        assertThat(target.port.counters().loginsAccepted.get()).isZero();
    }

    private void refuse(WireInitiator peer, int count) {
        for (int i = 0; i < count; i++) {
            target.allowed = i % 4 == 3;
            PortId initiator = new PortId(peer.id, ~peer.id);
            PortId wanted = i % 4 == 1 ? new PortId(1, 2) : new PortId(WireTarget.GUID, WireTarget.GUID);
            int length = i % 4 == 2 ? 8277 : i % 4 == 3 ? 63 : 8260;
            peer.id++;
            peer.queuePair = 0x100 + (peer.queuePair + 1) % 0xF0_0000;
            peer.ask(new LoginRequest(i, length, 6, 0, 0, initiator, wanted));
            assertThat(CmMads.rejReason(peer.lastMad(CmMads.REJ))).isEqualTo(28);
            peer.mads.clear();
        }
    }

    @Test
    @Tag("pitfall-95")
    void loginsWithLogoutLeaveNothing() {
        WireInitiator peer = target.initiator();
        comeAndGo(peer, ACCEPTED / 5);
        assertFlat(() -> comeAndGo(peer, ACCEPTED));
        assertThat(target.port.counters().loginsAccepted.get()).isGreaterThanOrEqualTo(ACCEPTED / 5 + ACCEPTED);
    }

    private void comeAndGo(WireInitiator peer, int count) {
        for (int i = 0; i < count; i++) {
            peer.id++;
            peer.queuePair = 0x100 + (peer.queuePair + 1) % 0xF0_0000;
            peer.logIn(new LoginRequest(
                    0,
                    8260,
                    6,
                    LoginRequest.IMMEDIATE_DATA,
                    68,
                    new PortId(i % INITIATORS, 1),
                    new PortId(WireTarget.GUID, WireTarget.GUID)));
            peer.sendWrite(1, TargetFixture.write10(0, 8), 0, 4096);
            peer.sendImmediate(2, TargetFixture.write10(8, 1), new byte[512]);
            peer.sendRead(3, TargetFixture.read10(0, 8), 8192, 4096);
            target.settle();
            assertThat(peer.units).hasSize(3);
            peer.units.clear();
            peer.disconnect();
            assertThat(peer.mads(CmMads.DREP)).hasSize(1);
            peer.mads.clear();
            peer.packets.clear();
        }
    }

    /** The port is disabled for ten minutes; the initiator tries every ten seconds, as {@code ib_srp} does. */
    @Test
    @Tag("pitfall-91")
    void aPortThatIsDisabledForLongHoldsNothing() {
        WireInitiator peer = target.initiator().logIn(WireTarget.login(0));
        target.port.disable();
        target.settle();
        byte[] dreq = peer.lastMad(CmMads.DREQ);
        peer.sendMad(CmMads.answer(CmMads.DREP, CmMads.remoteId(dreq), CmMads.localId(dreq)));
        tryEveryTenSeconds(peer, 6);
        assertFlat(() -> tryEveryTenSeconds(peer, 60));
        target.port.enable();
        target.settle();
        peer.id++;
        peer.queuePair++;
        peer.logIn(WireTarget.login(0));
        peer.disconnect();
    }

    private void tryEveryTenSeconds(WireInitiator peer, int times) {
        for (int i = 0; i < times; i++) {
            peer.id++;
            peer.queuePair++;
            peer.ask(WireTarget.login(0));
            assertThat(CmMads.rejReason(peer.lastMad(CmMads.REJ))).isEqualTo(28);
            peer.mads.clear();
            peer.packets.clear();
            target.pass(Duration.ofSeconds(10));
        }
    }
}
