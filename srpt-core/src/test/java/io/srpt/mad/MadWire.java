package io.srpt.mad;

import io.srpt.loop.VirtualLoop;
import io.srpt.time.Deadline;
import io.srpt.verbs.AddressHandle;
import io.srpt.verbs.AddressVector;
import io.srpt.verbs.Gid;
import io.srpt.verbs.PostResult;
import io.srpt.verbs.VerbsException;
import io.srpt.verbs.WorkCompletionStatus;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/** A simulated wire for management datagrams between ports, in virtual time, that can lose and repeat them. */
public final class MadWire {
    private static final long DELAY_NANOS = 50_000;

    private final Map<Gid, Transport> transports = new HashMap<>();
    private final List<Frame> frames = new ArrayList<>();

    /** How many copies of a frame arrive: 0 loses it. */
    private ToIntFunction<Frame> copies = frame -> 1;

    /** A datagram on its way. */
    public record Frame(long nanos, Gid source, Gid destination, byte[] mad) {
        public MadHeader header() {
            return new MadHeader().wrap(ByteBuffer.wrap(mad), 0);
        }

        public int attributeId() {
            return header().attributeId();
        }
    }

    /** Decides how many copies of each frame arrive. */
    public void copies(ToIntFunction<Frame> decision) {
        copies = decision;
    }

    /** Everything that was sent, lost frames too. */
    public List<Frame> frames() {
        return frames;
    }

    public List<Frame> frames(int attributeId) {
        return frames.stream().filter(f -> f.attributeId() == attributeId).toList();
    }

    /** A transport at {@code gid} with a pool of {@code buffers}. */
    public Transport attach(VirtualLoop loop, Gid gid, int buffers) {
        Transport transport = new Transport(loop, gid, buffers);
        transports.put(gid, transport);
        return transport;
    }

    /** Puts a hand-made datagram on the wire. */
    public void inject(Gid source, Gid destination, byte[] mad) {
        Transport to = transports.get(destination);
        transmit(new Frame(to.loop.nanoTime(), source, destination, mad.clone()));
    }

    private void transmit(Frame frame) {
        frames.add(frame);
        Transport to = transports.get(frame.destination);
        if (to == null) {
            return;
        }
        for (int i = copies.applyAsInt(frame); i > 0; i--) {
            Deadline arrival = new Deadline() {
                @Override
                protected void onDeadline() {
                    to.arrive(frame);
                }
            };
            to.loop.execute(() -> to.loop.schedule(arrival, frame.nanos + DELAY_NANOS));
        }
    }

    /** One end. */
    public final class Transport implements MadTransport {
        private final VirtualLoop loop;
        private final Gid gid;
        private final MadBufferPool pool;
        private Listener listener;
        private int openHandles;
        private boolean holdSends;
        private final List<Long> heldSends = new ArrayList<>();
        private WorkCompletionStatus sendStatus = WorkCompletionStatus.SUCCESS;
        private PostResult postResult = PostResult.OK;

        Transport(VirtualLoop loop, Gid gid, int buffers) {
            this.loop = loop;
            this.gid = gid;
            pool = new MadBufferPool(FakeMemoryRegion.ofMads(buffers));
        }

        public int openHandles() {
            return openHandles;
        }

        /** Sends go out, but complete only on {@link #completeHeldSends()}. */
        public void holdSends() {
            holdSends = true;
        }

        public void completeHeldSends() {
            holdSends = false;
            List<Long> tokens = List.copyOf(heldSends);
            heldSends.clear();
            tokens.forEach(token -> listener.onSendCompletion(token, FakeCompletion.send(token, sendStatus)));
        }

        public void completeSendsWith(WorkCompletionStatus status) {
            sendStatus = status;
        }

        public void answerPostsWith(PostResult result) {
            postResult = result;
        }

        @Override
        public MadBufferPool pool() {
            return pool;
        }

        @Override
        public void start(Listener newListener) {
            listener = newListener;
        }

        @Override
        public AddressHandle createAddressHandle(AddressVector vector) throws VerbsException {
            if (vector.destination().isZero()) {
                throw new VerbsException("no path to the zero GID");
            }
            openHandles++;
            return new AddressHandle() {
                private boolean open = true;

                @Override
                public AddressVector vector() {
                    return vector;
                }

                @Override
                public void close() {
                    if (!open) {
                        throw new AssertionError("address handle closed twice");
                    }
                    open = false;
                    openHandles--;
                }
            };
        }

        @Override
        public PostResult send(MadBuffer buffer, AddressHandle handle, int remoteQueuePair, int pkeyIndex) {
            if (postResult != PostResult.OK) {
                return postResult;
            }
            byte[] mad = new byte[MadHeader.MAD_LENGTH];
            buffer.buffer().get(MadBuffer.MAD_OFFSET, mad);
            long token = buffer.token();
            if (holdSends) {
                heldSends.add(token);
            } else {
                loop.execute(() -> listener.onSendCompletion(token, FakeCompletion.send(token, sendStatus)));
            }
            transmit(new Frame(loop.nanoTime(), gid, handle.vector().destination(), mad));
            return PostResult.OK;
        }

        @Override
        public void close() {}

        private void arrive(Frame frame) {
            MadBuffer buffer = pool.acquire();
            if (buffer == null) {
                listener.onReceiveDropped(MadDropReason.POOL_EMPTY);
                return;
            }
            buffer.buffer().put(MadBuffer.MAD_OFFSET, frame.mad);
            listener.onReceive(buffer, FakeCompletion.receive(buffer.token(), MadBuffer.LENGTH, frame.source, 0));
        }
    }
}
