package io.srpt.roce;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.loop.VirtualLoop;
import io.srpt.roce.net.SimulatedNetwork;
import io.srpt.verbs.Access;
import io.srpt.verbs.AddressVector;
import io.srpt.verbs.CompletionQueue;
import io.srpt.verbs.Gid;
import io.srpt.verbs.MemoryRegion;
import io.srpt.verbs.PostResult;
import io.srpt.verbs.ProtectionDomain;
import io.srpt.verbs.QueuePair;
import io.srpt.verbs.QueuePairEventListener;
import io.srpt.verbs.QueuePairInit;
import io.srpt.verbs.ReceiveWorkRequest;
import io.srpt.verbs.SendWorkRequest;
import io.srpt.verbs.VerbsException;
import io.srpt.verbs.WorkCompletion;
import io.srpt.verbs.WorkCompletionOpcode;
import io.srpt.verbs.WorkCompletionStatus;
import io.srpt.verbs.WorkRequestOpcode;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Two devices on a simulated network in virtual time, with a reliable connection between them and a random workload in both
 * directions. All that happens follows from the seed.
 */
final class ReliableConnectionSimulation {
    private static final int[] MTUS = {256, 512, 1024, 2048, 4096};
    private static final int RECEIVES = 16;
    private static final int SENDS = 16;
    private static final long TIME_LIMIT_NANOS = TimeUnit.MINUTES.toNanos(30);

    private final VirtualLoop loop = VirtualLoop.create("simulation");
    private final SplittableRandom random;
    private final SimulatedNetwork network;
    private static final int ANY_PSN = -1;

    private final int firstPsn;
    private final int maxMessage;
    private final int mtu;
    private final Side left;
    private final Side right;

    ReliableConnectionSimulation(long seed, int maxMessage, SimulatedNetwork network) throws VerbsException {
        this(seed, maxMessage, network, ANY_PSN);
    }

    /** With the first PSN of both sides. */
    ReliableConnectionSimulation(long seed, int maxMessage, SimulatedNetwork network, int firstPsn)
            throws VerbsException {
        this.maxMessage = maxMessage;
        this.firstPsn = firstPsn;
        random = new SplittableRandom(seed);
        this.network = network;
        mtu = MTUS[random.nextInt(MTUS.length)];
        left = new Side("left", Gid.parse("fd5a::1"));
        right = new Side("right", Gid.parse(random.nextBoolean() ? "fd5a::2" : "fd5a::3"));
        left.connectTo(right);
        right.connectTo(left);
    }

    Side left() {
        return left;
    }

    Side right() {
        return right;
    }

    SimulatedNetwork network() {
        return network;
    }

    VirtualLoop loop() {
        return loop;
    }

    /** Runs {@code operations} random operations from each side to their end, within half an hour of virtual time. */
    void run(int operations) {
        run(operations, TIME_LIMIT_NANOS);
    }

    void run(int operations, long limitNanos) {
        left.toDo = operations;
        right.toDo = operations;
        long deadline = loop.nanoTime() + limitNanos;
        while (!(left.isDone() && right.isDone()) && loop.nanoTime() < deadline && !left.failed && !right.failed) {
            loop.execute(left::post);
            loop.execute(right::post);
            loop.advance(random.nextLong(1_000, 200_000));
        }
        loop.advance(TimeUnit.SECONDS.toNanos(1));
    }

    boolean isDone() {
        return left.isDone() && right.isDone();
    }

    private int randomPsn() {
        return random.nextInt(4) == 0 ? 0xFFFFF0 + random.nextInt(16) : random.nextInt(1 << 24);
    }

    /** One end of the connection. */
    final class Side {
        final RoceDevice device;
        final ProtectionDomain domain;
        final QueuePair queuePair;
        final MemoryRegion sendMemory;
        final MemoryRegion receiveMemory;
        final MemoryRegion remoteMemory;
        final Queue<Long> expectedCompletions = new ArrayDeque<>();
        final Queue<byte[]> expectedMessages = new ArrayDeque<>();
        final List<Runnable> atCompletion = new ArrayList<>();
        final SendWorkRequest request = new SendWorkRequest(4);
        final ReceiveWorkRequest receive = new ReceiveWorkRequest(1);
        final int initialPsn = firstPsn == ANY_PSN ? randomPsn() : firstPsn;
        final int maxReads = 1 + random.nextInt(4);
        final List<String> errors = new ArrayList<>();
        int toDo;
        int posted;
        int completed;
        int received;
        boolean failed;
        Side peer = this;

        Side(String name, Gid gid) throws VerbsException {
            device = RoceDevice.open(
                    loop, RoceConfiguration.of(name, gid.low(), 4096), List.of(network.newPort(gid, loop)));
            domain = device.allocateProtectionDomain();
            CompletionQueue queue = device.createCompletionQueue(loop, 256, this::onCompletion);
            queuePair = domain.createQueuePair(QueuePairInit.connected(queue, SENDS, RECEIVES, 4, this::onEvent));
            sendMemory = domain.register(ByteBuffer.allocateDirect(SENDS * maxMessage), Access.LOCAL_WRITE);
            receiveMemory = domain.register(ByteBuffer.allocateDirect(RECEIVES * maxMessage), Access.LOCAL_WRITE);
            remoteMemory = domain.register(
                    ByteBuffer.allocateDirect(SENDS * maxMessage),
                    Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE);
        }

