package io.srpt.service;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the configuration of a service comes from: options, environment, and a file that can be read again. Any thread. */
final class ConfigurationSource {
    private final ServeSettings said;
    private final @Nullable Path file;
    private final Path defaultStateDirectory;
    private @Nullable List<InetAddress> ofDevice;

    /**
     * From options and environment, {@code said}, and from a file.
     *
     * @param file null for none
     */
    ConfigurationSource(ServeSettings said, @Nullable Path file, Path defaultStateDirectory) {
        this.said = said;
        this.file = file;
        this.defaultStateDirectory = defaultStateDirectory;
    }

    /** The file, null if there is none. */
    @Nullable
    Path file() {
        return file;
    }

    /** What the file says now; null if there is none. */
    @Nullable
    ServeSettings readFile() throws ConfigurationException {
        return file == null ? null : new ConfigurationFile(file).read();
    }

    /** Reads the file and checks the whole. */
    ServeConfiguration read() throws ConfigurationException, ServiceException {
        return check(readFile());
    }

    /** Checks the whole, with this in the place of what the file says. */
    synchronized ServeConfiguration check(@Nullable ServeSettings settings)
            throws ConfigurationException, ServiceException {
        ServeConfiguration configuration = ServeConfigurations.of(said, settings, defaultStateDirectory);
        ProviderChoice choice = configuration.runtime().provider();
        boolean says = said.has(SettingKey.LISTEN) || settings != null && settings.has(SettingKey.LISTEN);
        if (!choice.hardware() || says) {
            return configuration;
        }
        // A device is asked once: it keeps its addresses while it runs.
        List<InetAddress> addresses = ofDevice;
        if (addresses == null) {
            addresses = new DisniDevices(choice).addresses();
            ofDevice = addresses;
        }
        return configuration.withListen(addresses);
    }
}
