package io.srpt.store;

import io.srpt.durable.DurableFile;
import io.srpt.durable.NioFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link DurableFile} that is changed by the threads of the stores.
 *
 * <p>Threads: any may call; of {@link #replace} and {@link #delete} one at a time.
 */
public final class StateFile {
    private static final Logger LOG = LoggerFactory.getLogger(StateFile.class);

    private final Path path;
    private final DurableFile file;
    private final StoreThreads threads;

    private StateFile(Path path, DurableFile file, StoreThreads threads) {
        this.path = path;
        this.file = file;
        this.threads = threads;
    }

    /**
     * The file {@code name} in {@code folder}, which is made when there is something to write. The work is done by
     * {@code threads}.
     *
     * @throws StoreException if the folder cannot be used
     */
    public static StateFile in(Path folder, String name, StoreThreads threads) throws StoreException {
        NioFolder calls = new NioFolder(folder);
        Path existing = calls.existing();
        if (!Files.isDirectory(existing) || !Files.isWritable(existing)) {
            throw new StoreException("Nothing can be kept in " + folder + ": " + existing
                    + " is not a folder that can be written to; check who owns it");
        }
        return new StateFile(folder.toAbsolutePath().resolve(name), new DurableFile(calls, name), threads);
    }

    /** What it holds, null if it is not there. May block. */
    public byte @Nullable [] read() throws StoreException {
        try {
            return file.read();
        } catch (IOException e) {
            throw new StoreException(path + " cannot be read: " + e, e);
        }
    }

    /** Replaces the content; with OK it is durable. Never blocks; BUSY when the threads have too much to do. */
    public void replace(byte[] content, StoreCompletion done) {
        start(() -> file.replace(content), done);
    }

    /** Removes the file; with OK it is durably gone. Never blocks. */
    public void delete(StoreCompletion done) {
        start(file::delete, done);
    }

    /** Work that may fail. */
    private interface Work {
        void run() throws IOException;
    }

    private void start(Work work, StoreCompletion done) {
        boolean taken = threads.offer(() -> {
            StoreStatus status = StoreStatus.OK;
            try {
                work.run();
            } catch (IOException | RuntimeException e) {
                LOG.error("{} cannot be changed: {}", path, e.toString());
                status = StoreStatus.INTERNAL_ERROR;
            }
            done.onStoreDone(status, 0);
        });
        if (!taken) {
            done.onStoreDone(StoreStatus.BUSY, 0);
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
