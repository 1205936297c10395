package io.srpt.store;

/** The error numbers of Linux that stores tell apart, and what each means for a disk. */
final class Errno {
    static final int EPERM = 1;
    static final int ENOENT = 2;
    static final int EINTR = 4;
    static final int EIO = 5;
    static final int ENXIO = 6;
    static final int EAGAIN = 11;
    static final int ENOMEM = 12;
    static final int EACCES = 13;
    static final int EBUSY = 16;
    static final int ENODEV = 19;
    static final int EINVAL = 22;
    static final int EFBIG = 27;
    static final int ENOSPC = 28;
    static final int EROFS = 30;
    static final int ENODATA = 61;
    static final int EBADMSG = 74;
    static final int EILSEQ = 84;
    static final int EOPNOTSUPP = 95;
    static final int ENOBUFS = 105;
    static final int ESHUTDOWN = 108;
    static final int ETIMEDOUT = 110;
    static final int ESTALE = 116;
    static final int EUCLEAN = 117;
    static final int EREMOTEIO = 121;
    static final int EDQUOT = 122;
    static final int ENOMEDIUM = 123;

    private Errno() {}

    /** What the failure of a read, or of a change, is to the caller of a store. */
    static StoreStatus status(boolean read, int errno) {
        return switch (errno) {
            case EIO, ENODATA, EBADMSG, EILSEQ, EUCLEAN, EREMOTEIO, ETIMEDOUT ->
                read ? StoreStatus.READ_ERROR : StoreStatus.WRITE_ERROR;
            case ENOSPC, EDQUOT, EFBIG -> StoreStatus.NO_SPACE;
            case EROFS, EPERM, EACCES -> StoreStatus.WRITE_PROTECTED;
            case ENXIO, ENODEV, ENOMEDIUM, ESHUTDOWN, ESTALE -> StoreStatus.NOT_READY;
            case ENOMEM, ENOBUFS, EAGAIN, EBUSY -> StoreStatus.BUSY;
            case EOPNOTSUPP -> StoreStatus.NOT_SUPPORTED;
            default -> StoreStatus.INTERNAL_ERROR;
        };
    }

    /** For the operator. */
    static String text(int errno) {
        return switch (errno) {
            case EPERM -> "operation not permitted";
            case ENOENT -> "no such file or folder";
            case EIO -> "input/output error";
            case ENXIO -> "no such device or address";
            case ENOMEM -> "out of memory";
            case EACCES -> "permission denied";
            case EBUSY -> "device or resource busy";
            case ENODEV -> "no such device";
            case EINVAL -> "invalid argument";
            case EFBIG -> "file too large for its file system";
            case ENOSPC -> "no space left on device";
            case EROFS -> "read-only file system";
            case EOPNOTSUPP -> "not supported";
            case ESTALE -> "stale file handle";
            case EDQUOT -> "disk quota exceeded";
            case ENOMEDIUM -> "no medium";
            default -> "error number " + errno;
        };
    }
}
