package io.srpt.store;

import java.nio.file.Path;

/**
 * What the operator asked for, as written on the command line: {@code memory:SIZE}, {@code file:PATH[:SIZE][,OPTION...]},
 * {@code block:/dev/NAME[,OPTION...]} or {@code null:SIZE}. {@link StoreSpecParser} tells the details.
 */
public sealed interface StoreSpec {
    /** A disk in memory of {@code size} bytes. */
    record Memory(long size, boolean readOnly) implements StoreSpec {
        public Memory(long size) {
            this(size, false);
        }

        @Override
        public String identity() {
            return "memory";
        }

        @Override
        public StoreOptions options() {
            return new StoreOptions(readOnly, false, true, false);
        }

        @Override
        public StoreSpec with(StoreOptions options) throws StoreException {
            if (options.writeCache() || options.direct() || !options.thin()) {
                throw new StoreException("a memory: store has no option but read-only; leave out write-cache, thin and"
                        + " direct, or use a file: store");
            }
            return new Memory(size, options.readOnly());
        }

        @Override
        public BlockStore open(StoreThreads threads) throws StoreException {
            return MemoryStore.open(size, readOnly);
        }
    }

    /** A disk in a file; {@code size} 0 means the size that the file has. */
    record File(Path path, long size, StoreOptions options) implements StoreSpec {
        public File(Path path, long size) {
            this(path, size, StoreOptions.DEFAULT);
        }

        @Override
        public String identity() {
            return "file:" + path.toAbsolutePath().normalize();
        }

        @Override
        public StoreSpec with(StoreOptions newOptions) {
            return new File(path, size, newOptions);
        }

        @Override
        public BlockStore open(StoreThreads threads) throws StoreException {
            return FileStore.open(path, size, options, threads);
        }
    }

    /** A disk on a block device. */
    record Device(Path path, StoreOptions options) implements StoreSpec {
        @Override
        public String identity() {
            return "block:" + path.toAbsolutePath().normalize();
        }

        @Override
        public StoreSpec with(StoreOptions newOptions) {
            return new Device(path, newOptions);
        }

        @Override
        public BlockStore open(StoreThreads threads) throws StoreException {
            return FileStore.openDevice(path, options, threads);
        }
    }

    /** A disk that keeps nothing. */
    record Null(long size) implements StoreSpec {
        private static final StoreOptions OPTIONS = new StoreOptions(false, false, true, false);

        @Override
        public String identity() {
            return "null";
        }

        @Override
        public StoreOptions options() {
            return OPTIONS;
        }

        @Override
        public StoreSpec with(StoreOptions options) throws StoreException {
            if (!options.equals(OPTIONS)) {
                throw new StoreException("a null: store has no options; leave them out");
            }
            return this;
        }

        @Override
        public BlockStore open(StoreThreads threads) {
            return new NullStore(size);
        }
    }

    /** What stays the same when the target is restarted, for deriving a serial number. */
    String identity();

    /** How it is to be opened; change them by {@link #with}. */
    StoreOptions options();

    /**
     * The same store, opened in another way.
     *
     * @throws StoreException if this kind of store cannot be opened so; the message says what it can
     */
    StoreSpec with(StoreOptions options) throws StoreException;

    /** Opens the store; {@code threads} does the blocking I/O of those that need it. */
    BlockStore open(StoreThreads threads) throws StoreException;

    /**
     * Reads the operator's text.
     *
     * @throws StoreException with a message that says what is wrong with it and what would be right
     */
    static StoreSpec parse(String text) throws StoreException {
        return StoreSpecParser.parse(text);
    }
}
