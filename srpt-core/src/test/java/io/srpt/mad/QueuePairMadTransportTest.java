package io.srpt.mad;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.loop.VirtualLoop;
import io.srpt.verbs.AddressHandle;
import io.srpt.verbs.AddressVector;
import io.srpt.verbs.CompletionListener;
import io.srpt.verbs.CompletionQueue;
import io.srpt.verbs.DeviceAttributes;
import io.srpt.verbs.DeviceEventListener;
import io.srpt.verbs.Gid;
import io.srpt.verbs.MemoryRegion;
import io.srpt.verbs.PostResult;
import io.srpt.verbs.ProtectionDomain;
import io.srpt.verbs.QueuePair;
import io.srpt.verbs.QueuePairInit;
import io.srpt.verbs.QueuePairState;
import io.srpt.verbs.QueuePairType;
import io.srpt.verbs.RdmaDevice;
import io.srpt.verbs.RdmaLoop;
import io.srpt.verbs.RdmaPort;
import io.srpt.verbs.ReceiveWorkRequest;
import io.srpt.verbs.SendWorkRequest;
import io.srpt.verbs.SharedReceiveQueue;
import io.srpt.verbs.VerbsException;
import io.srpt.verbs.WorkCompletion;
import io.srpt.verbs.WorkCompletionOpcode;
import io.srpt.verbs.WorkCompletionStatus;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class QueuePairMadTransportTest implements MadTransport.Listener {
    private static final int BUFFERS = 4;
    private static final int RECEIVES = 2;
    private static final Gid PEER = Gid.parse("192.0.2.2");

    private final VirtualLoop loop = VirtualLoop.create("mads");
    private final ScriptedDevice device = new ScriptedDevice();
    private final List<String> events = new ArrayList<>();
    private final List<MadBuffer> received = new ArrayList<>();
    private QueuePairMadTransport transport;

    @BeforeEach
    void start() throws VerbsException {
        transport = QueuePairMadTransport.create(device, device, loop, QueuePairType.GSI, BUFFERS, RECEIVES);
        transport.start(this);
    }

    @Test
    void movesTheQueuePairToRtsWithReceivesPosted() {
        assertThat(device.moves).containsExactly("INIT", "receive", "receive", "RTR", "RTS");
        assertThat(device.qKey).isEqualTo(MadAddress.QUEUE_KEY);
        assertThat(transport.pool().inUse().get()).isEqualTo(RECEIVES);
    }

    @Test
    void filledReceiveIsDeliveredAndReplacedUntilThePoolIsEmpty() {
        device.completeReceive(WorkCompletionStatus.SUCCESS, MadBuffer.LENGTH);
        device.completeReceive(WorkCompletionStatus.SUCCESS, MadBuffer.LENGTH);
        assertThat(received).hasSize(2);
        device.completeReceive(WorkCompletionStatus.SUCCESS, MadBuffer.LENGTH);
        assertThat(events).containsExactly("received", "received", "dropped POOL_EMPTY");
        assertThat(device.postedReceives).as("the same buffer waits again").hasSize(RECEIVES);
        transport.pool().release(received.getFirst().token());
        device.completeReceive(WorkCompletionStatus.SUCCESS, MadBuffer.LENGTH);
        assertThat(received).hasSize(3);
    }

    @Test
    void shortAndFailedReceivesAreDroppedAndPostedAgain() {
        device.completeReceive(WorkCompletionStatus.SUCCESS, MadBuffer.LENGTH - 1);
        device.completeReceive(WorkCompletionStatus.LOCAL_LENGTH_ERROR, 0);
        assertThat(events).containsExactly("dropped BAD_LENGTH", "dropped RECEIVE_ERROR");
        assertThat(device.postedReceives).hasSize(RECEIVES);
    }

    @Test
    void flushedReceivesGoBackToThePool() {
        device.completeReceive(WorkCompletionStatus.WORK_REQUEST_FLUSHED, 0);
        device.completeReceive(WorkCompletionStatus.WORK_REQUEST_FLUSHED, 0);
        assertThat(transport.pool().inUse().get()).isZero();
        assertThat(events).isEmpty();
    }

    @Test
    void sendCarries256BytesAndCompletesByItsToken() throws VerbsException {
        MadBuffer buffer = transport.pool().acquire();
        assertThat(buffer).isNotNull();
        AddressHandle handle = transport.createAddressHandle(AddressVector.to(0, PEER));
        assertThat(transport.send(buffer, handle, 1, 0)).isEqualTo(PostResult.OK);
        assertThat(transport.send(buffer, handle, 1, 3)).as("another P_Key").isEqualTo(PostResult.INVALID);
        assertThat(device.sent).containsExactly("256 bytes at 40 to 1");
        device.listener.onCompletion(FakeCompletion.send(device.lastSend, WorkCompletionStatus.SUCCESS));
        assertThat(events).containsExactly("sent " + buffer.token());
    }

    @Test
    void nothingIsDeliveredAfterClose() {
        long posted = device.postedReceives.getFirst();
        transport.close();
        device.listener.onCompletion(FakeCompletion.receive(posted, MadBuffer.LENGTH, PEER, 0));
        assertThat(events).isEmpty();
        assertThat(device.moves).endsWith("close queue pair", "close queue");
    }

    @Override
    public void onSendCompletion(long token, WorkCompletion completion) {
        events.add("sent " + token);
    }

    @Override
    public void onReceive(MadBuffer buffer, WorkCompletion completion) {
        events.add("received");
        received.add(buffer);
    }

    @Override
    public void onReceiveDropped(MadDropReason reason) {
        events.add("dropped " + reason);
    }

    /** Device, protection domain, queue pair and completion queue at once, moved by the test. */
    private static final class ScriptedDevice implements RdmaDevice, ProtectionDomain {
        private final List<String> moves = new ArrayList<>();
        private final List<String> sent = new ArrayList<>();
        private final List<Long> postedReceives = new ArrayList<>();
        private CompletionListener listener = completion -> {};
        private int qKey;
        private long lastSend;

        void completeReceive(WorkCompletionStatus status, int length) {
            long wrId = postedReceives.removeFirst();
            listener.onCompletion(new FakeCompletion(
                    wrId, status, WorkCompletionOpcode.RECEIVE, length, MadAddress.GENERAL_SERVICES, PEER, 0));
        }

        @Override
        public CompletionQueue createCompletionQueue(RdmaLoop onLoop, int capacity, CompletionListener toListener) {
            listener = toListener;
            return new CompletionQueue() {
                @Override
                public RdmaLoop loop() {
                    return onLoop;
                }

                @Override
                public int capacity() {
                    return capacity;
                }

                @Override
                public int poll(int max) {
                    return 0;
                }

                @Override
                public void requestNotification() {}

                @Override
                public int descriptor() {
                    return NO_DESCRIPTOR;
                }

                @Override
                public void drainNotifications() {}

                @Override
                public void close() {
                    moves.add("close queue");
                }
            };
        }

        @Override
        public QueuePair createQueuePair(QueuePairInit init) {
            return new QueuePair() {
                @Override
                public int number() {
                    return 1;
                }

                @Override
                public QueuePairType type() {
                    return init.type();
                }

                @Override
                public QueuePairState state() {
                    return QueuePairState.RTS;
                }

                @Override
                public void modifyToInit(InitAttributes attributes) {
                    qKey = attributes.qKey();
                    moves.add("INIT");
                }

                @Override
                public void modifyToRtr(RtrAttributes attributes) {
                    moves.add("RTR");
                }

                @Override
                public void modifyToRts(RtsAttributes attributes) {
                    moves.add("RTS");
                }

                @Override
                public void modifyToError() {}

                @Override
                public PostResult postSend(SendWorkRequest request) {
                    lastSend = request.wrId();
                    sent.add(request.segments().byteLength() + " bytes at "
                            + request.segments().address(0) % MadBuffer.LENGTH + " to "
                            + request.remoteQueuePair());
                    return PostResult.OK;
                }

                @Override
                public PostResult postReceive(ReceiveWorkRequest request) {
                    moves.add("receive");
                    postedReceives.add(request.wrId());
                    return PostResult.OK;
                }

                @Override
                public int freeSendSlots() {
                    return 1;
                }

                @Override
                public void close() {
                    moves.add("close queue pair");
                }
            };
        }

        @Override
        public MemoryRegion register(ByteBuffer buffer, int access) {
            return new FakeMemoryRegion(buffer);
        }

        @Override
        public AddressHandle createAddressHandle(AddressVector vector) {
            return new AddressHandle() {
                @Override
                public AddressVector vector() {
                    return vector;
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public SharedReceiveQueue createSharedReceiveQueue(RdmaLoop onLoop, int maxRequests, int maxSegments) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ProtectionDomain allocateProtectionDomain() {
            return this;
        }

        @Override
        public String name() {
            return "scripted";
        }

        @Override
        public DeviceAttributes attributes() {
            return new DeviceAttributes(1, 0, 0, 0, 16, 0, 2, 4, 15);
        }

        @Override
        public List<RdmaPort> ports() {
            return List.of();
        }

        @Override
        public void addEventListener(DeviceEventListener newListener) {}

        @Override
        public void removeEventListener(DeviceEventListener oldListener) {}

        @Override
        public void close() {}
    }
}
