package io.srpt.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.initiator.InitiatorCommand;
import io.srpt.initiator.SrpLoginFailure;
import io.srpt.initiator.SrpSession;
import io.srpt.initiator.SrpSessionConfiguration;
import io.srpt.initiator.SrpSessionListener;
import io.srpt.initiator.SrpSessionListener.CloseReason;
import io.srpt.loop.VirtualLoop;
import io.srpt.roce.RoceConfiguration;
import io.srpt.roce.RoceDevice;
import io.srpt.roce.net.FaultSpec;
import io.srpt.roce.net.SimulatedNetwork;
import io.srpt.scsi.DeviceServer;
import io.srpt.scsi.LogicalUnit;
import io.srpt.scsi.LogicalUnitConfig;
import io.srpt.verbs.ConnectionManager;
import io.srpt.verbs.Gid;
import io.srpt.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The target and the initiator on two devices of a simulated network that loses, repeats and reorders, in virtual time. */
class TargetOverRoceTest {
    private static final Gid TARGET = Gid.parse("fd5a::1");
    private static final Gid INITIATOR = Gid.parse("fd5a::2");
    private static final long GUID = 0x0200_0000_0000_0001L;
    private static final int PORT = 5555;
    private static final int BLOCK = 512;
    private static final int BLOCKS = 4096;

    private final VirtualLoop loop = VirtualLoop.create("simulation");
    private final HeldStore store = new HeldStore();
    private final byte[] model = new byte[BLOCKS * BLOCK];
    private final boolean[] busy = new boolean[BLOCKS];
    private final List<String> failures = new ArrayList<>();
    private SimulatedNetwork network = new SimulatedNetwork(FaultSpec.NONE);
    private RoceDevice targetDevice;
    private RoceDevice initiatorDevice;
    private SrptTarget target;
    private SrptPort port;
    private @Nullable SrpSession session;
    private boolean loggedIn;
    private boolean expectLoss;
    private @Nullable CloseReason closed;
    private long regionsOfDevice;
    private int outstanding;
    private int done;

    private final class Listener implements SrpSessionListener {
        @Override
        public void onLoggedIn(SrpSession live) {
            loggedIn = true;
        }

        @Override
        public void onLoginFailed(SrpSession failed, SrpLoginFailure failure) {
            failures.add("login failed: " + failure);
        }

        @Override
        public void onClosed(SrpSession over, CloseReason reason) {
            closed = reason;
            if (reason != CloseReason.LOGOUT && !expectLoss) {
                failures.add("closed: " + reason);
            }
        }
    }

    private void open(long seed, int mtu) throws VerbsException {
        FaultSpec faults = seed == 0 ? FaultSpec.NONE : new FaultSpec(seed, 0.01, 0.005, 0.005, Duration.ZERO);
        network = new SimulatedNetwork(faults);
        targetDevice =
                RoceDevice.open(loop, RoceConfiguration.of("target", 1, mtu), List.of(network.newPort(TARGET, loop)));
        initiatorDevice = RoceDevice.open(
                loop, RoceConfiguration.of("initiator", 2, mtu), List.of(network.newPort(INITIATOR, loop)));
        regionsOfDevice = targetDevice.resources().memoryRegions();
        DeviceServer deviceServer = new DeviceServer(loop);
        deviceServer.addLogicalUnit(0, new LogicalUnit(LogicalUnitConfig.defaults("0123456789abcdef"), store));
        target = new SrptTarget(
                TargetConfig.builder(GUID).rdmaCmPort(PORT).sendQueueSize(64).build(),
                deviceServer,
                AccessControl.any(),
                new TargetEvents() {
                    @Override
                    public void onError(String name, String message) {
                        if (!expectLoss) {
                            failures.add(message);
                        }
                    }
                });
        CompletableFuture<SrptPort> added = target.addPort(targetDevice.ports().getFirst());
        loop.runUntilIdle();
        port = added.join();
        port.enable();
        loop.runUntilIdle();
    }

    private void logIn(long serviceId, boolean immediate) throws VerbsException {
        loggedIn = false;
        closed = null;
        session = SrpSession.connect(
                initiatorDevice.ports().getFirst(),
                SrpSessionConfiguration.builder()
                        .path(0, TARGET)
                        .serviceId(serviceId)
                        .initiatorPort(0, 7)
                        .targetPort(GUID, GUID)
                        .queueDepth(32)
                        .maxTransferLength(256 << 10)
                        .maxDescriptors(40)
                        .immediateData(immediate)
                        .commandTimeoutNanos(0)
                        .build(),
                new Listener());
        run(() -> loggedIn);
        clearUnitAttention();
    }

    private void work(Random random, int commands) {
        int before = done;
        for (int submitted = 0; submitted < commands && failures.isEmpty(); ) {
            if (submit(random)) {
                submitted++;
            } else {
                loop.advance(TimeUnit.MICROSECONDS.toNanos(50));
            }
        }
        run(() -> outstanding == 0);
        assertThat(done - before).isEqualTo(commands);
    }

    private void closeAndCheck() {
        loop.advance(TimeUnit.SECONDS.toNanos(1));
        TargetCounters counters = port.counters();
        assertThat(counters.channelsInUse.get()).isZero();
        assertThat(counters.chunksInUse.get()).isZero();
        assertThat(counters.commandsInUse.get()).isZero();
        CompletableFuture<Void> stopped = target.close();
        loop.advance(TimeUnit.SECONDS.toNanos(1));
        assertThat(stopped).isCompleted();
        assertThat(targetDevice.resources().memoryRegions()).isEqualTo(regionsOfDevice);
    }

