package io.srpt.store;

/**
 * The system calls of a {@link FileStore} on its open file: all that ever changes or reads it. So a test can record them
 * and make them fail.
 *
 * <p>Results are as the kernel gives them: 0 or positive is success, else minus the error number ({@link Errno}). All may
 * block but {@link #preadv} with {@code nowait}. Any thread may call; {@link #close()} only when no call is under way.
 */
interface FileCalls {
    int FALLOC_KEEP_SIZE = 1;
    int FALLOC_PUNCH_HOLE = 2;
    int FALLOC_ZERO_RANGE = 0x10;
    int SEEK_END = 2;
    int SEEK_DATA = 3;
    int SEEK_HOLE = 4;

    /**
     * {@code preadv2(2)}: bytes read, 0 at the end of the file.
     *
     * @param nowait {@code RWF_NOWAIT}: fails with {@code EAGAIN}, or reads less, rather than wait for the medium
     */
    long preadv(IoVector vector, long offset, boolean nowait);

    /** {@code pwritev(2)}: bytes written. */
    long pwritev(IoVector vector, long offset);

    /** {@code fallocate(2)} with the {@code FALLOC} flags of this interface. */
    long fallocate(int mode, long offset, long length);

    /** {@code fdatasync(2)}: makes all that completed before durable, and what is needed to find it again. */
    long fdatasync();

    /** {@code fsync(2)} of the folder that the file is in: makes the name of a new file durable. */
    long syncFolder();

    /** {@code ftruncate(2)}. */
    long ftruncate(long length);

    /** {@code lseek(2)} with the {@code SEEK} values of this interface. */
    long lseek(long offset, int whence);

    /** Bytes of the medium that the file occupies, by {@code statx(2)}. */
    long allocatedBytes();

    /** {@code close(2)}, which also drops the lock on the file. */
    void close();
}
