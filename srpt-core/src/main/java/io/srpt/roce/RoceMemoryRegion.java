package io.srpt.roce;

import io.srpt.roce.net.Datagram;
import io.srpt.verbs.Access;
import io.srpt.verbs.MemoryRegion;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Registered direct memory. One key serves both sides; the rights tell what the peer may do. */
final class RoceMemoryRegion implements MemoryRegion {
    private final RoceProtectionDomain domain;
    private final ByteBuffer buffer;
    private final ByteBuffer lent;
    private final long address;
    private final int access;
    private final int key;
    private boolean valid = true;

    RoceMemoryRegion(RoceProtectionDomain domain, ByteBuffer memory, int access, int key) {
        this.domain = domain;
        this.buffer = memory.slice(0, memory.capacity());
        this.lent = buffer.duplicate();
        this.address = MemorySegment.ofBuffer(buffer).address();
        this.access = access;
        this.key = key;
    }

    RoceProtectionDomain domain() {
        return domain;
    }

    /** The memory as {@link Datagram#lend} wants it. Its position moves while the ICRC is made: for the loop of the device only. */
    ByteBuffer lent() {
        return lent;
    }

    /** Whether it may be used: neither closed nor invalidated by the peer. */
    boolean isValid() {
        return valid;
    }

    void invalidate() {
        valid = false;
    }

    boolean allows(int right) {
        return (access & right) == right;
    }

    boolean isRemotelyAccessible() {
        return (access & (Access.REMOTE_READ | Access.REMOTE_WRITE)) != 0;
    }

    /** Whether {@code bytes} from {@code start} on lie inside; 64-bit arithmetic without overflow. */
    boolean covers(long start, long bytes) {
        long offset = start - address;
        return offset >= 0 && bytes >= 0 && offset <= length() && bytes <= length() - offset;
    }

    /** The index in {@link #buffer()} of {@code start}, which {@link #covers} has accepted. */
    int indexOf(long start) {
        return (int) (start - address);
    }

    @Override
    public long address() {
        return address;
    }

    @Override
    public long length() {
        return buffer.capacity();
    }

    @Override
    public int localKey() {
        return key;
    }

    @Override
    public int remoteKey() {
        return key;
    }

    @Override
    public ByteBuffer buffer() {
        return buffer;
    }

    @Override
    public void close() {
        if (domain.memory().remove(this)) {
            invalidate();
        }
    }
}
