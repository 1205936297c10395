package io.srpt.scsi;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** What WRITE BUFFER has left for READ BUFFER; one a unit, made at its first use. Owner loop only. */
final class EchoBuffer {
    /** Bytes that it holds at most. */
    static final int CAPACITY = 4096;

    private ByteBuffer data = ByteBuffer.allocate(0);
    private @Nullable Nexus owner;

    void put(Nexus by, ByteBuffer written) {
        owner = by;
        data = written;
    }

    ByteBuffer data() {
        return data;
    }

    /** Whether {@code nexus} is the one that has written what is there. */
    boolean isOf(Nexus nexus) {
        return owner == nexus;
    }

    boolean isEmpty() {
        return owner == null;
    }
}
