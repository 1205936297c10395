package io.srpt.target;

import io.srpt.memory.NativeMemory;
import io.srpt.verbs.Access;
import io.srpt.verbs.MemoryRegion;
import io.srpt.verbs.ProtectionDomain;
import io.srpt.verbs.VerbsException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The registered memory of one channel: its receive ring, unless its receives are shared, and its response buffers. A port
 * keeps those of ended channels for the next login, since registrations are dear.
 */
final class ChannelBuffers {
    private final @Nullable ReceiveRing receives;
    private final MemoryRegion responses;
    private final ChannelLimits limits;

    private ChannelBuffers(@Nullable ReceiveRing receives, MemoryRegion responses, ChannelLimits limits) {
        this.receives = receives;
        this.responses = responses;
        this.limits = limits;
    }

    /** Allocates and registers; all or nothing. */
    static ChannelBuffers allocate(ProtectionDomain protectionDomain, ChannelLimits limits, TargetCounters counters)
            throws VerbsException {
        ReceiveRing receives = limits.sharedReceives()
                ? null
                : receiveRing(protectionDomain, limits.receives(), limits.requestLength(), false, counters);
        try {
            ByteBuffer memory = memory((limits.contexts() + ResponseBuffers.OWN_UNITS) * limits.responseLength());
            MemoryRegion responses = protectionDomain.register(memory, Access.LOCAL_WRITE);
            return new ChannelBuffers(receives, responses, limits);
        } catch (VerbsException | RuntimeException e) {
            if (receives != null) {
                receives.close();
            }
            throw e;
        }
    }

    /** Allocates and registers receive buffers. */
    static ReceiveRing receiveRing(
            ProtectionDomain protectionDomain, int slots, int unitLength, boolean shared, TargetCounters counters)
            throws VerbsException {
        ByteBuffer memory = memory(ReceiveRing.bytesFor(slots, unitLength));
        MemoryRegion region = protectionDomain.register(memory, Access.LOCAL_WRITE);
        return new ReceiveRing(region, slots, unitLength, shared, counters);
    }

    /**
     * Whole pages, since immediate data is written to files from where it lies, with O_DIRECT, too; and none of them resident before
     * it is used, or registered with a device that pins it.
     */
    private static ByteBuffer memory(int length) throws VerbsException {
        try {
            return NativeMemory.sparse(length);
        } catch (OutOfMemoryError e) {
            throw new VerbsException("no memory for the buffers of a channel", e);
        }
    }

    /** The channel's own receives, null if it shares those of the port. */
    @Nullable
    ReceiveRing receives() {
        return receives;
    }

    /** What they were made for. */
    ChannelLimits limits() {
        return limits;
    }

    /** The memory of all response buffers. */
    ByteBuffer responseBuffer() {
        return responses.buffer();
    }

    /** Where in {@link #responseBuffer()} that of a context begins. */
    int responseOffset(int context) {
        return context * limits.responseLength();
    }

    long responseAddress(int context) {
        return responses.address() + responseOffset(context);
    }

    int responseKey() {
        return responses.localKey();
    }

    void close() {
        if (receives != null) {
            receives.close();
        }
        responses.close();
    }
}
