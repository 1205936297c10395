package io.srpt.durable;

import java.io.IOException;
import java.util.List;

/**
 * The system calls that change a folder and the files in it, by name: all that a {@link DurableFile} ever does. So
 * a test can record them, make them fail, and cut the power between any two. All may block; one thread at a time.
 */
public interface Folder {
    /** Makes it and those above it where they are missing, durably. */
    void make() throws IOException;

    /** Makes a new file that its owner alone may read and write, with these bytes, not yet durably; fails if there is one. */
    void create(String name, byte[] bytes) throws IOException;

    /** Makes the bytes of a file durable. */
    void syncFile(String name) throws IOException;

    /**
     * Gives a file a second name; fails if that is taken, if others than the file's owner may read or write it, or if the file system
     * knows no second names.
     */
    void link(String name, String second) throws IOException;

    /** Gives a file another name, in the place of the file that had it. */
    void rename(String name, String to) throws IOException;

    /** Takes a name away, if it is there. */
    void delete(String name) throws IOException;

    /** Makes the names durable. */
    void sync() throws IOException;

    /** The names that begin so, sorted. */
    List<String> names(String prefix) throws IOException;

    /** Whether there is a file. */
    boolean has(String name);

    /** The bytes of a file, or {@link java.nio.file.NoSuchFileException}. */
    byte[] read(String name) throws IOException;
}
