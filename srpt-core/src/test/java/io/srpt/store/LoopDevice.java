package io.srpt.store;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A block device of the kernel on a file, by {@code losetup}. Where there is none to be had (no root, no loop driver) a test is
 * skipped with the reason, or fails with {@code -Dsrpt.loop=required}.
 */
final class LoopDevice implements AutoCloseable {
    private static final Path CONTROL = Path.of("/dev/loop-control");

    private final Path file;
    private final Path device;

    private LoopDevice(Path file, Path device) {
        this.file = file;
        this.device = device;
    }

    static LoopDevice attach(Path file, long bytes, String... options) throws IOException {
        if (!Files.isWritable(CONTROL)) {
            throw unavailable(CONTROL + " is missing or not for this user, who is root where it works");
        }
        try (RandomAccessFile made = new RandomAccessFile(file.toFile(), "rw")) {
            made.setLength(bytes);
        }
        List<String> command = new ArrayList<>(List.of("--find", "--show"));
        command.addAll(List.of(options));
        command.add(file.toString());
        try {
            return new LoopDevice(file, Path.of(losetup(command)));
        } catch (IOException e) {
            throw unavailable(e.getMessage());
        }
    }

    private static AssertionError unavailable(String reason) {
        if (System.getProperty("srpt.loop", "auto").equals("required")) {
            return new AssertionError("no block device for tests: " + reason);
        }
        System.out.println("Block device tests are skipped: " + reason);
        return abort("no block device: " + reason);
    }

    private static String losetup(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("losetup"));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes()).strip();
        try {
            if (process.waitFor() != 0) {
                throw new IOException("losetup " + String.join(" ", arguments) + ": " + output);
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        return output;
    }

    Path device() {
        return device;
    }

    Path file() {
        return file;
    }

    /** Makes the file and with it the device larger, as whoever runs a volume manager would. */
    void grow(long bytes) throws IOException {
        try (RandomAccessFile grown = new RandomAccessFile(file.toFile(), "rw")) {
            grown.setLength(bytes);
        }
        losetup(List.of("--set-capacity", device.toString()));
    }

    @Override
    public void close() throws IOException {
        losetup(List.of("--detach", device.toString()));
    }
}
