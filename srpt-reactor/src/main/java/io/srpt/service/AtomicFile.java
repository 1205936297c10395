package io.srpt.service;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Replaces a file so that a reader sees the old or the new one, whole. */
final class AtomicFile {
    private AtomicFile() {}

    /**
     * Writes {@code text} beside {@code file}, syncs it, renames it over {@code file} and syncs the directory, which it makes if need
     * be: durable when it returns.
     */
    static void write(Path file, String text) throws IOException {
        Path absolute = file.toAbsolutePath();
        Path directory = absolute.getParent();
        if (directory == null) {
            throw new IOException(file + " is no file");
        }
        Files.createDirectories(directory);
        Path temporary = Files.createTempFile(directory, "." + absolute.getFileName(), ".tmp");
        try {
            try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(temporary, absolute, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}
