package io.srpt.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every provider of {@code io.srpt.verbs} must do, as tests. A provider's test class extends this one and says how to
 * make two ends that reach each other; the rest is written against the contract alone.
 */
public abstract class VerbsContract {
    private static final int BYTES = 8192;
    private static final int DEPTH = 16;
    private static final int Q_KEY = 0x1234;

    private End left;
    private End right;

    /** A device of this end, opened and on {@link #loop()}. Called twice: the two devices reach each other. */
    protected abstract RdmaDevice openDevice() throws VerbsException;

    /** The loop that owns both devices. */
    protected abstract RdmaLoop loop();

    /** Whether a peer's SEND with invalidate works on registered memory; devices want fast registrations for that. */
    protected boolean takesKeysOutOfUse() {
        return true;
    }

    /** Lets everything happen that follows from what was posted. */
    protected abstract void settle();

    /** Runs {@code action} on the loop. */
    protected abstract void onLoop(Action action) throws VerbsException;

    /** Something that may meet a refusal of the provider. */
    @FunctionalInterface
    protected interface Action {
        /** Runs on the loop. */
        void run() throws VerbsException;
    }

    @BeforeEach
    void openBothEnds() throws VerbsException {
        onLoop(() -> {
            left = new End(openDevice());
            right = new End(openDevice());
            left.connect(right);
            right.connect(left);
        });
    }

    @Test
    void aMessageArrivesWholeAndCompletesOnBothSides() throws VerbsException {
        onLoop(() -> {
            right.receive(1, 0, 4000);
            left.fill(0, 3000);
            left.send(WorkRequestOpcode.SEND, 7, 0, 3000);
        });
        settle();
        assertThat(left.seen).containsExactly(new Seen(7, WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.SEND));
        assertThat(right.seen).containsExactly(new Seen(1, WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.RECEIVE));
        assertThat(right.lastByteLength).isEqualTo(3000);
        right.assertEqualTo(left, 0, 3000);
    }

    @Test
    void immediateDataComesWithTheMessage() throws VerbsException {
        onLoop(() -> {
            right.receive(1, 0, 100);
            left.request
                    .reset(WorkRequestOpcode.SEND_WITH_IMMEDIATE, 1)
                    .immediate(0xCAFE)
                    .flags(SendWorkRequest.SIGNALED);
            left.post(0, 10);
        });
        settle();
        assertThat(right.lastImmediate).isEqualTo(0xCAFE);
    }

    @Test
    void sendWithInvalidateTakesTheKeyOutOfUse() throws VerbsException {
        assumeTrue(takesKeysOutOfUse(), "a peer may not invalidate a region of this provider");
        onLoop(() -> {
            right.receive(1, 0, 100);
            right.receive(2, 0, 100);
            MemoryRegion lent = right.domain.register(ByteBuffer.allocateDirect(64), Access.REMOTE_READ);
            left.request.reset(WorkRequestOpcode.SEND_WITH_INVALIDATE, 1).immediate(lent.remoteKey());
            left.post(0, 10);
            left.request
                    .reset(WorkRequestOpcode.RDMA_READ, 2)
                    .remote(lent.address(), lent.remoteKey())
                    .flags(SendWorkRequest.SIGNALED);
            left.post(0, 10);
        });
        settle();
        assertThat(right.lastInvalidated).isNotZero();
        assertThat(left.seen.getFirst().status()).isEqualTo(WorkCompletionStatus.REMOTE_ACCESS_ERROR);
    }

    @Test
    void rdmaWriteLandsWithoutTheOtherSideNoticing() throws VerbsException {
        onLoop(() -> {
            left.fill(0, 5000);
            left.request
                    .reset(WorkRequestOpcode.RDMA_WRITE, 3)
                    .remote(right.memory.address() + 100, right.memory.remoteKey())
                    .flags(SendWorkRequest.SIGNALED);
            left.post(0, 5000);
        });
        settle();
        assertThat(left.seen)
                .containsExactly(new Seen(3, WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.RDMA_WRITE));
        assertThat(right.seen).isEmpty();
        for (int i = 0; i < 5000; i++) {
            assertThat(right.memory.buffer().get(100 + i))
                    .isEqualTo(left.memory.buffer().get(i));
        }
    }

