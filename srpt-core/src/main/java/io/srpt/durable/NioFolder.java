package io.srpt.durable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** A folder of a Linux file system. */
public final class NioFolder implements Folder {
    private static final Set<PosixFilePermission> OWNER_ONLY =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private final Path directory;

    public NioFolder(Path directory) {
        this.directory = directory.toAbsolutePath();
    }

    /** It, or the lowest above it that is there, as whatever. */
    public Path existing() {
        Path existing = directory;
        for (Path up = directory; up != null; up = up.getParent()) {
            existing = up;
            if (Files.exists(up)) {
                break;
            }
        }
        return existing;
    }

    @Override
    public void make() throws IOException {
        Path existing = existing();
        Files.createDirectories(directory);
        for (Path made = directory; !made.equals(existing); ) {
            made = Objects.requireNonNull(made.getParent());
            sync(made);
        }
    }

    @Override
    public void create(String name, byte[] bytes) throws IOException {
        Set<StandardOpenOption> options = EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        Path file = directory.resolve(name);
        try (FileChannel channel = FileChannel.open(file, options, PosixFilePermissions.asFileAttribute(OWNER_ONLY))) {
            ByteBuffer rest = ByteBuffer.wrap(bytes);
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
        }
    }

    @Override
    public void syncFile(String name) throws IOException {
        try (FileChannel channel = FileChannel.open(directory.resolve(name), StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    @Override
    public void link(String name, String second) throws IOException {
        Path file = directory.resolve(name);
        if (!OWNER_ONLY.containsAll(Files.getPosixFilePermissions(file))) {
            throw new IOException("others than its owner may use " + file);
        }
        try {
            Files.createLink(directory.resolve(second), file);
        } catch (UnsupportedOperationException e) {
            throw new IOException("no second names", e);
        }
    }

    @Override
    public void rename(String name, String to) throws IOException {
        Files.move(
                directory.resolve(name),
                directory.resolve(to),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void delete(String name) throws IOException {
        Files.deleteIfExists(directory.resolve(name));
    }

    @Override
    public void sync() throws IOException {
        sync(directory);
    }

    /** A folder can be opened for reading, and synced then. */
    private static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public List<String> names(String prefix) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(prefix))
                    .sorted()
                    .toList();
        }
    }

    @Override
    public boolean has(String name) {
        return Files.exists(directory.resolve(name));
    }

    @Override
    public byte[] read(String name) throws IOException {
        return Files.readAllBytes(directory.resolve(name));
    }
}
