package io.srpt.roce;

import io.srpt.verbs.AddressHandle;
import io.srpt.verbs.AddressVector;
import io.srpt.verbs.MemoryRegion;
import io.srpt.verbs.ProtectionDomain;
import io.srpt.verbs.QueuePair;
import io.srpt.verbs.QueuePairInit;
import io.srpt.verbs.QueuePairType;
import io.srpt.verbs.RdmaLoop;
import io.srpt.verbs.ScatterGatherList;
import io.srpt.verbs.SharedReceiveQueue;
import io.srpt.verbs.VerbsException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Protection domain of the software provider. */
final class RoceProtectionDomain implements ProtectionDomain {
    private final RoceDevice device;
    private final RoceMemoryRegion emptyRegion;

    RoceProtectionDomain(RoceDevice device) {
        this.device = device;
        this.emptyRegion = new RoceMemoryRegion(this, ByteBuffer.allocateDirect(0), 0, 0);
    }

    MemoryTable memory() {
        return device.memory();
    }

    /** The region of piece {@code index} of {@code list}, null if it is not registered memory of this domain with {@code right}. */
    @Nullable
    RoceMemoryRegion local(ScatterGatherList list, int index, int right) {
        RoceMemoryRegion region = memory().find(this, list.localKey(index));
        return region != null && region.allows(right) && region.covers(list.address(index), list.length(index))
                ? region
                : null;
    }

    /** Stands for the memory of an RDMA READ of no bytes, which names none. */
    RoceMemoryRegion emptyRegion() {
        return emptyRegion;
    }

    @Override
    public MemoryRegion register(ByteBuffer buffer, int access) throws VerbsException {
        if (!buffer.isDirect() || buffer.isReadOnly()) {
            throw new VerbsException("only writable direct memory can be registered");
        }
        return memory().add(this, buffer, access);
    }

    @Override
    public QueuePair createQueuePair(QueuePairInit init) throws VerbsException {
        if (init.type() == QueuePairType.GSI) {
            throw new VerbsException("QP1 belongs to the port, which serves its MADs itself");
        }
        return device.port().createQueuePair(this, init);
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(RdmaLoop loop, int maxRequests, int maxSegments) {
        return new ReceiveQueue(this, maxRequests, maxSegments, true);
    }

    @Override
    public AddressHandle createAddressHandle(AddressVector vector) throws VerbsException {
        if (vector.sourceGidIndex() < 0
                || vector.sourceGidIndex() >= device.port().gids().size()) {
            throw new VerbsException("no GID index " + vector.sourceGidIndex() + " on " + device.name());
        }
        return new RoceAddressHandle(vector, device.counters());
    }

    @Override
    public void close() {}
}
