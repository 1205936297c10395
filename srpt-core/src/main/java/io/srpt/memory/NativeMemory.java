package io.srpt.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;

/**
 * Anonymous memory that costs nothing where it was never touched and that can be given back page by page, which memory of
 * the JVM's allocator can not: it is zeroed, and so touched, when it is allocated. Any thread may call.
 */
public final class NativeMemory {
    public static final int PAGE_BYTES = 4096;

    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_PRIVATE_ANONYMOUS_NORESERVE = 0x4022;
    private static final int MADV_DONTNEED = 4;
    private static final int MADV_NOHUGEPAGE = 15;
    private static final long MAP_FAILED = -1;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle MMAP = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("mmap"),
            FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle MUNMAP = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("munmap"), FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle MADVISE = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("madvise"),
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));

    private NativeMemory() {}

    /** Zeroed memory of {@code bytes}, a multiple of {@link #PAGE_BYTES}, until {@code arena} is closed. */
    public static MemorySegment reserve(long bytes, Arena arena) {
        try {
            long address = (long) MMAP.invokeExact(
                    MemorySegment.NULL, bytes, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS_NORESERVE, -1, 0L);
            if (address == MAP_FAILED) {
                throw new OutOfMemoryError("mmap of " + bytes + " bytes");
            }
            return MemorySegment.ofAddress(address).reinterpret(bytes, arena, memory -> release(memory, bytes));
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("mmap", e);
        }
    }

    /**
     * A zeroed direct buffer of {@code bytes}, rounded up to whole pages, of which little may ever be touched: it becomes resident
     * by small pages, also where the system would take huge ones. Freed when nobody refers to it any more.
     */
    public static ByteBuffer sparse(int bytes) {
        MemorySegment memory = reserve((bytes + PAGE_BYTES - 1L) & -PAGE_BYTES, Arena.ofAuto());
        // A kernel without huge pages does not know this, and need not.
        boolean ignored = advise(memory, MADV_NOHUGEPAGE);
        return memory.asByteBuffer();
    }

    private static void release(MemorySegment memory, long bytes) {
        try {
            int ignored = (int) MUNMAP.invokeExact(memory, bytes);
        } catch (Throwable e) {
            throw new AssertionError("munmap", e);
        }
    }

    /**
     * Gives the pages of {@code memory} back, which read as zeros from now on; false when the kernel refused.
     *
     * @throws IllegalStateException if the arena of {@code memory} is closed
     */
    public static boolean discard(MemorySegment memory) {
        return advise(memory, MADV_DONTNEED);
    }

    private static boolean advise(MemorySegment memory, int advice) {
        try {
            return (int) MADVISE.invokeExact(memory, memory.byteSize(), advice) == 0;
        } catch (IllegalStateException e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("madvise", e);
        }
    }
}
