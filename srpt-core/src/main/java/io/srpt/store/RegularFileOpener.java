package io.srpt.store;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/** Opens, creates, locks and lengthens the file of a {@link FileStore}. May block. */
final class RegularFileOpener {
    private static final int MAX_BLOCK_SIZE = 4096;

    private final Path path;
    private final long size;
    private final StoreOptions options;
    private final UnaryOperator<FileCalls> wrap;

    RegularFileOpener(Path path, long size, StoreOptions options, UnaryOperator<FileCalls> wrap) {
        this.path = path;
        this.size = size;
        this.options = options;
        this.wrap = wrap;
    }

    FileMedium open() throws StoreException {
        boolean exists = Files.exists(path);
        if (exists && !Files.isRegularFile(path)) {
            throw new StoreException("file:" + path + " is not a regular file; give the path of a file, or write block:"
                    + path + " if it is a block device");
        }
        if (!exists && (size <= 0 || options.readOnly())) {
            throw new StoreException("file:" + path + " does not exist; give a size to create it, such as file:" + path
                    + ":10GiB, or correct the path");
        }
        DescriptorOpener opener = new DescriptorOpener("file:" + path, options);
        FileCalls calls = wrap.apply(opener.open(path, options.readOnly() ? 0 : Posix.O_CREAT));
        try {
            long actual = resize(calls);
            return medium(calls, opener, actual);
        } catch (StoreException | RuntimeException e) {
            calls.close();
            throw e;
        }
    }

    private FileMedium medium(FileCalls calls, DescriptorOpener opener, long actual) {
        int unit = Math.clamp(Integer.highestOneBit(opener.blockSize()), 512, MAX_BLOCK_SIZE);
        // Behind the end there is nothing to punch; the file system says whether it could.
        long punched = options.readOnly()
                ? 0
                : calls.fallocate(FileCalls.FALLOC_PUNCH_HOLE | FileCalls.FALLOC_KEEP_SIZE, actual, unit);
        return new FileMedium(
                calls, "file:" + path, path, actual, false, unit, unit, punched >= 0, options.direct(), 1);
    }

    private long resize(FileCalls calls) throws StoreException {
        long actual = calls.lseek(0, FileCalls.SEEK_END);
        if (size <= 0 && actual == 0) {
            throw new StoreException(
                    "file:" + path + " is empty; give the size it shall have, such as file:" + path + ":10GiB");
        }
        if (size > 0 && (size < actual || options.readOnly() && size != actual)) {
            throw new StoreException(
                    "file:" + path + " has " + ByteSize.format(actual) + " and not " + ByteSize.format(size)
                            + "; leave the size out to use the file as it is, or give a larger one to grow it");
        }
        long wanted = Math.max(size, actual);
        boolean fills = !options.thin() && !options.readOnly();
        if (wanted == actual && !fills) {
            return actual;
        }
        if (wanted > actual) {
            check(calls.ftruncate(wanted), "lengthened to " + ByteSize.format(wanted));
        }
        if (fills) {
            check(calls.fallocate(0, 0, wanted), "given all of its " + ByteSize.format(wanted));
        }
        check(calls.fdatasync(), "made durable");
        // A new file is durable only once its folder is.
        check(calls.syncFolder(), "kept in its folder");
        return wanted;
    }

    private void check(long result, String what) throws StoreException {
        if (result < 0) {
            throw new StoreException("file:" + path + " cannot be " + what + ": " + Errno.text((int) -result)
                    + "; check the free space and what the file system can do");
        }
    }
}
