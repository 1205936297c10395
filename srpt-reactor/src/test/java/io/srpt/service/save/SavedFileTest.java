package io.srpt.service.save;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SavedFileTest {
    private static final String NAME = "srpt.yaml";
    private static final int SAVES = 14;

    @TempDir
    private Path directory;

    /** Each saving a millisecond after the one before. */
    private static InstantSource clock() {
        long[] millis = {0};
        return () -> Instant.ofEpochMilli(millis[0]++);
    }

    private static byte[] text(int version) {
        return ("version " + version + "\n" + "x".repeat(version * 37)).getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPowerCutAtAnyTimeLeavesAWholeFile(boolean links) throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        FolderLog log = links ? new FolderLog() : new FolderLog().withoutLinks();
        List<Integer> saved = save(log);

        for (int version = 0; version < SAVES - 1; version++) {
            // After version n was saved and until the end of saving n + 1, it is one of the two.
            for (int cut = saved.get(version); cut <= saved.get(version + 1); cut++) {
                for (int lost = 0; lost < 4; lost++) {
                    assertThat(log.afterCut(NAME, cut, lost, random))
                            .as("seed %d, cut %d, lost %d of %s", seed, cut, lost, log.calls())
                            .isIn(text(version), text(version + 1));
                }
            }
        }
    }

    @Test
    void findsATornFileInALogWithoutSyncs() throws Exception {
        Random random = new Random(1);
        FolderLog log = new FolderLog().withoutSyncs();
        save(log);
        int torn = 0;
        for (int cut = 0; cut < log.size(); cut++) {
            byte[] bytes = log.afterCut(NAME, cut, 0, random);
            if (bytes != null
                    && java.util.stream.IntStream.range(0, SAVES)
                            .noneMatch(v -> java.util.Arrays.equals(bytes, text(v)))) {
                torn++;
            }
        }
        assertThat(torn).isPositive();
    }

    /** The state in the log at which each version was saved. */
    private static List<Integer> save(FolderLog log) throws IOException {
        SavedFile file = new SavedFile(log, NAME, clock());
        List<Integer> saved = new ArrayList<>();
        for (int version = 0; version < SAVES; version++) {
            file.save(text(version));
            saved.add(log.size() - 1);
        }
        return saved;
    }

    @Test
    void aCallThatFailsLeavesTheOldOrTheNewFile() throws Exception {
        FolderLog counting = new FolderLog();
        int calls = save(counting).getLast() + 1;
        for (int fail = 0; fail < calls; fail++) {
            FolderLog log = new FolderLog();
            log.failAt(fail);
            SavedFile file = new SavedFile(log, NAME, clock());
            int last = -1;
            for (int version = 0; version < SAVES; version++) {
                try {
                    file.save(text(version));
                    last = version;
                } catch (IOException e) {
                    if (last >= 0) {
                        assertThat(log.read(NAME)).isIn(text(last), text(version));
                    }
                }
            }
            file.save(text(SAVES));
            assertThat(new String(log.read(NAME), StandardCharsets.UTF_8)).startsWith("version " + SAVES);
        }
    }

    @Test
    void keepsTheTenYoungestBackupsForItsOwnerAlone() throws Exception {
        Files.writeString(directory.resolve(NAME + ".tmp"), "left over");
        Files.writeString(directory.resolve(NAME + ".mine"), "somebody's");
        SavedFile file = new SavedFile(new NioFolder(directory), NAME, clock());
        for (int version = 0; version < SAVES; version++) {
            file.save(text(version));
        }
        assertThat(Files.readAllBytes(directory.resolve(NAME))).isEqualTo(text(SAVES - 1));
        try (var files = Files.list(directory)) {
            List<String> names =
                    files.map(each -> each.getFileName().toString()).sorted().toList();
            assertThat(names).hasSize(SavedFile.BACKUPS + 2).contains(NAME, NAME + ".mine");
            assertThat(Files.readAllBytes(directory.resolve(names.get(1))))
                    .isEqualTo(text(SAVES - 1 - SavedFile.BACKUPS));
            for (String name : names) {
                if (!name.endsWith(".mine")) {
                    assertThat(Files.getPosixFilePermissions(directory.resolve(name)))
                            .isEqualTo(PosixFilePermissions.fromString("rw-------"));
                }
            }
        }
    }

    @Test
    void saysThatAFolderCannotBeWritten() {
        SavedFile file = new SavedFile(new NioFolder(directory.resolve("nowhere")), NAME, clock());
        assertThatThrownBy(() -> file.save(text(1)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("nowhere");
    }
}
