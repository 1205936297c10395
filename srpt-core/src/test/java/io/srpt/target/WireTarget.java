package io.srpt.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.loop.VirtualLoop;
import io.srpt.roce.RoceConfiguration;
import io.srpt.roce.RoceDevice;
import io.srpt.roce.net.DatagramPort;
import io.srpt.roce.net.FaultSpec;
import io.srpt.roce.net.SimulatedNetwork;
import io.srpt.scsi.DeviceServer;
import io.srpt.scsi.LogicalUnit;
import io.srpt.scsi.LogicalUnitConfig;
import io.srpt.srp.LoginRequest;
import io.srpt.srp.PortId;
import io.srpt.verbs.DeviceResources;
import io.srpt.verbs.Gid;
import io.srpt.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A whole target on software RoCE, on a simulated network in virtual time, for {@link WireInitiator}s. */
final class WireTarget {
    static final long GUID = FakePeer.GUID;
    static final Gid IPV6 = Gid.parse("fd5a::1");
    static final Gid IPV4 = Gid.parse("192.0.2.1");

    final VirtualLoop loop = VirtualLoop.create("wire");
    final SimulatedNetwork network = new SimulatedNetwork(FaultSpec.NONE);
    final HeldStore store = new HeldStore();
    final RoceDevice device;
    final SrptTarget target;
    final SrptPort port;
    boolean allowed = true;
    private final DeviceResources idle;
    private int initiators;

    WireTarget() throws VerbsException {
        this(TargetFixture.config().build(), 4096);
    }

    WireTarget(TargetConfig config, int mtu) throws VerbsException {
        List<DatagramPort> addresses =
                new ArrayList<>(List.of(network.newPort(IPV6, loop), network.newPort(IPV4, loop)));
        device = RoceDevice.open(loop, RoceConfiguration.of("wire", 1, mtu), addresses);
        idle = device.resources();
        DeviceServer deviceServer = new DeviceServer(loop);
        deviceServer.addLogicalUnit(0, new LogicalUnit(LogicalUnitConfig.defaults("0123456789abcdef"), store));
        target = new SrptTarget(
                config,
                deviceServer,
                initiator -> allowed ? AccessControl.Grant.EVERYTHING : null,
                new TargetEvents() {});
        CompletableFuture<SrptPort> added = target.addPort(device.ports().getFirst());
        loop.runUntilIdle();
        port = added.join();
        port.enable();
        loop.runUntilIdle();
    }

    /** An initiator of its own address that is not logged in yet. */
    WireInitiator initiator() {
        return new WireInitiator(this, Gid.parse("fd5a::" + (20 + initiators)), IPV6);
    }

    WireInitiator ipv4Initiator() {
        return new WireInitiator(this, Gid.parse("192.0.2." + (20 + initiators)), IPV4);
    }

    /** A number for each initiator. */
    int nextInitiator() {
        return initiators++;
    }

    static LoginRequest login(int flags) {
        return new LoginRequest(7, 8260, 6, flags, 68, new PortId(0, 0x77), new PortId(GUID, GUID));
    }

    /** Time for packets to go back and forth, and for no timer. */
    void settle() {
        pass(Duration.ofMillis(1));
    }

    void pass(Duration time) {
        loop.advance(time.toNanos());
    }

    int channels() {
        return port.channels().size();
    }

    /** Nothing of any initiator is held, once TimeWait is over, and no receive was ever missing. */
    void closeAndCheck() {
        network.cut(false);
        store.hold = false;
        store.release();
        CompletableFuture<Void> closed = target.close();
        pass(Duration.ofMinutes(3));
        assertThat(closed).isCompleted();
        TargetCounters counters = port.counters();
        assertThat(counters.channelsInUse.get()).as("channels").isZero();
        assertThat(counters.nexusesInUse.get()).as("nexuses").isZero();
        assertThat(counters.commandsInUse.get()).as("commands").isZero();
        assertThat(counters.chunksInUse.get()).as("chunks").isZero();
        assertThat(counters.creditViolations.get()).as("credit violations").isZero();
        assertThat(device.resources()).as("objects of the device").isEqualTo(idle);
        assertThat(device.counters().rnrNaksSent().get()).as("receives ran out").isZero();
        device.close();
    }
}
