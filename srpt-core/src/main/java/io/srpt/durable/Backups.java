package io.srpt.durable;

import java.io.IOException;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The older ones of a file, beside it: {@code srpt.yaml.20261202T170501123}, by the time (UTC) when they were replaced. The youngest
 * stay.
 */
public final class Backups {
    /** How many stay. */
    public static final int KEPT = 10;

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmssSSS").withZone(ZoneOffset.UTC);

    private final Folder folder;
    private final String name;
    private final InstantSource clock;
    private final Pattern pattern;

    Backups(Folder folder, String name, InstantSource clock) {
        this.folder = folder;
        this.name = name;
        this.clock = clock;
        pattern = Pattern.compile(Pattern.quote(name) + "\\.\\d{8}T\\d{9}");
    }

    /** Gives the file, if there is one, a second name; it stays in its place, as with a rename it would not. */
    void keep() throws IOException {
        String second = name + "." + TIME.format(clock.instant());
        // Of two replaced within a millisecond the first one is kept.
        if (!folder.has(name) || folder.has(second)) {
            return;
        }
        try {
            folder.link(name, second);
        } catch (IOException e) {
            copy(second);
        }
    }

    /** Where there can be no second name. The copy is for its owner alone, and nobody is to take half of it for a backup. */
    private void copy(String second) throws IOException {
        String temporary = "." + name + ".backup.tmp";
        folder.delete(temporary);
        folder.create(temporary, folder.read(name));
        folder.syncFile(temporary);
        folder.rename(temporary, second);
    }

    /** Takes the eldest away. */
    void prune() throws IOException {
        List<String> backups = new ArrayList<>();
        for (String each : folder.names(name + ".")) {
            if (pattern.matcher(each).matches()) {
                backups.add(each);
            }
        }
        for (String old : backups.subList(0, Math.max(0, backups.size() - KEPT))) {
            folder.delete(old);
        }
    }
}
