package io.srpt.store;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * What the operator asked for: {@code memory:SIZE} or {@code file:PATH[:SIZE]}, as written on the command line.
 *
 * <p>The part after the last colon of a file's text is its size when it reads as one ({@link ByteSize}); a path that ends
 * so needs an explicit size behind it.
 */
public sealed interface StoreSpec {
    /** A disk in memory of {@code size} bytes. */
    record Memory(long size) implements StoreSpec {
        @Override
        public String identity() {
            return "memory";
        }

        @Override
        public BlockStore open(StoreThreads threads, boolean readOnly) throws StoreException {
            return MemoryStore.open(size, readOnly);
        }
    }

    /** A disk in a file; {@code size} 0 means the size that the file has. */
    record File(Path path, long size) implements StoreSpec {
        @Override
        public String identity() {
            return "file:" + path.toAbsolutePath().normalize();
        }

        @Override
        public BlockStore open(StoreThreads threads, boolean readOnly) throws StoreException {
            return FileStore.open(path, size, readOnly, threads);
        }
    }

    /** What stays the same when the target is restarted, for deriving a serial number. */
    String identity();

    /** Opens the store; {@code threads} does the blocking I/O of those that need it. */
    default BlockStore open(StoreThreads threads) throws StoreException {
        return open(threads, false);
    }

    /** The same; with {@code readOnly} it takes no writes. */
    BlockStore open(StoreThreads threads, boolean readOnly) throws StoreException;

    /**
     * Reads the operator's text.
     *
     * @throws StoreException with a message that says what is wrong with it and what would be right
     */
    static StoreSpec parse(String text) throws StoreException {
        int colon = text.indexOf(':');
        String kind = colon < 0 ? text : text.substring(0, colon).toLowerCase(Locale.ROOT);
        String rest = colon < 0 ? "" : text.substring(colon + 1);
        return switch (kind) {
            case "memory" -> new Memory(size(text, rest));
            case "file" -> file(text, rest);
            default ->
                throw new StoreException("LUN '" + text + "': unknown kind of store '" + kind
                        + "'; write memory:SIZE or file:PATH[:SIZE], such as memory:64MiB");
        };
    }

    private static StoreSpec file(String text, String rest) throws StoreException {
        int colon = rest.lastIndexOf(':');
        String tail = colon < 0 ? "" : rest.substring(colon + 1);
        boolean sized = ByteSize.parse(tail).isPresent();
        if (!sized && colon >= 0 && !tail.contains("/")) {
            throw new StoreException(
                    "LUN '" + text + "': '" + tail + "' is no size; write one such as 10GiB behind the last"
                            + " colon, or leave it out to use the file as it is");
        }
        String path = sized ? rest.substring(0, colon) : rest;
        if (path.isEmpty()) {
            throw new StoreException("LUN '" + text + "': the path is missing; write file:PATH[:SIZE]");
        }
        try {
            return new File(Path.of(path), sized ? size(text, tail) : 0);
        } catch (InvalidPathException e) {
            throw new StoreException("LUN '" + text + "': '" + path + "' is no path: " + e.getReason(), e);
        }
    }

    private static long size(String text, String size) throws StoreException {
        OptionalLong bytes = ByteSize.parse(size);
        if (bytes.isEmpty() || bytes.getAsLong() <= 0) {
            throw new StoreException(
                    "LUN '" + text + "': '" + size + "' is no size; write a positive one such as 64MiB or 10GiB");
        }
        return bytes.getAsLong();
    }
}