    private long regionsOfChannels() {
        return targetDevice.resources().memoryRegions()
                - port.counters().dataBufferBytes.get() / (1 << 20);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    @Tag("pitfall-78")
    void keepsAllDataOnABadNetwork(long seed) throws VerbsException {
        Random random = new Random(seed);
        open(seed, 256 << random.nextInt(5));
        logIn(ConnectionManager.rdmaCmServiceId(PORT), random.nextBoolean() || seed == 0);
        work(random, 600);
        assertThat(Arrays.copyOf(store.bytes.array(), model.length)).isEqualTo(model);
        TargetCounters counters = port.counters();
        assertThat(counters.indirectCommands.get()).isPositive();
        assertThat(counters.directCommands.get()).isPositive();
        assertThat(counters.partialTableCommands.get()).isPositive();
        assertThat(counters.creditViolations.get()).isZero();
        session().logout();
        run(() -> closed == CloseReason.LOGOUT);
        closeAndCheck();
    }

    @Test
    void servesLoginAfterLoginOnBothServiceIds() throws VerbsException {
        Random random = new Random(1);
        open(0, 1024);
        long regions = -1;
        for (int i = 0; i < 40; i++) {
            logIn(i % 2 == 0 ? GUID : ConnectionManager.rdmaCmServiceId(PORT), i % 3 == 0);
            work(random, 20);
            session().logout();
            run(() -> closed == CloseReason.LOGOUT);
            run(() -> port.counters().channelsInUse.get() == 0);
            if (i == 1) {
                regions = regionsOfChannels();
            }
        }
        assertThat(regionsOfChannels()).isEqualTo(regions);
        assertThat(port.counters().loginsAccepted.get()).isEqualTo(40);
        assertThat(port.counters().immediateCommands.get()).isPositive();
        closeAndCheck();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 11, 12, 13, 14, 15})
    void theInitiatorNoticesThatThePortWasDisabled(long seed) throws VerbsException {
        Random random = new Random(seed);
        open(seed, 1024);
        logIn(GUID, true);
        expectLoss = true;
        for (int i = 0; i < 20; i++) {
            submit(random);
        }
        loop.advance(TimeUnit.MICROSECONDS.toNanos(30));
        port.disable();
        run(() -> closed != null && port.counters().channelsInUse.get() == 0);
        assertThat(outstanding).isZero();
        closeAndCheck();
    }

    @Test
    @Tag("pitfall-99")
    void aDeadNetworkEndsTheChannelOnceWorkIsOutstanding() throws VerbsException {
        Random random = new Random(5);
        open(0, 1024);
        logIn(GUID, true);
        expectLoss = true;
        store.hold = true;
        for (int i = 0; i < 20; i++) {
            submit(random);
        }
        loop.advance(TimeUnit.MILLISECONDS.toNanos(1));
        network.cut(true);
        store.release();
        store.hold = false;
        for (int i = 0; i < 300 && port.counters().channelsInUse.get() > 0; i++) {
            loop.advance(TimeUnit.SECONDS.toNanos(1));
        }
        assertThat(port.counters().channelsInUse.get()).isZero();
        assertThat(port.counters().transportErrors.get()).isEqualTo(1);
        closeAndCheck();
    }

    private SrpSession session() {
        return Objects.requireNonNull(session);
    }

    private void run(BooleanSupplier until) {
        for (int i = 0; i < 2_000_000 && !until.getAsBoolean() && failures.isEmpty(); i++) {
            loop.advance(TimeUnit.MICROSECONDS.toNanos(100));
        }
        assertThat(failures).isEmpty();
        assertThat(until.getAsBoolean()).isTrue();
    }

    private boolean submit(Random random) {
        int blocks = 1 << random.nextInt(9);
        int lba = random.nextInt(BLOCKS - blocks);
        for (int i = lba; i < lba + blocks; i++) {
            if (busy[i]) {
                return false;
            }
        }
        InitiatorCommand command = session().acquire();
        if (command == null) {
            return false;
        }
        Arrays.fill(busy, lba, lba + blocks, true);
        int length = blocks * BLOCK;
        boolean write = random.nextBoolean();
        if (write) {
            byte[] data = new byte[length];
            random.nextBytes(data);
            command.data().put(0, data);
            command.write(lba, blocks, BLOCK);
            System.arraycopy(data, 0, model, lba * BLOCK, length);
        } else {
            command.read(lba, blocks, BLOCK);
        }
        switch (random.nextInt(4)) {
            case 0 -> {
                int count = 1 + random.nextInt(40);
                command.indirect(count, random.nextInt(count + 1));
            }
            case 1 -> command.immediate();
            default -> {
                // A direct descriptor.
            }
        }
        outstanding++;
        command.submit(ended -> {
            outstanding--;
            done++;
            Arrays.fill(busy, lba, lba + blocks, false);
            if (ended.outcome() == InitiatorCommand.Outcome.SESSION_LOST && expectLoss) {
                return;
            }
            if (!ended.isGood()) {
                failures.add((write ? "write: " : "read: ") + ended.describe());
            } else if (!write) {
                byte[] data = new byte[length];
                ended.data().get(0, data);
                if (!Arrays.equals(data, Arrays.copyOfRange(model, lba * BLOCK, lba * BLOCK + length))) {
                    failures.add("wrong data at " + lba);
                }
            }
            ended.release();
        });
        return true;
    }

    /** Takes the unit attention of the first command. */
    private void clearUnitAttention() {
        InitiatorCommand command = Objects.requireNonNull(session().acquire());
        boolean[] ended = new boolean[1];
        command.cdb(new byte[6]).submit(each -> {
            ended[0] = true;
            each.release();
        });
        run(() -> ended[0]);
    }
}
