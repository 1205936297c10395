package io.srpt.disni.provider;

import io.srpt.verbs.AddressVector;
import io.srpt.verbs.Gid;
import io.srpt.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The flat records of {@code srpt_verbs.h}: sizes, offsets, and memory for them in native byte order. */
final class Records {
    /** {@code srpt_device_record}. */
    static final int DEVICE = 48;

    static final int DEVICE_VENDOR = 8;
    static final int DEVICE_PART = 12;
    static final int DEVICE_VERSION = 16;
    static final int DEVICE_REQUESTS = 20;
    static final int DEVICE_SHARED_REQUESTS = 24;
    static final int DEVICE_SEGMENTS = 28;
    static final int DEVICE_READS = 32;
    static final int DEVICE_ACK_DELAY = 36;
    static final int DEVICE_PORTS = 40;

    /** {@code srpt_port_record}. */
    static final int PORT = 16;

    static final int PORT_MTU = 4;
    static final int PORT_GIDS = 8;

    /** {@code srpt_gid_record}. */
    static final int GID = 24;

    static final int GID_INTERFACE = 16;

    /** {@code srpt_async_record}. */
    static final int ASYNC = 16;

    static final int ASYNC_PORT = 4;
    static final int ASYNC_ELEMENT = 8;

    /** {@code srpt_path}. */
    static final int PATH = 36;

    /** {@code srpt_qp_init}. */
    static final int INIT = 56;

    /** {@code srpt_send}; segments of {@link #SEGMENT} bytes follow at {@link #SEND_SEGMENTS}. */
    static final int SEND_REMOTE_ADDRESS = 8;

    static final int SEND_REMOTE_KEY = 16;
    static final int SEND_OPCODE = 20;
    static final int SEND_FLAGS = 24;
    static final int SEND_IMMEDIATE = 28;
    static final int SEND_COUNT = 32;
    static final int SEND_SEGMENTS = 40;
    static final int SEGMENT = 16;
    static final int MAX_SEGMENTS = 32;
    static final int SEND = SEND_SEGMENTS + MAX_SEGMENTS * SEGMENT;

    /** {@code srpt_cm_record}. */
    static final int EVENT_STATUS = 4;

    static final int EVENT_ID = 8;
    static final int EVENT_LISTEN_ID = 16;
    static final int EVENT_RESPONDER_RESOURCES = 36;
    static final int EVENT_INITIATOR_DEPTH = 40;
    static final int EVENT_REMOTE_QUEUE_PAIR = 52;
    static final int EVENT_LOCAL_PORT = 56;
    static final int EVENT_LOCAL_GID = 64;
    static final int EVENT_REMOTE_GID = 80;
    static final int EVENT_PRIVATE_LENGTH = 96;
    static final int EVENT_PRIVATE_DATA = 104;
    static final int EVENT = EVENT_PRIVATE_DATA + 256;

    /** {@code srpt_cm_parameters}. */
    static final int PARAMETERS_PRIVATE_LENGTH = 24;

    static final int PARAMETERS_PRIVATE_DATA = 32;
    static final int PARAMETERS = PARAMETERS_PRIVATE_DATA + 256;

    /** {@code srpt_mad_record}. */
    static final int MAD_LENGTH = 4;

    static final int MAD_QUEUE_PAIR = 8;
    static final int MAD_PKEY_INDEX = 12;
    static final int MAD_GID_INDEX = 16;
    static final int MAD_HOP_LIMIT = 20;
    static final int MAD_HAS_GRH = 24;
    static final int MAD_GID = 32;
    static final int MAD_DATA = 48;
    static final int MAD = MAD_DATA + 256;

    static final int EIO = 5;
    static final int EAGAIN = 11;
    static final int EACCES = 13;
    static final int EBUSY = 16;

    private Records() {}

    /** Zeroed memory for a record. */
    static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    /** Where the record's first byte is. */
    static long address(ByteBuffer memory) {
        return MemorySegment.ofBuffer(memory).address();
    }

    /** Reads a GID, which lies as on the wire whatever the buffer's order. */
    static Gid gid(ByteBuffer memory, int offset) {
        return new Gid(bigEndian(memory, offset), bigEndian(memory, offset + 8));
    }

    static void gid(ByteBuffer memory, int offset, Gid gid) {
        memory.putLong(offset, swap(memory, gid.high()));
        memory.putLong(offset + 8, swap(memory, gid.low()));
    }

    private static long bigEndian(ByteBuffer memory, int offset) {
        return swap(memory, memory.getLong(offset));
    }

    private static long swap(ByteBuffer memory, long value) {
        return memory.order() == ByteOrder.LITTLE_ENDIAN ? Long.reverseBytes(value) : value;
    }

    /** Fills a {@code srpt_path} whose GID table entry is {@code tableIndex} of the device. */
    static void path(ByteBuffer memory, AddressVector vector, int tableIndex, int port) {
        gid(memory, 0, vector.destination());
        memory.putInt(16, tableIndex);
        memory.putInt(20, vector.flowLabel());
        memory.putInt(24, vector.hopLimit());
        memory.putInt(28, vector.trafficClass());
        memory.putInt(32, port);
    }

    /** Throws if {@code result} is minus an error number. */
    static long check(long result, String what) throws VerbsException {
        if (result < 0) {
            throw new VerbsException(what + " failed: error " + -result);
        }
        return result;
    }
}
