package io.srpt.service;

import io.srpt.durable.DurableFile;
import io.srpt.scsi.LogicalUnit;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configuration of a running target, and how it becomes another one: by reading its file again, and by changes that are kept in
 * mind until they are saved to the file, or lost with the next reading of it. Any thread but a loop, one at a time.
 */
final class LiveConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(LiveConfiguration.class);

    private final SrptServer server;
    private final ConfigurationSource source;
    private final Reconfiguration reconfiguration;
    private ConfigurationSource.Reading reading;

    /** Of {@code server}, which runs by {@code reading} of {@code source}. */
    LiveConfiguration(SrptServer server, ConfigurationSource source, ConfigurationSource.Reading reading) {
        this.server = server;
        this.source = source;
        this.reading = reading;
        reconfiguration = new Reconfiguration(server);
    }

    /**
     * Reads the configuration file again and follows it; changes that were not saved are undone by that.
     *
     * @throws ConfigurationException if it is wrong; nothing has changed then
     * @throws ServiceException if it cannot be followed; nothing has changed then
     */
    Reconfiguration.Outcome reload() throws ConfigurationException, ServiceException {
        Path file = file();
        LOG.info("Reading {} again", file);
        Reconfiguration.Outcome outcome = follow(source.read());
        outcome.needsRestart().forEach(what -> LOG.warn("{}: needs a restart", what));
        return outcome;
    }

    private Path file() throws ServiceException {
        Path file = source.file();
        if (file == null) {
            throw new ServiceException("the service was started without --config: it has no file");
        }
        return file;
    }

    private Reconfiguration.Outcome follow(ConfigurationSource.Reading next) throws ServiceException {
        Reconfiguration.Outcome outcome = reconfiguration.to(next.configuration());
        reading = next;
        return outcome;
    }

    private Reconfiguration.Outcome change(SettingKey key, List<Setting> list)
            throws ConfigurationException, ServiceException {
        return follow(source.changed(reading, reading.changes().with(key, list)));
    }

    /** Whether there is such a disk. */
    boolean hasLun(int lun) {
        return server.units().containsKey(lun);
    }

    /**
     * Adds a disk.
     *
     * @param lun as the file says it, in fields; without a number it gets the next one that is free
     * @return its number
     */
    int addLun(Setting lun) throws ConfigurationException, ServiceException {
        List<Setting> luns = new ArrayList<>(LunEdits.numbered(source.all(reading, SettingKey.LUN)));
        luns.add(lun);
        List<Setting> numbered = LunEdits.numbered(luns);
        change(SettingKey.LUN, numbered).orThrow();
        return Values.number(numbered.getLast().field("lun"), 0, 0, Integer.MAX_VALUE);
    }

    /** Takes a disk away. */
    void removeLun(int lun) throws ConfigurationException, ServiceException {
        change(SettingKey.LUN, LunEdits.without(LunEdits.numbered(source.all(reading, SettingKey.LUN)), lun))
                .orThrow();
    }

    /** Grows a disk to {@code bytes}; 0 looks whether its medium was grown from outside. */
    void growLun(int lun, long bytes) throws ConfigurationException, ServiceException {
        if (bytes == 0) {
            server.disks().rescan(lun);
        } else {
            server.disks().grow(lun, bytes);
        }
        LogicalUnit unit = server.units().get(lun);
        long has = unit == null ? 0 : unit.store().sizeBytes();
        boolean sized = server.configuration().luns().stream()
                .filter(each -> each.lun() == lun)
                .anyMatch(each -> StoreSizes.of(each.store()) != 0);
        if (sized) {
            List<Setting> luns = LunEdits.numbered(source.all(reading, SettingKey.LUN));
            change(SettingKey.LUN, LunEdits.resized(luns, lun, has)).orThrow();
        }
    }

    /** Has the port with {@code addresses} take logins, or not. */
    void enablePort(List<InetAddress> addresses, boolean enabled) throws ConfigurationException, ServiceException {
        change(SettingKey.PORTS, PortEdits.enabled(source.all(reading, SettingKey.PORTS), addresses, enabled))
                .orThrow();
    }

    /**
     * What was saved.
     *
     * @param shadowed keys that were changed, and of which the file's words will not count at the next start because options or
     *     environment say something, too
     */
    record Saved(Path file, List<String> shadowed) {}

    /**
     * Writes what the file said and what has been changed since into the file. Entries are kept as they were written, whether what
     * they name is there at the time or not; comments are lost, and are in the backup.
     *
     * @param force even if somebody has changed the file since it was read
     */
    Saved save(boolean force) throws ConfigurationException, ServiceException {
        Path file = file();
        ConfigurationFile format = new ConfigurationFile(file);
        if (!force && Files.exists(file) && !format.text().equals(reading.text())) {
            throw new ServiceException(file + " was changed since it was read; reload first, or save with force, which"
                    + " keeps it as a backup only");
        }
        ServeSettings before = reading.settings();
        ServeSettings settings =
                before == null ? reading.changes() : reading.changes().orElse(before);
        String text = "# Written by srpt; the file as it was before has the time behind its name.\n"
                + ConfigurationText.of(settings);
        ServeSettings readBack = format.parsed(text);
        if (!ConfigurationText.of(readBack).equals(ConfigurationText.of(settings))) {
            throw new ServiceException("the configuration cannot be written as it is");
        }
        write(file, text);
        List<String> shadowed = reading.changes().keys().stream()
                .filter(source::winsOverFile)
                .map(SettingKey::key)
                .toList();
        reading = new ConfigurationSource.Reading(
                text,
                readBack,
                shadowed.isEmpty() ? ServeSettings.NOTHING : reading.changes(),
                reading.configuration());
        LOG.info("Saved {}", file);
        return new Saved(file, shadowed);
    }

    /** In the place of a symbolic link's target, not of the link. */
    private static void write(Path file, String text) throws ServiceException {
        try {
            Path real = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
            DurableFile.at(real).withBackups(InstantSource.system()).replace(text);
        } catch (IOException e) {
            throw new ServiceException("cannot save " + file + ": " + e, e);
        }
    }
}
