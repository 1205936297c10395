package io.srpt.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.store.testing.StoreContract;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

class FileStoreTest {
    @TempDir
    private Path folder;

    private final StoreThreads threads = new StoreThreads("test-store", 2, 4);

    @AfterEach
    void endThreads() {
        threads.close();
    }

    @Test
    void knowsItsUsageFromTheBeginning() throws Exception {
        Path path = folder.resolve("usage.img");
        Files.write(path, new byte[1 << 20]);
        try (FileStore store = FileStore.open(path, 2 << 20, StoreOptions.DEFAULT, threads)) {
            assertThat(store.usage().allocatedBytes()).isGreaterThanOrEqualTo(0).isLessThanOrEqualTo(2 << 20);
            assertThat(store.usage().availableBytes()).isPositive();
        }
    }

    /** Each check finds an empty file. */
    @TestFactory
    Stream<DynamicTest> keepsTheContract() throws Exception {
        return Stream.of(
                        StoreOptions.DEFAULT,
                        StoreOptions.DEFAULT.withWriteCache(false),
                        StoreOptions.DEFAULT.withThin(false),
                        StoreOptions.DEFAULT.withDirect(true))
                .flatMap(this::contract);
    }

    private Stream<DynamicTest> contract(StoreOptions options) {
        Path path = folder.resolve("contract.img");
        try {
            return StoreContract.of(() -> {
                        Files.deleteIfExists(path);
                        return FileStore.open(path, 2 << 20, options, threads);
                    })
                    .reopenedBy(() -> FileStore.open(path, 0, options, threads))
                    .checks()
                    .stream()
                    .map(check -> DynamicTest.dynamicTest(options + " " + check.name(), check::run));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void keepsItsDataWhenReopened() throws Exception {
        Path path = folder.resolve("kept.img");
        byte[] data = new byte[10_000];
        new Random(7).nextBytes(data);
        try (FileStore store = FileStore.open(path, 1 << 20, StoreOptions.DEFAULT, threads)) {
            assertThat(store.writeCacheEnabled()).isTrue();
            RecordingCompletion done = new RecordingCompletion();
            store.write(5000, new ByteBuffer[] {ByteBuffer.wrap(data)}, 1, false, done);
            assertThat(done.await()).isEqualTo(StoreStatus.OK);
        }
        try (FileStore store = FileStore.open(path, 0, StoreOptions.DEFAULT, threads)) {
            assertThat(store.sizeBytes()).isEqualTo(1 << 20);
            ByteBuffer read = ByteBuffer.allocate(data.length);
            RecordingCompletion done = new RecordingCompletion();
            store.read(5000, new ByteBuffer[] {read}, 1, done);
            assertThat(done.await()).isEqualTo(StoreStatus.OK);
            assertThat(read.array()).isEqualTo(data);
        }
    }

    @Test
    void createsASparseFile() throws Exception {
        Path path = folder.resolve("sparse.img");
        try (FileStore store = FileStore.open(path, 1L << 33, StoreOptions.DEFAULT, threads)) {
            assertThat(store.sizeBytes()).isEqualTo(1L << 33);
            assertThat(Files.size(path)).isEqualTo(1L << 33);
            assertThat(DiskUsage.kib(path)).isLessThan(64);
        }
    }

    @Test
    void growsAFileButNeverCutsIt() throws Exception {
        Path path = folder.resolve("grown.img");
        FileStore.open(path, 4096, StoreOptions.DEFAULT, threads).close();
        try (FileStore store = FileStore.open(path, 8192, StoreOptions.DEFAULT, threads)) {
            assertThat(store.sizeBytes()).isEqualTo(8192);
        }
        assertThatThrownBy(() -> FileStore.open(path, 4096, StoreOptions.DEFAULT, threads))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("has 8KiB and not 4KiB");
        assertThat(Files.size(path)).isEqualTo(8192);
    }

    @Test
    void refusesASecondStoreOnTheSameFile() throws Exception {
        Path path = folder.resolve("locked.img");
        try (FileStore first = FileStore.open(path, 4096, StoreOptions.DEFAULT, threads)) {
            assertThatThrownBy(() -> FileStore.open(path, 4096, StoreOptions.DEFAULT, threads))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining(path.toString())
                    .hasMessageContaining("in use");
            assertThat(first.sizeBytes()).isEqualTo(4096);
        }
        FileStore.open(path, 4096, StoreOptions.DEFAULT, threads).close();
    }

    @Test
    void saysWhatIsWrongWithAPath() throws Exception {
        assertThatThrownBy(() -> FileStore.open(folder.resolve("none.img"), 0, StoreOptions.DEFAULT, threads))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("does not exist; give a size");
        assertThatThrownBy(() -> FileStore.open(folder, 0, StoreOptions.DEFAULT, threads))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("not a regular file");
        assertThatThrownBy(() -> FileStore.open(folder.resolve("no/folder.img"), 4096, StoreOptions.DEFAULT, threads))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("cannot be opened");
        Path empty = Files.createFile(folder.resolve("empty.img"));
        assertThatThrownBy(() -> FileStore.open(empty, 0, StoreOptions.DEFAULT, threads))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("is empty");
    }

    @Test
    void opensReadOnlyForSeveralReaders() throws Exception {
        Path path = folder.resolve("ro.img");
        FileStore.open(path, 4096, StoreOptions.DEFAULT, threads).close();
        try (FileStore store = FileStore.open(path, 0, StoreOptions.DEFAULT.withReadOnly(true), threads)) {
            RecordingCompletion done = new RecordingCompletion();
            store.write(0, new ByteBuffer[] {ByteBuffer.allocate(1)}, 1, false, done);
            assertThat(done.await()).isEqualTo(StoreStatus.WRITE_PROTECTED);
            assertThat(store.writeCacheEnabled()).isFalse();
        }
    }

    @Test
    void isBusyWhenThePoolIsFullAndRecovers() throws Exception {
        try (FileStore store = FileStore.open(folder.resolve("busy.img"), 1 << 20, StoreOptions.DEFAULT, threads)) {
            CountDownLatch gate = new CountDownLatch(1);
            CountDownLatch entered = new CountDownLatch(2);
            for (int i = 0; i < 2; i++) {
                assertThat(threads.offer(() -> block(entered, gate))).isTrue();
            }
            entered.await();
            List<RecordingCompletion> queued = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                queued.add(startWrite(store));
            }
            RecordingCompletion refused = startWrite(store);
            assertThat(refused.isDone()).isTrue();
            assertThat(refused.await()).isEqualTo(StoreStatus.BUSY);
            gate.countDown();
            for (RecordingCompletion each : queued) {
                assertThat(each.await()).isEqualTo(StoreStatus.OK);
            }
            assertThat(startWrite(store).await()).isEqualTo(StoreStatus.OK);
            assertThat(threads.operations().free()).isEqualTo(threads.capacity());
        }
    }

    @Test
    void reportsWhereAFileThatWasCutEnds() throws Exception {
        Path path = folder.resolve("cut.img");
        try (FileStore store = FileStore.open(path, 1 << 20, StoreOptions.DEFAULT, threads);
                FileChannel other = FileChannel.open(path, StandardOpenOption.WRITE)) {
            other.truncate(4096);
            RecordingCompletion done = new RecordingCompletion();
            store.read(2048, new ByteBuffer[] {ByteBuffer.allocate(4096)}, 1, done);
            assertThat(done.await()).isEqualTo(StoreStatus.READ_ERROR);
            assertThat(done.errorOffset()).isEqualTo(4096);
        }
    }

    @Test
    void completesWhatIsQueuedWhenItIsClosed() throws Exception {
        FileStore store = FileStore.open(folder.resolve("closing.img"), 1 << 20, StoreOptions.DEFAULT, threads);
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch entered = new CountDownLatch(2);
        threads.offer(() -> block(entered, gate));
        threads.offer(() -> block(entered, gate));
        entered.await();
        RecordingCompletion queued = startWrite(store);
        store.close();
        gate.countDown();
        assertThat(queued.await()).isEqualTo(StoreStatus.NOT_READY);
        threads.close();
        assertThat(threads.offer(() -> {})).isFalse();
    }

    /** A write, which never completes inline. */
    private static RecordingCompletion startWrite(FileStore store) {
        RecordingCompletion done = new RecordingCompletion();
        store.write(0, new ByteBuffer[] {ByteBuffer.allocateDirect(512)}, 1, false, done);
        return done;
    }

    private static void block(CountDownLatch entered, CountDownLatch gate) {
        entered.countDown();
        try {
            if (!gate.await(20, TimeUnit.SECONDS)) {
                throw new AssertionError("the gate stayed shut");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
