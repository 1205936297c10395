package io.srpt.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small file that is replaced as a whole, durably, and so that whatever happens the old or the new content is there.
 *
 * <pre>
 *   write .NAME.tmp ─▶ fsync it ─▶ rename it to NAME ─▶ fsync the folder ─▶ done
 * </pre>
 *
 * <p>Threads: any may call; of {@link #replace} and {@link #delete} one at a time.
 */
public final class StateFile {
    private static final Logger LOG = LoggerFactory.getLogger(StateFile.class);

    private final Path folder;
    private final Path file;
    private final Path temporary;
    private final StoreThreads threads;
    private final FolderCalls calls;

    StateFile(Path folder, String name, StoreThreads threads, FolderCalls calls) {
        this.folder = folder.toAbsolutePath();
        this.file = this.folder.resolve(name);
        this.temporary = this.folder.resolve("." + name + ".tmp");
        this.threads = threads;
        this.calls = calls;
    }

    /**
     * The file {@code name} in {@code folder}, which is made when there is something to write. The work is done by
     * {@code threads}.
     *
     * @throws StoreException if the folder cannot be used
     */
    public static StateFile in(Path folder, String name, StoreThreads threads) throws StoreException {
        StateFile state = new StateFile(folder, name, threads, FolderCalls.ofSystem());
        Path existing = existing(state.folder);
        if (!Files.isDirectory(existing) || !Files.isWritable(existing)) {
            throw new StoreException("Nothing can be kept in " + folder + ": " + existing
                    + " is not a folder that can be written to; check who owns it");
        }
        return state;
    }

    /** The lowest of {@code folder} and those above it that is there, as whatever. */
    static Path existing(Path folder) {
        Path existing = folder;
        for (Path up = folder; up != null; up = up.getParent()) {
            existing = up;
            if (Files.exists(up)) {
                break;
            }
        }
        return existing;
    }

    /** What it holds, null if it is not there. May block. */
    public byte @Nullable [] read() throws StoreException {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            throw new StoreException(file + " cannot be read: " + e, e);
        }
    }

    /** Replaces the content; with OK it is durable. Never blocks; BUSY when the threads have too much to do. */
    public void replace(byte[] content, StoreCompletion done) {
        start(() -> replaceNow(content), done);
    }

    /** Removes the file; with OK it is durably gone. Never blocks. */
    public void delete(StoreCompletion done) {
        start(this::deleteNow, done);
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
                LOG.error("{} cannot be changed: {}", file, e.toString());
                status = StoreStatus.INTERNAL_ERROR;
            }
            done.onStoreDone(status, 0);
        });
        if (!taken) {
            done.onStoreDone(StoreStatus.BUSY, 0);
        }
    }

    void replaceNow(byte[] content) throws IOException {
        calls.makeFolder(folder);
        calls.write(temporary, content);
        calls.sync(temporary);
        calls.rename(temporary, file);
        calls.syncFolder(folder);
    }

    void deleteNow() throws IOException {
        calls.delete(file);
        calls.syncFolder(folder);
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