        void connectTo(Side other) throws VerbsException {
            peer = other;
            queuePair.modifyToInit(QueuePair.InitAttributes.connected(Access.REMOTE_READ | Access.REMOTE_WRITE));
            for (int i = 0; i < RECEIVES; i++) {
                postReceive(i);
            }
            queuePair.modifyToRtr(new QueuePair.RtrAttributes(
                    AddressVector.to(0, other.device.port().gids().getFirst()),
                    mtu,
                    other.queuePair.number(),
                    other.initialPsn,
                    other.maxReads,
                    12));
            queuePair.modifyToRts(new QueuePair.RtsAttributes(initialPsn, 17, 7, 7, maxReads));
        }

        private void onEvent(QueuePair ignored, QueuePairEventListener.Event event) {
            failed |= event == QueuePairEventListener.Event.FATAL;
        }

        void postReceive(int slot) {
            receive.reset(slot)
                    .segment(receiveMemory.address() + (long) slot * maxMessage, maxMessage, receiveMemory.localKey());
            assertThat(queuePair.postReceive(receive)).isEqualTo(PostResult.OK);
        }

        boolean isDone() {
            return toDo == 0 && completed == posted && expectedMessages.isEmpty() && expectedCompletions.isEmpty();
        }

        void post() {
            int burst = random.nextInt(8);
            while (toDo > 0 && burst-- > 0 && posted - completed < SENDS && queuePair.freeSendSlots() > 0 && !failed) {
                postOne();
            }
        }

        private void postOne() {
            int slot = posted % SENDS;
            int length = switch (random.nextInt(4)) {
                case 0 -> random.nextInt(9);
                case 1 -> mtu * (1 + random.nextInt(3));
                default -> random.nextInt(maxMessage);
            };
            length = Math.min(length, maxMessage);
            byte[] content = new byte[length];
            random.nextBytes(content);
            int base = slot * maxMessage;
            long id = posted;
            switch (random.nextInt(3)) {
                case 0 -> {
                    sendMemory.buffer().put(base, content);
                    request.reset(WorkRequestOpcode.SEND, id);
                    peer.expectedMessages.add(content);
                    atCompletion.add(() -> {});
                }
                case 1 -> {
                    sendMemory.buffer().put(base, content);
                    request.reset(WorkRequestOpcode.RDMA_WRITE, id)
                            .remote(peer.remoteMemory.address() + base, peer.remoteMemory.remoteKey());
                    atCompletion.add(() -> check("write " + id, peer.remoteMemory, base, content));
                }
                default -> {
                    // What a READ fetches must not change under it: the peer's memory of this slot is written by us
                    // only.
                    peer.remoteMemory.buffer().put(base, content);
                    request.reset(WorkRequestOpcode.RDMA_READ, id)
                            .remote(peer.remoteMemory.address() + base, peer.remoteMemory.remoteKey());
                    atCompletion.add(() -> check("read " + id, sendMemory, base, content));
                }
            }
            request.flags(SendWorkRequest.SIGNALED);
            int cut = length == 0 ? 0 : random.nextInt(length);
            request.segment(sendMemory.address() + base, cut, sendMemory.localKey());
            request.segment(sendMemory.address() + base + cut, length - cut, sendMemory.localKey());
            assertThat(queuePair.postSend(request)).isEqualTo(PostResult.OK);
            expectedCompletions.add(id);
            posted++;
            toDo--;
        }

        private void check(String what, MemoryRegion region, int index, byte[] content) {
            byte[] actual = new byte[content.length];
            region.buffer().get(index, actual);
            if (!java.util.Arrays.equals(actual, content)) {
                errors.add(device.name() + ": " + what + " has other bytes");
            }
        }

        private void onCompletion(WorkCompletion completion) {
            if (completion.status() != WorkCompletionStatus.SUCCESS) {
                failed = true;
                return;
            }
            if (completion.opcode() == WorkCompletionOpcode.RECEIVE) {
                onReceived(completion);
                return;
            }
            Long expected = expectedCompletions.poll();
            if (expected == null || expected != completion.wrId()) {
                errors.add(device.name() + ": completion of " + completion.wrId() + " instead of " + expected);
            }
            completed++;
            atCompletion.removeFirst().run();
        }

        private void onReceived(WorkCompletion completion) {
            byte[] expected = expectedMessages.poll();
            int slot = (int) completion.wrId();
            if (expected == null || expected.length != completion.byteLength()) {
                errors.add(device.name() + ": received " + completion.byteLength() + " bytes unexpectedly");
                return;
            }
            check("message " + received, receiveMemory, slot * maxMessage, expected);
            received++;
            postReceive(slot);
        }
    }
}
