package io.srpt.service.save;

import java.io.IOException;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A file that is replaced as a whole: the new text goes into a temporary file beside it and is made durable there, the old file gets
 * a second name as a backup, and the temporary file takes its place. The ten youngest backups stay. All files can be read by their
 * owner only.
 *
 * <pre>
 *   srpt.yaml                            the file
 *   srpt.yaml.20261202T170501123         a backup: when it was replaced, UTC
 *   srpt.yaml.tmp                        what a power cut leaves of one that was being written; the next save replaces it
 * </pre>
 *
 * <p>One writer at a time; readers at any.
 */
public final class SavedFile {
    /** How many backups stay. */
    public static final int BACKUPS = 10;

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmssSSS").withZone(ZoneOffset.UTC);

    private final Folder folder;
    private final String name;
    private final InstantSource clock;
    private final Pattern backup;

    /** The file {@code name} in {@code folder}; {@code clock} gives backups their names. */
    public SavedFile(Folder folder, String name, InstantSource clock) {
        this.folder = folder;
        this.name = name;
        this.clock = clock;
        backup = Pattern.compile(Pattern.quote(name) + "\\.\\d{8}T\\d{9}");
    }

    /** Replaces it; with an exception it is as it was. Durable when this returns. */
    public void save(byte[] bytes) throws IOException {
        String temporary = name + ".tmp";
        folder.delete(temporary);
        try {
            folder.create(temporary, bytes);
            folder.syncFile(temporary);
            if (folder.has(name)) {
                keep();
            }
            folder.rename(temporary, name);
        } catch (IOException e) {
            folder.delete(temporary);
            throw e;
        }
        folder.sync();
        prune();
    }

    /** Leaves the file in its place, which a rename would not. */
    private void keep() throws IOException {
        String second = name + "." + TIME.format(clock.instant());
        if (folder.has(second)) {
            // Twice within a millisecond: the first one is the one to keep.
            return;
        }
        try {
            folder.link(name, second);
        } catch (IOException e) {
            folder.create(second, folder.read(name));
            folder.syncFile(second);
        }
    }

    private void prune() throws IOException {
        List<String> backups = new ArrayList<>();
        for (String each : folder.names(name + ".")) {
            if (backup.matcher(each).matches()) {
                backups.add(each);
            }
        }
        for (String old : backups.subList(0, Math.max(0, backups.size() - BACKUPS))) {
            folder.delete(old);
        }
    }
}
