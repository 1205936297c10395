package io.srpt.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.scsi.DeviceServer;
import io.srpt.scsi.LogicalUnit;
import io.srpt.scsi.LogicalUnitConfig;
import io.srpt.scsi.LunView;
import io.srpt.scsi.SenseData;
import io.srpt.srp.LoginRejectReason;
import io.srpt.srp.LoginRequest;
import io.srpt.srp.PortId;
import io.srpt.srp.SrpResponse;
import io.srpt.verbs.ConnectionManager;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A target with one LUN on a device in memory. */
final class TargetFixture {
    static final int RDMA_CM_PORT = 5555;
    static final long RDMA_CM_SERVICE = ConnectionManager.rdmaCmServiceId(RDMA_CM_PORT);
    static final String TEST_UNIT_READY = "00 00 00 00 00 00";

    final FakeRdma device = new FakeRdma();
    final HeldStore store = new HeldStore();
    final DeviceServer deviceServer = new DeviceServer(device.loop);
    final List<String> events = new ArrayList<>();
    final List<String> states = new ArrayList<>();
    final List<String> errors = new ArrayList<>();
    final SrptTarget target;
    final SrptPort port;
    boolean allowed = true;
    LunView view = LunView.ALL;

    /** Whether access control and event listener throw. */
    boolean failing;

    TargetFixture() {
        this(config().build());
    }

    static TargetConfig.Builder config() {
        return TargetConfig.builder(FakePeer.GUID).rdmaCmPort(RDMA_CM_PORT);
    }

    TargetFixture(TargetConfig config) {
        this(config, new FakeRdmaSettings(4096, 4));
    }

    record FakeRdmaSettings(int maxRequests, int maxSegments) {}

    TargetFixture(TargetConfig config, FakeRdmaSettings settings) {
        device.maxRequests = settings.maxRequests;
        device.maxSegments = settings.maxSegments;
        deviceServer.addLogicalUnit(0, new LogicalUnit(LogicalUnitConfig.defaults("0123456789abcdef"), store));
        target = new SrptTarget(config, deviceServer, this::admit, new Recorder());
        CompletableFuture<SrptPort> added = target.addPort(device);
        run();
        port = added.join();
        port.enable();
        run();
    }

    private AccessControl.@Nullable Grant admit(AccessControl.Initiator initiator) {
        if (failing) {
            throw new IllegalStateException("access control");
        }
        return allowed ? new AccessControl.Grant(view, "every initiator") : null;
    }

    private final class Recorder implements TargetEvents {
        @Override
        public void onLogin(ChannelInfo channel) {
            events.add("login");
        }

        @Override
        public void onLoginRejected(String name, PortId initiator, InetAddress address, LoginRejectReason reason) {
            if (failing) {
                throw new IllegalStateException("listener");
            }
            events.add("rejected " + reason);
        }

        @Override
        public void onChannelState(ChannelInfo channel, ChannelState before) {
            states.add(before + " " + channel.state());
        }

        @Override
        public void onError(String name, String message) {
            errors.add(message);
        }

        @Override
        public void onChannelReleased(ChannelInfo channel, ChannelEnd cause) {
            events.add("released " + cause);
        }
    }

    void run() {
        device.loop.runUntilIdle();
    }

    void pass(Duration time) {
        device.loop.advance(time.toNanos());
    }

    TargetCounters counters() {
        return port.counters();
    }

    FakePeer tryLogin(LoginRequest login) {
        FakePeer peer = new FakePeer(device, login).request(RDMA_CM_SERVICE);
        run();
        return peer;
    }

    /** A channel that is established and past its first unit attention. */
    FakePeer connect() {
        return connect(LoginRequest.IMMEDIATE_DATA);
    }

    FakePeer connect(int flags) {
        FakePeer peer = tryLogin(FakePeer.login(flags));
        peer.establish();
        peer.sendNoData(0, TEST_UNIT_READY);
        run();
        peer.nextResponse();
        peer.wire().wire.clear();
        return peer;
    }

    static String read10(int lba, int blocks) {
        return String.format("28 00 %08x 00 %04x 00", lba, blocks);
    }

    static String write10(int lba, int blocks) {
        return String.format("2a 00 %08x 00 %04x 00", lba, blocks);
    }

    /** Sense key, code and qualifier of a CHECK CONDITION. */
    static String sense(SrpResponse response) {
        assertThat(response.status()).isEqualTo(2);
        assertThat(response.flags() & SrpResponse.SENSE_VALID).isNotZero();
        return Objects.requireNonNull(
                        SenseData.decode(response.buffer(), response.senseOffset(), (int) response.senseLength()))
                .toString();
    }

    /** No command, chunk, receive, channel or nexus is in use, and the device holds nothing of a channel. */
    void assertNothingInUse() {
        TargetCounters counters = counters();
        assertThat(counters.channelsInUse.get()).as("channels").isZero();
        assertThat(counters.nexusesInUse.get()).as("nexuses").isZero();
        assertThat(counters.commandsInUse.get()).as("commands").isZero();
        assertThat(counters.tasksInUse.get()).as("tasks").isZero();
        assertThat(counters.chunksInUse.get()).as("chunks").isZero();
        assertThat(counters.commandsWaiting.get()).as("waiting").isZero();
        assertThat(counters.commandsStranded.get()).as("stranded").isZero();
        if (!port.limits().sharedReceives()) {
            assertThat(counters.receivesInUse.get()).as("receives").isZero();
            assertThat(device.sharedReceiveQueues).as("shared receives").isZero();
        }
        assertThat(device.queuePairs).as("queue pairs").isZero();
        assertThat(device.completionQueues).as("completion queues").isZero();
        assertThat(port.channels()).isEmpty();
    }

    /** Closes the target and checks that the device is as it was. */
    void closeAndCheck() {
        CompletableFuture<Void> closed = target.close();
        run();
        store.release();
        run();
        assertThat(closed).isCompleted();
        assertNothingInUse();
        assertThat(counters().receivesInUse.get()).isZero();
        assertThat(counters().dataBufferBytes.get()).isZero();
        assertHoldsNothing(device);
    }

    /** Nobody has anything of {@code device}, nor waits for anything on it. */
    static void assertHoldsNothing(FakeRdma device) {
        assertThat(device.queuePairs).as("queue pairs").isZero();
        assertThat(device.completionQueues).as("completion queues").isZero();
        assertThat(device.sharedReceiveQueues).as("shared receives").isZero();
        assertThat(device.regions).isEmpty();
        assertThat(device.services).isEmpty();
        assertThat(device.listeners).isEmpty();
        assertThat(device.protectionDomains).as("protection domains").isZero();
    }

    /** Serves the target on another device too, and lets logins in. */
    SrptPort addPort(FakeRdma another) {
        CompletableFuture<SrptPort> added = target.addPort(another);
        run();
        added.join().enable();
        run();
        return added.join();
    }
}
