package io.srpt.durable;

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
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A power cut between any two system calls leaves the old or the new content, and the new one once that was said. */
class DurableFileTest {
    private static final String NAME = "name";
    private static final int VERSIONS = 14;

    /** How the file is kept. */
    private enum Kind {
        PLAIN,
        BACKUPS,
        BACKUPS_WITHOUT_LINKS;

        FolderLog folder() {
            return this == BACKUPS_WITHOUT_LINKS ? new FolderLog().withoutLinks() : new FolderLog();
        }

        DurableFile in(Folder folder) {
            DurableFile file = new DurableFile(folder, NAME);
            return this == PLAIN ? file : file.withBackups(clock());
        }
    }

    @TempDir
    private Path directory;

    /** Each backup a millisecond after the one before. */
    private static InstantSource clock() {
        long[] millis = {0};
        return () -> Instant.ofEpochMilli(millis[0]++);
    }

    private static String content(int version) {
        return "version " + version + " " + "x".repeat(version);
    }

    /** A content that is there from call {@code begin} on at the earliest, from {@code end} on for sure. */
    private record Step(int begin, int end, Optional<String> content) {}

    private static List<Step> work(Kind kind, FolderLog folder) throws IOException {
        DurableFile file = kind.in(folder);
        List<Step> steps = new ArrayList<>();
        for (int version = 0; version < VERSIONS; version++) {
            int begin = folder.calls().size();
            boolean delete = version % 5 == 3;
            if (delete) {
                file.delete();
            } else {
                file.replace(content(version));
            }
            steps.add(
                    new Step(begin, folder.calls().size(), delete ? Optional.empty() : Optional.of(content(version))));
        }
        return steps;
    }

    /** The places where a cut leaves something else than it may. */
    private static List<String> wrong(List<FolderLog.Call> calls, List<Step> steps) {
        List<String> wrong = new ArrayList<>();
        for (int cut = 0; cut <= calls.size(); cut++) {
            Optional<String> before = Optional.empty();
            Optional<String> after = Optional.empty();
            for (Step step : steps) {
                before = step.end() <= cut ? step.content() : before;
                after = step.begin() < cut || step.end() <= cut ? step.content() : after;
            }
            for (Optional<String> left : FolderLog.leftOf(NAME, calls.subList(0, cut))) {
                if (!left.equals(before) && !left.equals(after)) {
                    wrong.add("after " + cut + " calls: " + left);
                }
            }
        }
        return wrong;
    }