    @Test
    void rdmaWriteWithImmediateUsesUpAReceive() throws VerbsException {
        onLoop(() -> {
            right.receive(9, 0, 10);
            left.request
                    .reset(WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE, 3)
                    .remote(right.memory.address(), right.memory.remoteKey())
                    .immediate(77);
            left.post(0, 2000);
        });
        settle();
        assertThat(right.seen)
                .containsExactly(
                        new Seen(9, WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.RECEIVE_RDMA_WITH_IMMEDIATE));
        assertThat(right.lastImmediate).isEqualTo(77);
    }

    @Test
    void rdmaReadFetches() throws VerbsException {
        onLoop(() -> {
            right.fill(0, 6000);
            left.request
                    .reset(WorkRequestOpcode.RDMA_READ, 4)
                    .remote(right.memory.address(), right.memory.remoteKey())
                    .flags(SendWorkRequest.SIGNALED);
            left.post(0, 6000);
        });
        settle();
        assertThat(left.seen)
                .containsExactly(new Seen(4, WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.RDMA_READ));
        left.assertEqualTo(right, 0, 6000);
    }

    @Test
    void workWithoutSignalCompletesOnlyWhenItFails() throws VerbsException {
        onLoop(() -> {
            right.receive(1, 0, 100);
            left.request.reset(WorkRequestOpcode.SEND, 1);
            left.post(0, 10);
        });
        settle();
        assertThat(left.seen).isEmpty();
        onLoop(() -> {
            left.queuePair.modifyToError();
            left.request.reset(WorkRequestOpcode.SEND, 2);
            left.post(0, 10);
        });
        settle();
        assertThat(left.seen).extracting(Seen::status).containsOnly(WorkCompletionStatus.WORK_REQUEST_FLUSHED);
        assertThat(left.seen).extracting(Seen::wrId).contains(2L);
    }

    @Test
    void theErrorStateFlushesEverythingOnce() throws VerbsException {
        onLoop(() -> {
            for (int i = 0; i < 5; i++) {
                left.receive(100 + i, 0, 100);
            }
            left.queuePair.modifyToError();
            left.queuePair.modifyToError();
        });
        settle();
        assertThat(left.seen).extracting(Seen::wrId).containsExactly(100L, 101L, 102L, 103L, 104L);
        assertThat(left.seen).extracting(Seen::status).containsOnly(WorkCompletionStatus.WORK_REQUEST_FLUSHED);
    }

    @Test
    void receivesInAnyOrderAreUsedOnceEach() throws VerbsException {
        List<Seen> seen = new ArrayList<>();
        onLoop(() -> {
            CompletionQueue queue = right.device.createCompletionQueue(
                    loop(), 2 * DEPTH, c -> seen.add(new Seen(c.wrId(), c.status(), c.opcode())));
            QueuePair taker = right.domain.createQueuePair(new QueuePairInit(
                    QueuePairType.RC, queue, queue, null, DEPTH, DEPTH, 1, 1, QueuePairEventListener.IGNORE, true));
            QueuePair sender = left.domain.createQueuePair(
                    QueuePairInit.connected(left.queue, DEPTH, DEPTH, 1, QueuePairEventListener.IGNORE));
            End.connect(right, taker, left, sender);
            End.connect(left, sender, right, taker);
            for (int i = 0; i < 5; i++) {
                right.receive.reset(i).segment(right.memory.address(), 100, right.memory.localKey());
                assertThat(taker.postReceive(right.receive)).isEqualTo(PostResult.OK);
            }
            for (int i = 0; i < 3; i++) {
                left.request.reset(WorkRequestOpcode.SEND, i).segment(left.memory.address(), 5, left.memory.localKey());
                assertThat(sender.postSend(left.request)).isEqualTo(PostResult.OK);
            }
        });
        settle();
        assertThat(seen).extracting(Seen::status).hasSize(3).containsOnly(WorkCompletionStatus.SUCCESS);
        assertThat(seen).extracting(Seen::wrId).doesNotHaveDuplicates().isSubsetOf(0L, 1L, 2L, 3L, 4L);
    }

    @Test
    void aMessageTooLongForItsReceiveFailsOnBothSides() throws VerbsException {
        onLoop(() -> {
            right.receive(1, 0, 100);
            left.send(WorkRequestOpcode.SEND, 2, 0, 101);
        });
        settle();
        // The kernel's rxe has the second names for it.
        assertThat(right.seen.getFirst().status())
                .isIn(WorkCompletionStatus.LOCAL_LENGTH_ERROR, WorkCompletionStatus.LOCAL_QP_OPERATION_ERROR);
        assertThat(left.seen.getFirst().status())
                .isIn(WorkCompletionStatus.REMOTE_INVALID_REQUEST, WorkCompletionStatus.REMOTE_OPERATION_ERROR);
    }

