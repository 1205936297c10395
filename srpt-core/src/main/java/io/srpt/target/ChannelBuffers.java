package io.srpt.target;

import io.srpt.verbs.Access;
import io.srpt.verbs.MemoryRegion;
import io.srpt.verbs.ProtectionDomain;
import io.srpt.verbs.VerbsException;
import java.nio.ByteBuffer;

/**
 * The registered memory of one channel: its receive ring and one response buffer for each context, and one more for a
 * credit request. A port keeps those of ended channels for the next login, since direct memory and registrations are dear.
 */
final class ChannelBuffers {
    private static final int ALIGNMENT = 4096;

    private final ReceiveRing receives;
    private final MemoryRegion responses;
    private final int responseLength;

    private ChannelBuffers(ReceiveRing receives, MemoryRegion responses, int responseLength) {
        this.receives = receives;
        this.responses = responses;
        this.responseLength = responseLength;
    }

    /** Allocates and registers; all or nothing. */
    static ChannelBuffers allocate(ProtectionDomain protectionDomain, ChannelLimits limits) throws VerbsException {
        ByteBuffer receiveMemory = memory(ReceiveRing.bytesFor(limits.receives(), limits.requestLength()));
        ByteBuffer responseMemory = memory((limits.contexts() + 1) * limits.responseLength());
        MemoryRegion receives = protectionDomain.register(receiveMemory, Access.LOCAL_WRITE);
        try {
            MemoryRegion responses = protectionDomain.register(responseMemory, Access.LOCAL_WRITE);
            return new ChannelBuffers(
                    new ReceiveRing(receives, limits.receives(), limits.requestLength()),
                    responses,
                    limits.responseLength());
        } catch (VerbsException | RuntimeException e) {
            receives.close();
            throw e;
        }
    }

    private static ByteBuffer memory(int length) throws VerbsException {
        // An aligned slice loses what does not fill an alignment unit at its end, too.
        int rounded = (length + ALIGNMENT - 1) & -ALIGNMENT;
        try {
            return ByteBuffer.allocateDirect(rounded + ALIGNMENT).alignedSlice(ALIGNMENT);
        } catch (OutOfMemoryError e) {
            throw new VerbsException("no direct memory for the buffers of a channel", e);
        }
    }

    ReceiveRing receives() {
        return receives;
    }

    /** The memory of all response buffers. */
    ByteBuffer responseBuffer() {
        return responses.buffer();
    }

    /** Where in {@link #responseBuffer()} that of a context begins. */
    int responseOffset(int context) {
        return context * responseLength;
    }

    long responseAddress(int context) {
        return responses.address() + responseOffset(context);
    }

    int responseKey() {
        return responses.localKey();
    }

    void close() {
        receives.close();
        responses.close();
    }
}
