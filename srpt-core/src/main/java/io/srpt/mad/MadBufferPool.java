package io.srpt.mad;

import io.srpt.counter.Counter;
import io.srpt.verbs.Access;
import io.srpt.verbs.MemoryRegion;
import io.srpt.verbs.ProtectionDomain;
import io.srpt.verbs.VerbsException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number of registered {@link MadBuffer}s. A pool that is empty is the back pressure of the MAD layer: the next
 * datagram that comes is dropped and counted, as unreliable datagrams allow.
 *
 * <p>Each use of a buffer has a token. Releasing a token twice, or one that is stale, does nothing and is counted.
 *
 * <p>Threads: the port's loop; counters from anywhere.
 */
public final class MadBufferPool implements AutoCloseable {
    private final MemoryRegion region;
    private final MadBuffer[] buffers;
    private final int[] free;
    private int freeCount;
    private final Counter inUse = new Counter();
    private final Counter exhausted = new Counter();
    private final Counter staleReleases = new Counter();

    /** Allocates memory for {@code count} buffers and registers it with {@code domain}. */
    public static MadBufferPool allocate(ProtectionDomain domain, int count) throws VerbsException {
        ByteBuffer memory = ByteBuffer.allocateDirect(Math.multiplyExact(count, MadBuffer.LENGTH));
        return new MadBufferPool(domain.register(memory, Access.LOCAL_WRITE));
    }

    /** Divides {@code region}, which {@link #close()} closes, into buffers. */
    public MadBufferPool(MemoryRegion region) {
        this.region = region;
        int count = Math.toIntExact(region.length() / MadBuffer.LENGTH);
        buffers = new MadBuffer[count];
        free = new int[count];
        for (int i = 0; i < count; i++) {
            int offset = i * MadBuffer.LENGTH;
            ByteBuffer slot = region.buffer().slice(offset, MadBuffer.LENGTH);
            buffers[i] = new MadBuffer(slot, region.address() + offset, region.localKey(), i);
            free[i] = count - 1 - i;
        }
        freeCount = count;
    }

    /** Takes a buffer, with whatever bytes it had before; {@code null}, and counted, if none is free. */
    public @Nullable MadBuffer acquire() {
        if (freeCount == 0) {
            exhausted.increment();
            return null;
        }
        MadBuffer buffer = buffers[free[--freeCount]];
        buffer.take();
        inUse.increment();
        return buffer;
    }

    /** Gives back the buffer that {@code token} names. False, and counted, if that was done before. */
    public boolean release(long token) {
        MadBuffer buffer = find(token);
        if (buffer == null) {
            staleReleases.increment();
            return false;
        }
        buffer.giveBack();
        free[freeCount++] = buffer.index();
        inUse.decrement();
        return true;
    }

    /** The buffer in use that {@code token} names, {@code null} if the token is stale. */
    public @Nullable MadBuffer find(long token) {
        int index = (int) token;
        if (index < 0 || index >= buffers.length) {
            return null;
        }
        MadBuffer buffer = buffers[index];
        return buffer.isInUse() && buffer.token() == token ? buffer : null;
    }

    /** Buffers in all. */
    public int capacity() {
        return buffers.length;
    }

    /** Gauge: buffers in use, those posted for receives included. */
    public Counter inUse() {
        return inUse;
    }

    /** How often {@link #acquire()} found none. */
    public Counter exhausted() {
        return exhausted;
    }

    /** How often a token was released that was not in use. */
    public Counter staleReleases() {
        return staleReleases;
    }

    /** Deregisters the memory. No work that uses it may be posted. */
    @Override
    public void close() {
        region.close();
    }
}
