package io.srpt.reactor;

import io.srpt.mad.MadAddress;
import io.srpt.mad.MadBuffer;
import io.srpt.mad.MadBufferPool;
import io.srpt.mad.MadHeader;
import io.srpt.mad.MadTransport;
import io.srpt.verbs.AddressHandle;
import io.srpt.verbs.AddressVector;
import io.srpt.verbs.Gid;
import io.srpt.verbs.MemoryRegion;
import io.srpt.verbs.PostResult;
import io.srpt.verbs.WorkCompletion;
import io.srpt.verbs.WorkCompletionOpcode;
import io.srpt.verbs.WorkCompletionStatus;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** A transport for management datagrams whose completions and receives a test makes by hand. */
final class FakeMadTransport implements MadTransport {
    static final Gid PEER = Gid.parse("192.0.2.9");

    private final MadBufferPool pool;
    private final ArrayDeque<Long> posted = new ArrayDeque<>();
    private @Nullable Listener listener;
    int openHandles;
    int doubleCloses;

    FakeMadTransport(int buffers) {
        pool = new MadBufferPool(new Memory(ByteBuffer.allocateDirect(buffers * MadBuffer.LENGTH)));
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
    public AddressHandle createAddressHandle(AddressVector vector) {
        openHandles++;
        return new Handle(vector);
    }

    @Override
    public PostResult send(MadBuffer buffer, AddressHandle handle, int remoteQueuePair, int pkeyIndex) {
        posted.add(buffer.token());
        return PostResult.OK;
    }

    @Override
    public void close() {
        listener = null;
        posted.clear();
        pool.close();
    }

    int posted() {
        return posted.size();
    }

    /** The oldest send ends. False if there is none. */
    boolean completeNext(WorkCompletionStatus status) {
        Long token = posted.poll();
        if (token == null || listener == null) {
            return false;
        }
        listener.onSendCompletion(token, new Completion(token, status, WorkCompletionOpcode.SEND));
        return true;
    }

    /** A datagram comes. False if no buffer is free for it. */
    boolean receive(int managementClass, int classVersion, int method, int attributeId, long transactionId) {
        MadBuffer buffer = listener == null ? null : pool.acquire();
        if (buffer == null) {
            return false;
        }
        buffer.clear();
        new MadHeader()
                .wrap(buffer.buffer(), MadBuffer.MAD_OFFSET)
                .baseVersion(MadHeader.BASE_VERSION)
                .managementClass(managementClass)
                .classVersion(classVersion)
                .method(method)
                .attributeId(attributeId)
                .transactionId(transactionId);
        listener.onReceive(
                buffer, new Completion(buffer.token(), WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.RECEIVE));
        return true;
    }

    private final class Handle implements AddressHandle {
        private final AddressVector vector;
        private boolean closed;

        Handle(AddressVector vector) {
            this.vector = vector;
        }

        @Override
        public AddressVector vector() {
            return vector;
        }

        @Override
        public void close() {
            if (closed) {
                doubleCloses++;
            } else {
                closed = true;
                openHandles--;
            }
        }
    }

    private record Memory(ByteBuffer buffer) implements MemoryRegion {
        @Override
        public long address() {
            return 0;
        }

        @Override
        public long length() {
            return buffer.capacity();
        }

        @Override
        public int localKey() {
            return 1;
        }

        @Override
        public int remoteKey() {
            return 2;
        }

        @Override
        public void close() {}
    }

    private record Completion(long wrId, WorkCompletionStatus status, WorkCompletionOpcode opcode)
            implements WorkCompletion {
        @Override
        public int vendorError() {
            return 0;
        }

        @Override
        public int byteLength() {
            return MadBuffer.LENGTH;
        }

        @Override
        public int queuePairNumber() {
            return MadAddress.GENERAL_SERVICES;
        }

        @Override
        public int immediate() {
            return 0;
        }

        @Override
        public boolean hasImmediate() {
            return false;
        }

        @Override
        public int invalidatedKey() {
            return 0;
        }

        @Override
        public int sourceQueuePair() {
            return MadAddress.GENERAL_SERVICES;
        }

        @Override
        public Gid sourceGid() {
            return PEER;
        }

        @Override
        public int destinationGidIndex() {
            return 0;
        }

        @Override
        public int pkeyIndex() {
            return 0;
        }
    }
}
