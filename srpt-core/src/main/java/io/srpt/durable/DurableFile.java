package io.srpt.durable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * A small file that is replaced as a whole, durably, and so that whatever happens the old or the new content is there. Its owner
 * alone may read and write it.
 *
 * <pre>
 *   write .NAME.tmp ─▶ fsync it ─▶ (keep a backup of NAME) ─▶ rename it to NAME ─▶ fsync the folder ─▶ done
 * </pre>
 *
 * <p>What a power cut leaves of {@code .NAME.tmp} the next change replaces.
 *
 * <p>Threads: any may call, and may be blocked; {@link #replace} and {@link #delete} one at a time.
 */
public final class DurableFile {
    private final Folder folder;
    private final String name;
    private final String temporary;
    private final @Nullable Backups backups;

    /** The file {@code name} in {@code folder}. */
    public DurableFile(Folder folder, String name) {
        this(folder, name, null);
    }

    private DurableFile(Folder folder, String name, @Nullable Backups backups) {
        this.folder = folder;
        this.name = name;
        this.backups = backups;
        temporary = "." + name + ".tmp";
    }

    /**
     * The file at {@code path}.
     *
     * @throws IOException if that cannot be a file
     */
    public static DurableFile at(Path path) throws IOException {
        Path absolute = path.toAbsolutePath();
        Path parent = absolute.getParent();
        if (parent == null) {
            throw new IOException(path + " is no file");
        }
        return new DurableFile(new NioFolder(parent), absolute.getFileName().toString());
    }

    /** The same file, of which {@link Backups#KEPT} older ones stay; {@code clock} gives them their names. */
    public DurableFile withBackups(InstantSource clock) {
        return new DurableFile(folder, name, new Backups(folder, name, clock));
    }

    /** What it holds, null if it is not there. */
    public byte @Nullable [] read() throws IOException {
        try {
            return folder.read(name);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** Replaces the content with a text, in UTF-8, as {@link #replace(byte[])} does. */
    public void replace(String text) throws IOException {
        replace(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Replaces the content, and makes the folder if there is none; durable when this returns.
     *
     * @throws IOException if it is as it was, or as it should be but not known to be durable
     */
    public void replace(byte[] content) throws IOException {
        folder.make();
        folder.delete(temporary);
        try {
            folder.create(temporary, content);
            folder.syncFile(temporary);
            if (backups != null) {
                backups.keep();
            }
            folder.rename(temporary, name);
        } catch (IOException e) {
            deleteTemporary(e);
            throw e;
        }
        folder.sync();
        if (backups != null) {
            backups.prune();
        }
    }

    private void deleteTemporary(IOException because) {
        try {
            folder.delete(temporary);
        } catch (IOException e) {
            because.addSuppressed(e);
        }
    }

    /** Removes the file if it is there; durably gone when this returns. */
    public void delete() throws IOException {
        folder.delete(name);
        folder.sync();
    }
}
