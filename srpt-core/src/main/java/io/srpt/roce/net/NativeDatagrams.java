package io.srpt.roce.net;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The system calls {@code recvmmsg(2)} and {@code sendmmsg(2)} through {@code java.lang.foreign}: many datagrams a call
 * and no object per datagram, which Netty's datagram channel cannot do. Layouts are those of 64-bit Linux.
 *
 * <pre>
 * mmsghdr (64)    0 name*  8 name length  16 iovec*  24 iovec count  32 control*  40 control length  48 flags  56 length
 * iovec (16)      0 base*  8 length
 * cmsghdr         0 length  8 level  12 type  16 data: UDP_SEGMENT 2 bytes, UDP_GRO 4
 * sockaddr_in     0 family  2 port (big-endian)  4 address
 * sockaddr_in6    0 family  2 port (big-endian)  4 flow  8 address  24 scope
 * </pre>
 */
final class NativeDatagrams {
    static final int HEADER_SIZE = 64;
    static final int NAME = 0;
    static final int NAME_LENGTH = 8;
    static final int IOVEC = 16;
    static final int IOVEC_COUNT = 24;
    static final int CONTROL = 32;
    static final int CONTROL_LENGTH = 40;
    static final int FLAGS = 48;
    static final int LENGTH = 56;
    static final int IOVEC_SIZE = 16;
    static final int IOVEC_LENGTH = 8;
    static final int ADDRESS_SIZE = 32;
    static final int CONTROL_LEVEL = 8;
    static final int CONTROL_TYPE = 12;
    static final int CONTROL_DATA = 16;
    /** One control message with its padding; its length field counts to the end of its data. */
    static final int CONTROL_SIZE = 24;

    static final long CONTROL_SEGMENT_LENGTH = CONTROL_DATA + 2;
    static final long CONTROL_GRO_LENGTH = CONTROL_DATA + 4;

    static final int IPPROTO_UDP = 17;
    static final int UDP_SEGMENT = 103;
    static final int UDP_GRO = 104;

    static final short AF_INET = 2;
    static final short AF_INET6 = 10;
    static final int SOCKADDR_IN_LENGTH = 16;
    static final int SOCKADDR_IN6_LENGTH = 28;
    static final int MSG_DONTWAIT = 0x40;
    static final int MSG_TRUNC = 0x20;
    static final int EAGAIN = 11;
    static final int EINTR = 4;
    static final int ENOBUFS = 105;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
    private static final MethodHandle RECVMMSG = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("recvmmsg"),
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS),
            ERRNO);
    private static final MethodHandle SENDMMSG = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("sendmmsg"),
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT),
            ERRNO);
    private static final VarHandle ERRNO_VALUE =
            Linker.Option.captureStateLayout().varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private final MemorySegment callState = Arena.ofAuto().allocate(Linker.Option.captureStateLayout());

    /** Zeroed memory in native byte order that lives as long as it is reachable. */
    static MemorySegment allocate(int bytes) {
        return MemorySegment.ofBuffer(ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder()));
    }

    /** Receives up to {@code count} datagrams without blocking; returns how many, or minus the error number. */
    int receive(int descriptor, MemorySegment headers, int count) {
        try {
            int received =
                    (int) RECVMMSG.invokeExact(callState, descriptor, headers, count, MSG_DONTWAIT, MemorySegment.NULL);
            return received >= 0 ? received : -errno();
        } catch (Throwable e) {
            throw new AssertionError("recvmmsg", e);
        }
    }

    /** Sends up to {@code count} datagrams without blocking; returns how many, or minus the error number. */
    int send(int descriptor, MemorySegment headers, int count) {
        try {
            int sent = (int) SENDMMSG.invokeExact(callState, descriptor, headers, count, MSG_DONTWAIT);
            return sent >= 0 ? sent : -errno();
        } catch (Throwable e) {
            throw new AssertionError("sendmmsg", e);
        }
    }

    private int errno() {
        return (int) ERRNO_VALUE.get(callState, 0L);
    }
}
