package io.srpt.store;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * An open file or block device of Linux.
 *
 * <p>With direct I/O there are two open file descriptions: transfers whose memory, length and place are aligned go past
 * the page cache, the others through it. The kernel keeps both views equal.
 */
final class NativeFile implements FileCalls {
    static final int NONE = -1;

    private final Path path;
    private final int descriptor;
    private final int directDescriptor;
    private final int directAlignment;

    /**
     * Takes over the descriptors.
     *
     * @param path of the file
     * @param directDescriptor one opened with {@code O_DIRECT}, or {@link #NONE}
     * @param directAlignment a power of two that memory, length and offset of direct I/O are multiples of
     */
    NativeFile(Path path, int descriptor, int directDescriptor, int directAlignment) {
        this.path = path.toAbsolutePath();
        this.descriptor = descriptor;
        this.directDescriptor = directDescriptor;
        this.directAlignment = directAlignment;
    }

    private int descriptorFor(IoVector vector, long offset) {
        return directDescriptor != NONE && (offset & directAlignment - 1) == 0 && vector.isAligned(directAlignment)
                ? directDescriptor
                : descriptor;
    }

    @Override
    public long preadv(IoVector vector, long offset, boolean nowait) {
        return Posix.preadv2(descriptorFor(vector, offset), vector, offset, nowait ? Posix.RWF_NOWAIT : 0);
    }

    @Override
    public long pwritev(IoVector vector, long offset) {
        return Posix.pwritev(descriptorFor(vector, offset), vector, offset);
    }

    @Override
    public long fallocate(int mode, long offset, long length) {
        return Posix.fallocate(descriptor, mode, offset, length);
    }

    @Override
    public long fdatasync() {
        return Posix.fdatasync(descriptor);
    }

    @Override
    public long syncFolder() {
        Path folder = path.getParent();
        int opened = folder == null ? -Errno.ENOENT : Posix.open(folder.toString(), Posix.O_RDONLY);
        if (opened < 0) {
            return opened;
        }
        int result = Posix.fsync(opened);
        Posix.close(opened);
        return result;
    }

    @Override
    public long ftruncate(long length) {
        return Posix.ftruncate(descriptor, length);
    }

    @Override
    public long lseek(long offset, int whence) {
        return Posix.lseek(descriptor, offset, whence);
    }

    @Override
    public long allocatedBytes() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment statx = arena.allocate(Posix.STATX_BYTES, 8);
            int result = Posix.statx(descriptor, statx);
            return result < 0 ? result : statx.get(JAVA_LONG, Posix.STATX_BLOCKS) * 512;
        }
    }

    @Override
    public void close() {
        if (directDescriptor != NONE) {
            Posix.close(directDescriptor);
        }
        Posix.close(descriptor);
    }
}
