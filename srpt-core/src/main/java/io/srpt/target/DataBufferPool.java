package io.srpt.target;

import io.srpt.verbs.Access;
import io.srpt.verbs.MemoryRegion;
import io.srpt.verbs.ProtectionDomain;
import io.srpt.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Lends registered memory to commands, in chunks of 64 KiB. Memory is allocated when it is needed first, up to a bound, and
 * kept. Who finds the pool short waits in order and is called when its chunks are there; it gets all of them at once, so
 * that two who wait can't hold what the other one needs.
 *
 * <p>Threads: the port's loop.
 */
final class DataBufferPool {
    /** Bytes of a chunk. */
    static final int CHUNK_LENGTH = 64 << 10;

    private static final int CHUNKS_PER_SLAB = 16;
    private static final int ALIGNMENT = 4096;

    /** Somebody who needs chunks. */
    interface Waiter {
        /** How many; does not change while it waits. */
        int chunksNeeded();

        /** The chunks asked for are there: {@link #take()} them now. */
        void onChunksAvailable();

        /** They will never be there: no memory can be had. */
        void onChunksRefused();
    }

    private final ProtectionDomain protectionDomain;
    private final TargetCounters counters;
    private final List<MemoryRegion> slabs = new ArrayList<>();
    private final ArrayDeque<DataChunk> free = new ArrayDeque<>();
    private final ArrayDeque<Waiter> waiting = new ArrayDeque<>();
    private int capacity;
    private int allocated;
    private boolean serving;

    DataBufferPool(ProtectionDomain protectionDomain, long maxBytes, TargetCounters counters) {
        this.protectionDomain = protectionDomain;
        this.counters = counters;
        this.capacity = (int) Math.min(Integer.MAX_VALUE, maxBytes / CHUNK_LENGTH);
    }

    /** How many chunks hold {@code bytes}. */
    static int chunksFor(long bytes) {
        return Math.toIntExact((bytes + CHUNK_LENGTH - 1) / CHUNK_LENGTH);
    }

    /** Asks for chunks; {@code waiter} is called back, now or later. */
    void request(Waiter waiter) {
        int chunks = waiter.chunksNeeded();
        if (waiting.isEmpty() && reserve(chunks)) {
            waiter.onChunksAvailable();
        } else if (chunks > capacity) {
            waiter.onChunksRefused();
        } else {
            waiting.add(waiter);
            counters.commandsWaiting.increment();
        }
    }

    /** Takes one of the chunks that {@link Waiter#onChunksAvailable} promised. */
    DataChunk take() {
        counters.chunksInUse.increment();
        return free.pop();
    }

    /** Gives one back; others may get it within the call of {@link #serve()}. */
    void release(DataChunk chunk) {
        counters.chunksInUse.decrement();
        free.push(chunk);
    }

    /** Withdraws a request; nothing happens if it does not wait. */
    void cancel(Waiter waiter) {
        if (waiting.remove(waiter)) {
            counters.commandsWaiting.decrement();
        }
    }

    /** Serves those who wait, as far as the chunks go. Call it after chunks were released. */
    void serve() {
        if (serving) {
            return;
        }
        serving = true;
        try {
            Waiter head = waiting.peek();
            while (head != null && (reserve(head.chunksNeeded()) || head.chunksNeeded() > capacity)) {
                waiting.remove();
                counters.commandsWaiting.decrement();
                if (head.chunksNeeded() <= free.size()) {
                    head.onChunksAvailable();
                } else {
                    head.onChunksRefused();
                }
                head = waiting.peek();
            }
        } finally {
            serving = false;
        }
    }

    private boolean reserve(int chunks) {
        while (free.size() < chunks && allocated < capacity) {
            allocateSlab();
        }
        return free.size() >= chunks;
    }

    private void allocateSlab() {
        int chunks = Math.min(CHUNKS_PER_SLAB, capacity - allocated);
        try {
            ByteBuffer memory =
                    ByteBuffer.allocateDirect(chunks * CHUNK_LENGTH + ALIGNMENT).alignedSlice(ALIGNMENT);
            MemoryRegion slab = protectionDomain.register(memory, Access.LOCAL_WRITE);
            slabs.add(slab);
            for (int i = 0; i < chunks; i++) {
                int at = i * CHUNK_LENGTH;
                free.add(new DataChunk(memory.slice(at, CHUNK_LENGTH), slab.address() + at, slab.localKey()));
            }
            allocated += chunks;
            counters.dataBufferBytes.add((long) chunks * CHUNK_LENGTH);
        } catch (VerbsException | OutOfMemoryError e) {
            // What there is must do; nobody waits for more than that.
            capacity = allocated;
        }
    }

    /** Frees the memory. Nothing may be lent any more. */
    void close() {
        for (MemoryRegion slab : slabs) {
            slab.close();
        }
        slabs.clear();
        free.clear();
        counters.dataBufferBytes.add(-(long) allocated * CHUNK_LENGTH);
        allocated = 0;
        capacity = 0;
    }
}
