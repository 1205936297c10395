package io.srpt.store;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** Opens and locks what a {@link FileStore} is kept in, and finds out what it says about itself. */
final class DescriptorOpener {
    private static final int DEFAULT_DIRECT_ALIGNMENT = 4096;

    private final String name;
    private final StoreOptions options;
    private int blockSize;
    private int directAlignment;
    private int major;
    private int minor;

    /** @param name for messages */
    DescriptorOpener(String name, StoreOptions options) {
        this.name = name;
        this.options = options;
    }

    /** Opens {@code path}; {@code flags} come on top of the access mode. */
    NativeFile open(Path path, int flags) throws StoreException {
        int access = options.readOnly() ? Posix.O_RDONLY : Posix.O_RDWR;
        int descriptor = Posix.open(path.toString(), access | flags);
        if (descriptor < 0) {
            throw new StoreException(name + " cannot be opened: " + Errno.text(-descriptor) + hint(-descriptor));
        }
        try {
            lock(descriptor);
            readStatus(descriptor);
            NativeFile file = new NativeFile(path, descriptor, directDescriptor(descriptor, access), directAlignment);
            descriptor = NativeFile.NONE;
            return file;
        } finally {
            if (descriptor != NativeFile.NONE) {
                Posix.close(descriptor);
            }
        }
    }

    private static String hint(int errno) {
        return errno == Errno.EBUSY
                ? "; it is mounted or part of something else, free it first"
                : "; check the path and its permissions";
    }

    private void lock(int descriptor) throws StoreException {
        int result = Posix.lock(descriptor, options.readOnly());
        if (result == -Errno.EAGAIN || result == -Errno.EACCES) {
            throw new StoreException(name + " is in use by another disk of this or another process; give each disk its"
                    + " own file, or stop the other one");
        }
        if (result < 0) {
            throw new StoreException(name + " cannot be locked: " + Errno.text(-result)
                    + "; keep it on a file system that can lock files");
        }
    }

    private void readStatus(int descriptor) throws StoreException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment statx = arena.allocate(Posix.STATX_BYTES, 8);
            int result = Posix.statx(descriptor, statx);
            if (result < 0) {
                throw new StoreException(name + " cannot be looked at: " + Errno.text(-result));
            }
            blockSize = statx.get(JAVA_INT, Posix.STATX_BLOCK_SIZE);
            major = statx.get(JAVA_INT, Posix.STATX_RDEV_MAJOR);
            minor = statx.get(JAVA_INT, Posix.STATX_RDEV_MINOR);
            int alignment = statx.get(JAVA_INT, Posix.STATX_DIRECT_OFFSET_ALIGN);
            directAlignment = Integer.bitCount(alignment) == 1 ? Math.max(alignment, 512) : DEFAULT_DIRECT_ALIGNMENT;
        }
    }

    /** By the descriptor's own name, so that it is the same file whatever happened to the path. */
    private int directDescriptor(int descriptor, int access) throws StoreException {
        if (!options.direct()) {
            return NativeFile.NONE;
        }
        int direct = Posix.open("/proc/self/fd/" + descriptor, access | Posix.O_DIRECT);
        if (direct < 0) {
            throw new StoreException(name + " cannot be opened for direct I/O: " + Errno.text(-direct)
                    + "; leave out the option 'direct', or use a file system that has it");
        }
        return direct;
    }

    /** {@code st_blksize}. */
    int blockSize() {
        return blockSize;
    }

    /** Of a device: its number as in {@code /sys/dev/block}. */
    String deviceNumber() {
        return major + ":" + minor;
    }
}
