package io.srpt.mad;

import io.srpt.verbs.MemoryRegion;
import java.nio.ByteBuffer;

/** Memory that counts as registered; addresses are offsets. */
public record FakeMemoryRegion(ByteBuffer buffer) implements MemoryRegion {
    public static FakeMemoryRegion ofMads(int count) {
        return new FakeMemoryRegion(ByteBuffer.allocateDirect(count * MadBuffer.LENGTH));
    }

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
