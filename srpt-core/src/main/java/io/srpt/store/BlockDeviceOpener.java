package io.srpt.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Opens a block device for a {@link FileStore}. May block.
 *
 * <p>Space is given back with {@code fallocate}, which the kernel turns into WRITE ZEROES with unmap, and not with the
 * ioctl {@code BLKDISCARD}: after a discard a device may still return the old bytes, and an unmapped range has to be zero.
 */
final class BlockDeviceOpener {
    private static final int S_IFMT = 0xF000;
    private static final int S_IFBLK = 0x6000;

    private final Path path;
    private final StoreOptions options;

    BlockDeviceOpener(Path path, StoreOptions options) {
        this.path = path;
        this.options = options;
    }

    FileMedium open() throws StoreException {
        checkKind();
        String name = "block:" + path;
        DescriptorOpener opener = new DescriptorOpener(name, options);
        NativeFile file = opener.open(path, options.readOnly() ? 0 : Posix.O_EXCL);
        long size = file.lseek(0, FileCalls.SEEK_END);
        if (size <= 0) {
            file.close();
            throw new StoreException(
                    name + " has no medium" + (size < 0 ? ": " + Errno.text((int) -size) : "") + "; attach one first");
        }
        Path queue = queue(opener.deviceNumber());
        int logical = (int) number(queue, "logical_block_size", 512);
        int physical = (int) Math.max(number(queue, "physical_block_size", logical), logical);
        int granularity = (int) Math.max(number(queue, "discard_granularity", physical), logical);
        boolean thin = number(queue, "discard_max_bytes", 0) > 0 && number(queue, "write_zeroes_max_bytes", 0) > 0;
        return new FileMedium(
                file,
                name,
                path,
                size,
                true,
                physical,
                Integer.highestOneBit(granularity),
                thin,
                options.direct(),
                logical);
    }

    private void checkKind() throws StoreException {
        try {
            int mode = (int) Files.getAttribute(path, "unix:mode");
            if ((mode & S_IFMT) != S_IFBLK) {
                throw new StoreException("block:" + path + " is not a block device; write file:" + path
                        + " if it is a file, or correct the path");
            }
        } catch (IOException e) {
            throw new StoreException(
                    "block:" + path + " cannot be looked at: " + e.getMessage() + "; check the path", e);
        }
    }

    /** Of a whole disk; a partition has its disk's. */
    private static Path queue(String number) {
        Path own = Path.of("/sys/dev/block", number, "queue");
        return Files.isDirectory(own) ? own : Path.of("/sys/dev/block", number).resolve("../queue");
    }

    private static long number(Path queue, String name, long otherwise) {
        try {
            return Long.parseLong(Files.readString(queue.resolve(name)).strip());
        } catch (IOException | NumberFormatException e) {
            return otherwise;
        }
    }
}
