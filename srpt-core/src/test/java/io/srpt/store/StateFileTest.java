package io.srpt.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFileTest {
    private static final byte[] CONTENT = "content".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    private Path directory;

    @Test
    void theThreadsReplaceItAndDeleteIt() throws Exception {
        try (StoreThreads threads = new StoreThreads("test", 1, 4)) {
            StateFile file = StateFile.in(directory.resolve("a/b"), "name", threads);
            assertThat(file.read()).isNull();
            RecordingCompletion replaced = new RecordingCompletion();
            file.replace(CONTENT, replaced);
            assertThat(replaced.await()).isEqualTo(StoreStatus.OK);
            assertThat(StateFile.in(directory.resolve("a/b"), "name", threads).read())
                    .isEqualTo(CONTENT);
            RecordingCompletion deleted = new RecordingCompletion();
            file.delete(deleted);
            assertThat(deleted.await()).isEqualTo(StoreStatus.OK);
            assertThat(file.read()).isNull();
        }
    }

    @Test
    void saysWhenItCouldNotBeReplaced() throws Exception {
        Files.createDirectories(directory.resolve("name/in the way"));
        try (StoreThreads threads = new StoreThreads("test", 1, 4)) {
            RecordingCompletion done = new RecordingCompletion();
            StateFile.in(directory, "name", threads).replace(CONTENT, done);
            assertThat(done.await()).isEqualTo(StoreStatus.INTERNAL_ERROR);
        }
    }

    @Test
    void saysWhatIsWrongWithTheFolder() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "x");
        try (StoreThreads threads = new StoreThreads("test", 1, 4)) {
            assertThatThrownBy(() -> StateFile.in(file, "name", threads))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining(file.toString());
        }
    }
}
