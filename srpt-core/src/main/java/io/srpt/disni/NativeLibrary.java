package io.srpt.disni;

import io.srpt.verbs.VerbsException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;

/** Our {@code libdisni.so}, packaged in the jar by operating system and processor. */
final class NativeLibrary {
    private static final String FOLDER = "META-INF/native/";
    private static final String FILE = "libdisni.so";

    private NativeLibrary() {}

    /** Where the jar has the library for this machine, such as {@code META-INF/native/linux-x86_64/libdisni.so}. */
    static String resource() {
        return resource(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
    }

    static String resource(String system, String processor) {
        String architecture = switch (processor) {
            case "amd64" -> "x86_64";
            case "arm64" -> "aarch64";
            default -> processor;
        };
        return FOLDER + system.toLowerCase(Locale.ROOT).replace(' ', '_') + "-" + architecture + "/" + FILE;
    }

    /** Copies it into a file of this process, which goes when the process ends. */
    static Path unpack() throws VerbsException {
        return unpack(resource());
    }

    static Path unpack(String resource) throws VerbsException {
        try (InputStream in = NativeLibrary.class.getClassLoader().getResourceAsStream(resource)) {
            if (in == null) {
                throw new VerbsException("this build has no native library for RDMA hardware (" + resource
                        + " is not in the jar); build it where a C compiler and the headers of libibverbs, librdmacm and"
                        + " libibumad are installed (on Debian: gcc libibverbs-dev librdmacm-dev libibumad-dev), or use"
                        + " provider roce");
            }
            Path folder = Files.createTempDirectory("srpt-native");
            Path file = folder.resolve(FILE);
            folder.toFile().deleteOnExit();
            file.toFile().deleteOnExit();
            Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
            return file;
        } catch (IOException e) {
            throw new VerbsException(
                    "the native library for RDMA hardware cannot be unpacked: " + e
                            + "; -Djava.io.tmpdir=FOLDER names another place",
                    e);
        }
    }
}