    @ParameterizedTest
    @EnumSource
    void aPowerCutLeavesTheOldOrTheNewContent(Kind kind) throws Exception {
        FolderLog folder = kind.folder();
        List<Step> steps = work(kind, folder);
        assertThat(wrong(folder.calls(), steps)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = "PLAIN", mode = EnumSource.Mode.EXCLUDE)
    void aPowerCutLeavesNoPartOfABackup(Kind kind) throws Exception {
        FolderLog folder = kind.folder();
        work(kind, folder);
        List<String> backups = folder.names(NAME + ".");
        assertThat(backups).isNotEmpty();
        Set<Optional<String>> whole = new HashSet<>(Set.of(Optional.empty()));
        for (int version = 0; version < VERSIONS; version++) {
            whole.add(Optional.of(content(version)));
        }
        for (int cut = 0; cut <= folder.calls().size(); cut++) {
            for (String backup : backups) {
                assertThat(whole)
                        .as("after %d calls, %s", cut, backup)
                        .containsAll(FolderLog.leftOf(backup, folder.calls().subList(0, cut)));
            }
        }
    }

    @Test
    void withoutAnyOneSyncAPowerCutWouldNot() throws Exception {
        FolderLog folder = new FolderLog();
        List<Step> steps = work(Kind.PLAIN, folder);
        Set<FolderLog.Kind> syncs = Set.of(FolderLog.Kind.SYNC_FILE, FolderLog.Kind.SYNC);
        int tried = 0;
        for (int i = 0; i < folder.calls().size(); i++) {
            FolderLog.Call call = folder.calls().get(i);
            if (syncs.contains(call.kind())) {
                List<FolderLog.Call> without = new ArrayList<>(folder.calls());
                without.set(i, new FolderLog.Call(FolderLog.Kind.SYNC_FILE, "another", ""));
                assertThat(wrong(without, steps))
                        .as("without call %d, %s", i, call)
                        .isNotEmpty();
                tried++;
            }
        }
        int deletes = 3;
        assertThat(tried).isEqualTo(2 * (VERSIONS - deletes) + deletes);
    }

    @ParameterizedTest
    @EnumSource
    void aCallThatFailsLeavesTheOldOrTheNewContentAndTheNextOneRepairsIt(Kind kind) throws Exception {
        FolderLog counting = kind.folder();
        work(kind, counting);
        for (int failed = 0; failed < counting.calls().size(); failed++) {
            FolderLog folder = kind.folder();
            folder.failAt(failed);
            DurableFile file = kind.in(folder);
            String last = null;
            for (int version = 0; version < VERSIONS; version++) {
                try {
                    file.replace(content(version));
                    last = content(version);
                } catch (IOException e) {
                    assertThat(FolderLog.leftOf(NAME, folder.calls()))
                            .isSubsetOf(Optional.ofNullable(last), Optional.of(content(version)));
                }
            }
            assertThat(FolderLog.leftOf(NAME, folder.calls())).containsExactly(Optional.of(content(VERSIONS - 1)));
        }
    }

    @Test
    void theTenYoungestBackupsStayForTheirOwnerAlone() throws Exception {
        Files.writeString(directory.resolve("." + NAME + ".tmp"), "left over");
        Files.writeString(directory.resolve(NAME + ".mine"), "somebody's");
        DurableFile file = Kind.BACKUPS.in(new NioFolder(directory));
        for (int version = 0; version < VERSIONS; version++) {
            file.replace(content(version));
        }
        assertThat(directory.resolve(NAME)).hasContent(content(VERSIONS - 1));
        List<String> names = names(directory);
        assertThat(names).hasSize(Backups.KEPT + 2).contains(NAME, NAME + ".mine");
        assertThat(directory.resolve(names.get(1))).hasContent(content(VERSIONS - 1 - Backups.KEPT));
        names.remove(NAME + ".mine");
        for (String name : names) {
            assertThat(Files.getPosixFilePermissions(directory.resolve(name)))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        }
    }

    @Test
    void aFileThatOthersCouldReadBecomesABackupForItsOwnerAlone() throws Exception {
        Path written = Files.writeString(directory.resolve(NAME), "by hand");
        Files.setPosixFilePermissions(written, PosixFilePermissions.fromString("rw-r--r--"));
        Kind.BACKUPS.in(new NioFolder(directory)).replace("content");
        assertThat(names(directory)).hasSize(2);
        Path backup = directory.resolve(names(directory).get(1));
        assertThat(backup).hasContent("by hand");
        assertThat(Files.getPosixFilePermissions(backup)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void keepsItsContentInAFolderThatItMakes() throws Exception {
        Path folder = directory.resolve("a/b");
        DurableFile file = DurableFile.at(folder.resolve(NAME));
        assertThat(file.read()).isNull();
        assertThat(directory).isEmptyDirectory();
        file.replace("content");
        assertThat(file.read()).isEqualTo("content".getBytes(StandardCharsets.UTF_8));
        assertThat(names(folder)).containsExactly(NAME);
        file.delete();
        assertThat(file.read()).isNull();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void saysThatAFolderCannotBeWritten() throws Exception {
        Path inTheWay = Files.writeString(directory.resolve("file"), "x");
        DurableFile file = DurableFile.at(inTheWay.resolve(NAME));
        assertThatThrownBy(() -> file.replace("content"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(inTheWay.toString());
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return new ArrayList<>(
                    files.map(each -> each.getFileName().toString()).sorted().toList());
        }
    }
}