    @Test
    void aFullSendQueueSaysSoAndTakesWorkAgainAfterCompletions() throws VerbsException {
        onLoop(() -> {
            for (int i = 0; i < DEPTH; i++) {
                right.receive(i, 0, 10);
                left.send(WorkRequestOpcode.SEND, i, 0, 10);
            }
            assertThat(left.queuePair.freeSendSlots()).isZero();
            left.request.reset(WorkRequestOpcode.SEND, 99);
            assertThat(left.queuePair.postSend(left.request)).isEqualTo(PostResult.QUEUE_FULL);
        });
        settle();
        assertThat(left.queuePair.freeSendSlots()).isEqualTo(DEPTH);
    }

    @Test
    void aWrongLocalKeyNeverReachesTheWire() throws VerbsException {
        PostResult[] result = {PostResult.OK};
        onLoop(() -> {
            right.receive(1, 0, 100);
            left.request
                    .reset(WorkRequestOpcode.SEND, 1)
                    .segment(left.memory.address(), 10, left.memory.localKey() + 1);
            result[0] = left.queuePair.postSend(left.request);
        });
        settle();
        assertThat(right.seen).isEmpty();
        if (result[0] == PostResult.OK) {
            // Devices look at keys when they come to the work.
            assertThat(left.seen)
                    .extracting(Seen::status)
                    .containsAnyOf(
                            WorkCompletionStatus.LOCAL_PROTECTION_ERROR, WorkCompletionStatus.LOCAL_QP_OPERATION_ERROR);
        } else {
            assertThat(result[0]).isEqualTo(PostResult.INVALID);
            assertThat(left.seen).isEmpty();
        }
    }

    @Test
    void aSharedReceiveQueueServesSeveralQueuePairs() throws VerbsException {
        List<Seen> seen = new ArrayList<>();
        onLoop(() -> {
            SharedReceiveQueue shared = right.domain.createSharedReceiveQueue(loop(), DEPTH, 1);
            for (int i = 0; i < 2; i++) {
                shared.postReceive(
                        right.receive.reset(i).segment(right.memory.address(), 100, right.memory.localKey()));
            }
            CompletionQueue queue = right.device.createCompletionQueue(
                    loop(), DEPTH, c -> seen.add(new Seen(c.wrId(), c.status(), c.opcode())));
            QueuePairInit init = new QueuePairInit(
                    QueuePairType.RC, queue, queue, shared, DEPTH, 0, 1, 1, QueuePairEventListener.IGNORE);
            for (int i = 0; i < 2; i++) {
                QueuePair taker = right.domain.createQueuePair(init);
                QueuePair sender = left.domain.createQueuePair(
                        QueuePairInit.connected(left.queue, DEPTH, DEPTH, 1, QueuePairEventListener.IGNORE));
                End.connect(right, taker, left, sender);
                End.connect(left, sender, right, taker);
                left.request.reset(WorkRequestOpcode.SEND, i).segment(left.memory.address(), 5, left.memory.localKey());
                assertThat(sender.postSend(left.request)).isEqualTo(PostResult.OK);
                assertThat(taker.postReceive(right.receive)).isEqualTo(PostResult.INVALID);
            }
        });
        settle();
        assertThat(seen)
                .extracting(Seen::status)
                .containsExactly(WorkCompletionStatus.SUCCESS, WorkCompletionStatus.SUCCESS);
        // Which queue pair takes which receive is the provider's choice.
        assertThat(seen).extracting(Seen::wrId).containsExactlyInAnyOrder(0L, 1L);
    }

    @Test
    void aDatagramCarriesItsSenderAndARouteHeader() throws VerbsException {
        List<Gid> sources = new ArrayList<>();
        onLoop(() -> {
            QueuePair to = datagramQueuePair(right, c -> sources.add(c.sourceGid()));
            QueuePair from = datagramQueuePair(left, c -> {});
            to.postReceive(right.receive.reset(1).segment(right.memory.address(), 200, right.memory.localKey()));
            left.fill(0, 100);
            AddressHandle handle = left.domain.createAddressHandle(AddressVector.to(0, right.gid()));
            left.request
                    .reset(WorkRequestOpcode.SEND, 1)
                    .datagram(handle, to.number(), Q_KEY)
                    .segment(left.memory.address(), 100, left.memory.localKey());
            assertThat(from.postSend(left.request)).isEqualTo(PostResult.OK);
        });
        settle();
        assertThat(sources).containsExactly(left.gid());
        assertThat(right.memory.buffer().get(40)).isEqualTo(left.memory.buffer().get(0));
        assertThat(right.memory.buffer().get(139))
                .isEqualTo(left.memory.buffer().get(99));
    }

