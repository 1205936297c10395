package io.srpt.store;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * System calls on file descriptors through {@code java.lang.foreign}, without an object a call. Layouts and constants are
 * those of 64-bit Linux; results are 0 or positive, or minus the error number. Any thread may call.
 *
 * <pre>
 * flock (32)   0 type  2 whence  8 start  16 length  24 pid
 * statx (256)  28 mode  40 size  48 blocks of 512  128 rdev major  132 rdev minor  152 direct memory align  156 offset align
 * </pre>
 */
final class Posix {
    static final int O_RDONLY = 0;
    static final int O_RDWR = 2;
    static final int O_CREAT = 0x40;
    static final int O_EXCL = 0x80;
    static final int O_CLOEXEC = 0x80000;
    /** Differs between architectures, as few constants do. */
    static final int O_DIRECT = "aarch64".equals(System.getProperty("os.arch")) ? 0x10000 : 0x4000;

    static final int RWF_NOWAIT = 8;
    static final int STATX_BYTES = 256;
    static final int STATX_MODE = 28;
    static final int STATX_BLOCK_SIZE = 4;
    static final int STATX_BLOCKS = 48;
    static final int STATX_RDEV_MAJOR = 128;
    static final int STATX_RDEV_MINOR = 132;
    static final int STATX_DIRECT_OFFSET_ALIGN = 156;

    private static final int STATX_BASIC_STATS_AND_DIOALIGN = 0x27FF;
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int F_OFD_SETLK = 37;
    private static final short F_RDLCK = 0;
    private static final short F_WRLCK = 1;
    private static final int MODE_0640 = 0x1A0;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final VarHandle ERRNO =
            Linker.Option.captureStateLayout().varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final ThreadLocal<MemorySegment> STATE =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(Linker.Option.captureStateLayout()));

    private static final MethodHandle OPEN = variadic("open", 2, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
    private static final MethodHandle FCNTL = variadic("fcntl", 2, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS);
    private static final MethodHandle CLOSE = function("close", JAVA_INT, JAVA_INT);
    private static final MethodHandle PREADV2 =
            function("preadv2", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle PWRITEV = function("pwritev", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG);
    private static final MethodHandle FALLOCATE =
            function("fallocate", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle FDATASYNC = function("fdatasync", JAVA_INT, JAVA_INT);
    private static final MethodHandle FSYNC = function("fsync", JAVA_INT, JAVA_INT);
    private static final MethodHandle FTRUNCATE = function("ftruncate", JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle LSEEK = function("lseek", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle STATX =
            function("statx", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS);

    private Posix() {}

    private static MethodHandle function(String name, ValueLayout result, MemoryLayout... arguments) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(result, arguments),
                Linker.Option.captureCallState("errno"));
    }

    private static MethodHandle variadic(String name, int fixed, ValueLayout result, MemoryLayout... arguments) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(result, arguments),
                Linker.Option.captureCallState("errno"),
                Linker.Option.firstVariadicArg(fixed));
    }

    private static long result(long value, MemorySegment state) {
        return value >= 0 ? value : -(int) ERRNO.get(state, 0L);
    }

    static int open(String path, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = STATE.get();
            MemorySegment name = arena.allocateFrom(path);
            return (int) result((int) OPEN.invokeExact(state, name, flags | O_CLOEXEC, MODE_0640), state);
        } catch (Throwable e) {
            throw new AssertionError("open", e);
        }
    }

    /** Locks the whole file for this open file description; {@code EAGAIN} when another one holds it. */
    static int lock(int descriptor, boolean shared) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = STATE.get();
            MemorySegment flock = arena.allocate(32, 8);
            flock.set(JAVA_SHORT, 0, shared ? F_RDLCK : F_WRLCK);
            return (int) result((int) FCNTL.invokeExact(state, descriptor, F_OFD_SETLK, flock), state);
        } catch (Throwable e) {
            throw new AssertionError("fcntl", e);
        }
    }

    static int close(int descriptor) {
        try {
            MemorySegment state = STATE.get();
            return (int) result((int) CLOSE.invokeExact(state, descriptor), state);
        } catch (Throwable e) {
            throw new AssertionError("close", e);
        }
    }

    static long preadv2(int descriptor, IoVector vector, long offset, int flags) {
        try {
            MemorySegment state = STATE.get();
            return result(
                    (long) PREADV2.invokeExact(state, descriptor, vector.entries(), vector.count(), offset, flags),
                    state);
        } catch (Throwable e) {
            throw new AssertionError("preadv2", e);
        }
    }

    static long pwritev(int descriptor, IoVector vector, long offset) {
        try {
            MemorySegment state = STATE.get();
            return result(
                    (long) PWRITEV.invokeExact(state, descriptor, vector.entries(), vector.count(), offset), state);
        } catch (Throwable e) {
            throw new AssertionError("pwritev", e);
        }
    }

    static int fallocate(int descriptor, int mode, long offset, long length) {
        try {
            MemorySegment state = STATE.get();
            return (int) result((int) FALLOCATE.invokeExact(state, descriptor, mode, offset, length), state);
        } catch (Throwable e) {
            throw new AssertionError("fallocate", e);
        }
    }

    static int fdatasync(int descriptor) {
        try {
            MemorySegment state = STATE.get();
            return (int) result((int) FDATASYNC.invokeExact(state, descriptor), state);
        } catch (Throwable e) {
            throw new AssertionError("fdatasync", e);
        }
    }

    static int fsync(int descriptor) {
        try {
            MemorySegment state = STATE.get();
            return (int) result((int) FSYNC.invokeExact(state, descriptor), state);
        } catch (Throwable e) {
            throw new AssertionError("fsync", e);
        }
    }

    static int ftruncate(int descriptor, long length) {
        try {
            MemorySegment state = STATE.get();
            return (int) result((int) FTRUNCATE.invokeExact(state, descriptor, length), state);
        } catch (Throwable e) {
            throw new AssertionError("ftruncate", e);
        }
    }

    static long lseek(int descriptor, long offset, int whence) {
        try {
            MemorySegment state = STATE.get();
            return result((long) LSEEK.invokeExact(state, descriptor, offset, whence), state);
        } catch (Throwable e) {
            throw new AssertionError("lseek", e);
        }
    }

    /** Fills {@code into}, of {@link #STATX_BYTES}, for an open file. */
    static int statx(int descriptor, MemorySegment into) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = STATE.get();
            MemorySegment noName = arena.allocateFrom("");
            return (int) result(
                    (int) STATX.invokeExact(
                            state, descriptor, noName, AT_EMPTY_PATH, STATX_BASIC_STATS_AND_DIOALIGN, into),
                    state);
        } catch (Throwable e) {
            throw new AssertionError("statx", e);
        }
    }
}
