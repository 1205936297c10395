package io.srpt.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A power cut between any two system calls leaves the old or the new content, and the new one once that was said. */
class StateFileTest {
    private static final Path FOLDER = Path.of("/state");
    private static final Path FILE = FOLDER.resolve("name");

    /** A content that is there from call {@code begin} on at the earliest, from {@code end} on for sure. */
    private record Step(int begin, int end, Optional<String> content) {}

    private final FolderLog log = new FolderLog();
    private final List<Step> steps = new ArrayList<>();

    private void replace(StateFile file, String content) throws IOException {
        int begin = log.calls.size();
        file.replaceNow(bytes(content));
        steps.add(new Step(begin, log.calls.size(), Optional.of(content)));
    }

    private void delete(StateFile file) throws IOException {
        int begin = log.calls.size();
        file.deleteNow();
        steps.add(new Step(begin, log.calls.size(), Optional.empty()));
    }

    private static byte[] bytes(String content) {
        return content.getBytes(StandardCharsets.US_ASCII);
    }

    private void work() throws Exception {
        try (StoreThreads threads = new StoreThreads("test", 1, 1)) {
            StateFile file = new StateFile(FOLDER, "name", threads, log);
            replace(file, "first");
            replace(file, "the second one");
            delete(file);
            delete(file);
            replace(file, "third");
        }
    }

    /** The places where a cut leaves something else than it may. */
    private List<String> wrong(FolderLog calls) {
        List<String> wrong = new ArrayList<>();
        for (int cut = 0; cut <= calls.calls.size(); cut++) {
            Optional<String> before = Optional.empty();
            Optional<String> after = Optional.empty();
            for (Step step : steps) {
                before = step.end() <= cut ? step.content() : before;
                after = step.begin() < cut || step.end() <= cut ? step.content() : after;
            }
            Set<Optional<String>> left = calls.leftOf(FILE, cut);
            if (!Set.of(before).containsAll(left) && !Set.of(after).containsAll(left)) {
                for (Optional<String> each : left) {
                    if (!each.equals(before) && !each.equals(after)) {
                        wrong.add("after " + cut + " calls: " + each);
                    }
                }
            }
        }
        return wrong;
    }

    @Test
    void aPowerCutLeavesTheOldOrTheNewContent() throws Exception {
        work();
        assertThat(log.calls).hasSize(3 * 4 + 2 * 2);
        assertThat(wrong(log)).isEmpty();
    }

    @Test
    void withoutAnyOneSyncAPowerCutWouldNot() throws Exception {
        work();
        int tried = 0;
        for (int i = 0; i < log.calls.size(); i++) {
            FolderLog.Kind kind = log.calls.get(i).kind();
            // The second delete changes nothing, so its sync has nothing to do.
            if (kind == FolderLog.Kind.SYNC || kind == FolderLog.Kind.SYNC_FOLDER && i != 11) {
                FolderLog without = new FolderLog();
                without.calls.addAll(log.calls);
                FolderLog.Call call = log.calls.get(i);
                without.calls.set(i, new FolderLog.Call(FolderLog.Kind.SYNC, Path.of("/none"), null, call.content()));
                assertThat(wrong(without)).as("without call %d, %s", i, kind).isNotEmpty();
                tried++;
            }
        }
        assertThat(tried).isEqualTo(3 + 4);
    }

    @Test
    void aCallThatFailsLeavesTheOldOrTheNewContentAndTheNextOneRepairsIt() throws Exception {
        for (int failed = 4; failed < 8; failed++) {
            FolderLog calls = new FolderLog();
            try (StoreThreads threads = new StoreThreads("test", 1, 1)) {
                StateFile file = new StateFile(FOLDER, "name", threads, calls);
                file.replaceNow(bytes("first"));
                calls.failAt = failed;
                RecordingCompletion done = new RecordingCompletion();
                file.replace(bytes("second"), done);
                assertThat(done.await()).isEqualTo(StoreStatus.INTERNAL_ERROR);
                assertThat(calls.leftOf(FILE, calls.calls.size()))
                        .isSubsetOf(Optional.of("first"), Optional.of("second"));
                file.replaceNow(bytes("third"));
                assertThat(calls.leftOf(FILE, calls.calls.size())).containsExactly(Optional.of("third"));
            }
        }
    }

    @Test
    void keepsItsContentInAFolderThatItMakes(@TempDir Path directory) throws Exception {
        Path folder = directory.resolve("a/b");
        try (StoreThreads threads = new StoreThreads("test", 1, 4)) {
            StateFile file = StateFile.in(folder, "name", threads);
            assertThat(file.read()).isNull();
            assertThat(directory).isEmptyDirectory();
            RecordingCompletion done = new RecordingCompletion();
            file.replace(bytes("content"), done);
            assertThat(done.await()).isEqualTo(StoreStatus.OK);
            assertThat(StateFile.in(folder, "name", threads).read()).isEqualTo(bytes("content"));
            RecordingCompletion deleted = new RecordingCompletion();
            file.delete(deleted);
            assertThat(deleted.await()).isEqualTo(StoreStatus.OK);
            assertThat(file.read()).isNull();
            try (var left = Files.list(folder)) {
                assertThat(left).isEmpty();
            }
        }
    }

    @Test
    void saysWhatIsWrongWithTheFolder(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "x");
        try (StoreThreads threads = new StoreThreads("test", 1, 4)) {
            assertThatThrownBy(() -> StateFile.in(file, "name", threads))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining(file.toString());
        }
    }
}
