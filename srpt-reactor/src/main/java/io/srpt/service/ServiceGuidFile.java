package io.srpt.service;

import io.srpt.durable.DurableFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * Keeps the service GUID of a target, so that a restarted target is the same one to its initiators. The file holds 16
 * hexadecimal digits and a line end.
 */
public final class ServiceGuidFile {
    /** Name of the file in the state directory. */
    public static final String NAME = "service-guid";

    private final Path file;
    private final LongSupplier random;

    /** In {@code directory}, which is made if need be. {@code random} gives the bits of a new GUID. */
    public ServiceGuidFile(Path directory, LongSupplier random) {
        file = directory.resolve(NAME);
        this.random = random;
    }

    /** Reads the GUID, or makes one (EUI-64, locally administered, of one node) and keeps it. */
    public long readOrCreate() throws ServiceException {
        try {
            return read();
        } catch (NoSuchFileException e) {
            return create();
        } catch (IOException e) {
            throw new ServiceException("cannot read the service GUID from " + file + ": " + describe(e), e);
        }
    }

    private long read() throws IOException, ServiceException {
        String text = Files.readString(file).strip();
        try {
            return Guid.parse(text);
        } catch (ConfigurationException e) {
            throw new ServiceException(
                    file + ": " + e.getMessage() + "; remove the file to make a new target, or give --service-guid", e);
        }
    }

    private long create() throws ServiceException {
        long guid = Guid.random(random);
        try {
            DurableFile.at(file).replace(Guid.format(guid) + "\n");
            return read();
        } catch (IOException e) {
            throw new ServiceException(
                    "cannot keep the service GUID in " + file + ": " + describe(e)
                            + "; choose another --state-dir or give --service-guid",
                    e);
        }
    }

    private static String describe(IOException e) {
        return e.getClass().getSimpleName() + (e.getMessage() == null ? "" : " " + e.getMessage());
    }
}
