package io.srpt.service;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the configuration of a service comes from: options, environment, and a file that can be read again. One at a time may read
 * and check.
 */
final class ConfigurationSource {
    private final ServeSettings said;
    private final @Nullable Path file;
    private final Path defaultStateDirectory;
    private final DeviceFactory software;
    private @Nullable List<InetAddress> ofDevice;

    /**
     * From options and environment, {@code said}, and from a file.
     *
     * @param file null for none
     * @param software whom to ask for network interfaces unless hardware is chosen
     */
    ConfigurationSource(ServeSettings said, @Nullable Path file, Path defaultStateDirectory, DeviceFactory software) {
        this.said = said;
        this.file = file;
        this.defaultStateDirectory = defaultStateDirectory;
        this.software = software;
    }

    /**
     * What was read.
     *
     * @param text of the file, null if there is none
     * @param settings that the text says, null if there is none
     * @param changes what has been said since, which wins over all
     * @param configuration the whole, checked
     */
    record Reading(
            @Nullable String text,
            @Nullable ServeSettings settings,
            ServeSettings changes,
            ServeConfiguration configuration) {}

    /** The file, null if there is none. */
    @Nullable
    Path file() {
        return file;
    }

    /** Reads the file and checks the whole. */
    Reading read() throws ConfigurationException, ServiceException {
        if (file == null) {
            return check(null, null, ServeSettings.NOTHING);
        }
        ConfigurationFile reading = new ConfigurationFile(file);
        String text = reading.text();
        return check(text, reading.parsed(text), ServeSettings.NOTHING);
    }

    /** Checks what comes of {@code before} with other changes. */
    Reading changed(Reading before, ServeSettings changes) throws ConfigurationException, ServiceException {
        return check(before.text(), before.settings(), changes);
    }

    /** What is said about a key, by whoever wins. */
    List<Setting> all(Reading reading, SettingKey key) {
        return whole(reading.settings(), reading.changes()).all(key);
    }

    private ServeSettings whole(@Nullable ServeSettings settings, ServeSettings changes) {
        ServeSettings first = changes.orElse(said);
        return settings == null ? first : first.orElse(settings);
    }

    /** Whether what the file says about {@code key} does not count. */
    boolean winsOverFile(SettingKey key) {
        return said.has(key);
    }

    private Reading check(@Nullable String text, @Nullable ServeSettings settings, ServeSettings changes)
            throws ConfigurationException, ServiceException {
        ServeConfiguration configuration =
                ServeConfigurations.of(changes.orElse(said), settings, defaultStateDirectory);
        ProviderChoice choice = configuration.runtime().provider();
        AluaInterfaces.of(configuration, choice.factory(software))
                .check(whole(settings, changes).one(SettingKey.ALUA));
        boolean says = said.has(SettingKey.LISTEN) || settings != null && settings.has(SettingKey.LISTEN);
        return new Reading(
                text,
                settings,
                changes,
                choice.hardware() && !says ? configuration.withListen(addresses(choice)) : configuration);
    }

    /** A device is asked once: it keeps its addresses while it runs. */
    private List<InetAddress> addresses(ProviderChoice choice) throws ServiceException {
        List<InetAddress> addresses = ofDevice;
        if (addresses == null) {
            addresses = new DisniDevices(choice).addresses();
            ofDevice = addresses;
        }
        return addresses;
    }
}
