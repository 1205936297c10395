package io.srpt.store;

/**
 * Makes ranges of a file or device zero, in the cheapest way that it has: by a hole, by a note of the file system that the
 * range is zero, or by writing zeros. Pool threads only.
 */
final class FileRange {
    private final FileStore store;
    private final FileCalls calls;
    private final IoVector vector;
    private final int unit;

    /** @param vector lent for the writes */
    FileRange(FileStore store, IoVector vector) {
        this.store = store;
        this.calls = store.calls();
        this.vector = vector;
        this.unit = store.medium().rangeUnit();
    }

    StoreStatus unmap(long offset, long length) {
        return change(
                FileOperation.Kind.UNMAP, FileCalls.FALLOC_PUNCH_HOLE | FileCalls.FALLOC_KEEP_SIZE, offset, length);
    }

    StoreStatus zero(long offset, long length) {
        return change(
                FileOperation.Kind.ZERO, FileCalls.FALLOC_ZERO_RANGE | FileCalls.FALLOC_KEEP_SIZE, offset, length);
    }

    /** Whole units by {@code fallocate}, what is beside them by writes. */
    private StoreStatus change(FileOperation.Kind kind, int mode, long offset, long length) {
        long end = offset + length;
        long first = offset + unit - 1 & -unit;
        long last = end & -unit;
        if (first >= last) {
            return write(offset, end);
        }
        StoreStatus status = write(offset, first);
        if (status == StoreStatus.OK) {
            status = allocate(kind, mode, first, last);
        }
        return status == StoreStatus.OK ? write(last, end) : status;
    }

    private StoreStatus allocate(FileOperation.Kind kind, int mode, long from, long to) {
        long result = -Errno.EINTR;
        while (result == -Errno.EINTR) {
            result = calls.fallocate(mode, from, to - from);
        }
        if (result >= 0) {
            return StoreStatus.OK;
        }
        boolean unsupported = result == -Errno.EOPNOTSUPP || result == -Errno.EINVAL || result == -Errno.ENODEV;
        if (!unsupported) {
            return store.failed(kind, (int) -result, from);
        }
        return kind == FileOperation.Kind.UNMAP ? zero(from, to - from) : write(from, to);
    }

    private StoreStatus write(long from, long to) {
        for (long at = from; at < to; ) {
            vector.fillZeros(to - at);
            long result = calls.pwritev(vector, at);
            if (result > 0) {
                at += result;
            } else if (result != -Errno.EINTR) {
                return store.failed(FileOperation.Kind.ZERO, result == 0 ? Errno.EIO : (int) -result, at);
            }
        }
        return StoreStatus.OK;
    }
}
