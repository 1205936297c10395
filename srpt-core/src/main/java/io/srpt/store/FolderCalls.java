package io.srpt.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/**
 * The system calls of a {@link StateFile}: all that ever changes it and its folder. So a test can record them, make them fail,
 * and cut the power between any two. All may block; one thread at a time.
 */
interface FolderCalls {
    /** Makes {@code folder} and those above it where they are missing, durably. */
    void makeFolder(Path folder) throws IOException;

    /** Makes {@code file} have {@code content}, whether it is there or not. */
    void write(Path file, byte[] content) throws IOException;

    /** {@code fsync(2)} of {@code file}. */
    void sync(Path file) throws IOException;

    /** {@code rename(2)}, over a file that is there. */
    void rename(Path from, Path to) throws IOException;

    /** {@code unlink(2)}, if the file is there. */
    void delete(Path file) throws IOException;

    /** {@code fsync(2)} of {@code folder}: makes durable which files are in it. */
    void syncFolder(Path folder) throws IOException;

    /** Those of the machine. */
    static FolderCalls ofSystem() {
        return new FolderCalls() {
            @Override
            public void makeFolder(Path folder) throws IOException {
                Path existing = StateFile.existing(folder);
                Files.createDirectories(folder);
                for (Path made = folder; !made.equals(existing); ) {
                    made = Objects.requireNonNull(made.getParent());
                    syncFolder(made);
                }
            }

            @Override
            public void write(Path file, byte[] content) throws IOException {
                try (FileChannel channel = FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
                    ByteBuffer bytes = ByteBuffer.wrap(content);
                    while (bytes.hasRemaining()) {
                        channel.write(bytes);
                    }
                }
            }

            @Override
            public void sync(Path file) throws IOException {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    channel.force(true);
                }
            }

            @Override
            public void rename(Path from, Path to) throws IOException {
                Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            }

            @Override
            public void delete(Path file) throws IOException {
                Files.deleteIfExists(file);
            }

            @Override
            public void syncFolder(Path folder) throws IOException {
                try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                    channel.force(true);
                }
            }
        };
    }
}