    private QueuePair datagramQueuePair(End end, CompletionListener listener) throws VerbsException {
        CompletionQueue queue = end.device.createCompletionQueue(loop(), DEPTH, listener);
        QueuePair queuePair = end.domain.createQueuePair(QueuePairInit.datagram(QueuePairType.UD, queue, DEPTH, DEPTH));
        queuePair.modifyToInit(QueuePair.InitAttributes.datagram(Q_KEY));
        queuePair.modifyToRtr(QueuePair.RtrAttributes.DATAGRAM);
        queuePair.modifyToRts(QueuePair.RtsAttributes.datagram(0));
        return queuePair;
    }

    private record Seen(long wrId, WorkCompletionStatus status, WorkCompletionOpcode opcode) {}

    /** One of the two ends: a device, a connected queue pair and memory that the other may use. */
    private final class End {
        private final RdmaDevice device;
        private final ProtectionDomain domain;
        private final CompletionQueue queue;
        private final QueuePair queuePair;
        private final MemoryRegion memory;
        private final SendWorkRequest request = new SendWorkRequest(1);
        private final ReceiveWorkRequest receive = new ReceiveWorkRequest(1);
        private final List<Seen> seen = new ArrayList<>();
        private int lastByteLength;
        private int lastImmediate;
        private int lastInvalidated;

        End(RdmaDevice device) throws VerbsException {
            this.device = device;
            domain = device.allocateProtectionDomain();
            queue = device.createCompletionQueue(loop(), 4 * DEPTH, this::onCompletion);
            queuePair = domain.createQueuePair(
                    QueuePairInit.connected(queue, DEPTH, DEPTH, 1, QueuePairEventListener.IGNORE));
            memory = domain.register(
                    ByteBuffer.allocateDirect(BYTES), Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE);
        }

        private void onCompletion(WorkCompletion completion) {
            seen.add(new Seen(completion.wrId(), completion.status(), completion.opcode()));
            lastByteLength = completion.byteLength();
            lastImmediate = completion.hasImmediate() ? completion.immediate() : lastImmediate;
            lastInvalidated = completion.invalidatedKey() == 0 ? lastInvalidated : completion.invalidatedKey();
        }

        Gid gid() {
            return device.ports().getFirst().gids().getFirst();
        }

        void connect(End peer) throws VerbsException {
            connect(this, queuePair, peer, peer.queuePair);
        }

        static void connect(End self, QueuePair mine, End peer, QueuePair other) throws VerbsException {
            mine.modifyToInit(QueuePair.InitAttributes.connected(Access.REMOTE_READ | Access.REMOTE_WRITE));
            mine.modifyToRtr(new QueuePair.RtrAttributes(
                    AddressVector.to(0, peer.gid()), 1024, other.number(), other.number(), 4, 12));
            mine.modifyToRts(new QueuePair.RtsAttributes(mine.number(), 17, 7, 7, 4));
        }

        void receive(long id, int offset, int length) {
            assertThat(queuePair.postReceive(
                            receive.reset(id).segment(memory.address() + offset, length, memory.localKey())))
                    .isEqualTo(PostResult.OK);
        }

        void send(WorkRequestOpcode opcode, long id, int offset, int length) {
            request.reset(opcode, id).flags(SendWorkRequest.SIGNALED);
            post(offset, length);
        }

        void post(int offset, int length) {
            request.segment(memory.address() + offset, length, memory.localKey());
            assertThat(queuePair.postSend(request)).isEqualTo(PostResult.OK);
        }

        void fill(int offset, int length) {
            for (int i = 0; i < length; i++) {
                memory.buffer().put(offset + i, (byte) (i * 7 + 1));
            }
        }

        void assertEqualTo(End other, int offset, int length) {
            for (int i = offset; i < offset + length; i++) {
                assertThat(memory.buffer().get(i))
                        .isEqualTo(other.memory.buffer().get(i));
            }
        }
    }
}
