package io.srpt.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.store.testing.StoreContract;
import io.srpt.store.testing.StoreContract.Check;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The store on a block device of the kernel. */
class BlockDeviceStoreTest {
    private static final int SIZE = 4 << 20;

    @TempDir
    private Path folder;

    private final StoreThreads threads = new StoreThreads("test-block-store", 2, 30);

    @AfterEach
    void endThreads() {
        threads.close();
    }

    private LoopDevice attach(String... options) throws Exception {
        return LoopDevice.attach(folder.resolve("medium.img"), SIZE, options);
    }

    private FileStore open(LoopDevice loop, StoreOptions options) throws StoreException {
        return FileStore.openDevice(loop.device(), options, threads);
    }

    @ParameterizedTest
    @CsvSource({"true, false", "false, false", "true, true"})
    void keepsTheContract(boolean thin, boolean direct) throws Exception {
        StoreOptions options = StoreOptions.DEFAULT.withThin(thin).withDirect(direct);
        try (LoopDevice loop = attach()) {
            StoreContract contract =
                    StoreContract.of(() -> emptied(open(loop, options))).reopenedBy(() -> open(loop, options));
            for (Check check : contract.checks()) {
                check.run();
            }
        }
    }

    private static FileStore emptied(FileStore store) throws Exception {
        RecordingCompletion done = new RecordingCompletion();
        store.unmap(0, store.sizeBytes(), true, done);
        assertThat(done.await()).isEqualTo(StoreStatus.OK);
        return store;
    }

    @Test
    void whatIsFlushedIsOnTheMediumAndWhatIsUnmappedGivesItsSpaceBack() throws Exception {
        byte[] data = new byte[1 << 20];
        new Random(11).nextBytes(data);
        try (LoopDevice loop = attach();
                FileStore store = open(loop, StoreOptions.DEFAULT)) {
            assertThat(store.sizeBytes()).isEqualTo(SIZE);
            assertThat(store.thin()).isTrue();
            assertThat(store.physicalBlockSize()).isBetween(512, 4096);
            assertThat(write(store, 4096, data, false)).isEqualTo(StoreStatus.OK);
            assertThat(flush(store)).isEqualTo(StoreStatus.OK);
            byte[] medium = Files.readAllBytes(loop.file());
            assertThat(ByteBuffer.wrap(medium, 4096, data.length)).isEqualTo(ByteBuffer.wrap(data));
            long occupied = DiskUsage.kib(loop.file());
            assertThat(occupied).isGreaterThanOrEqualTo(1024);

            RecordingCompletion done = new RecordingCompletion();
            store.unmap(8192 + 512, data.length / 2, true, done);
            assertThat(done.await()).isEqualTo(StoreStatus.OK);
            assertThat(DiskUsage.kib(loop.file())).isLessThan(occupied - 500);
            byte[] expected = data.clone();
            Arrays.fill(expected, 4096 + 512, 4096 + 512 + data.length / 2, (byte) 0);
            assertThat(read(store, 4096, data.length)).isEqualTo(expected);
        }
    }

    @Test
    void growsWithItsDevice() throws Exception {
        try (LoopDevice loop = attach();
                FileStore store = open(loop, StoreOptions.DEFAULT)) {
            AtomicLong heard = new AtomicLong();
            store.onCapacityChange(heard::set);
            RecordingCompletion refused = new RecordingCompletion();
            store.grow(2 * SIZE, refused);
            assertThat(refused.await()).isEqualTo(StoreStatus.NOT_SUPPORTED);
            loop.grow(2 * SIZE);
            RecordingCompletion looked = new RecordingCompletion();
            store.rescan(looked);
            assertThat(looked.await()).isEqualTo(StoreStatus.OK);
            assertThat(store.sizeBytes()).isEqualTo(2 * SIZE).isEqualTo(heard.get());
            assertThat(write(store, 2 * SIZE - 512, new byte[512], true)).isEqualTo(StoreStatus.OK);
        }
    }

    @Test
    void isOneStoresOnlyUnlessAllRead() throws Exception {
        try (LoopDevice loop = attach()) {
            try (FileStore store = open(loop, StoreOptions.DEFAULT)) {
                assertThat(store.readOnly()).isFalse();
                assertThatThrownBy(() -> open(loop, StoreOptions.DEFAULT))
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining(loop.device().toString());
            }
            StoreOptions readOnly = StoreOptions.DEFAULT.withReadOnly(true);
            try (FileStore one = open(loop, readOnly);
                    FileStore another = open(loop, readOnly)) {
                assertThat(read(another, 0, 512)).isEqualTo(new byte[512]);
                assertThat(write(one, 0, new byte[512], false)).isEqualTo(StoreStatus.WRITE_PROTECTED);
            }
            assertThatThrownBy(() -> FileStore.openDevice(loop.file(), StoreOptions.DEFAULT, threads))
                    .hasMessageContaining("not a block device");
        }
    }

    @Test
    void blocksOf4096BytesMayBeWrittenAndUnmappedInParts() throws Exception {
        byte[] data = new byte[16384];
        new Random(12).nextBytes(data);
        try (LoopDevice loop = attach("--sector-size", "4096");
                FileStore store = open(loop, StoreOptions.DEFAULT.withDirect(true))) {
            assertThat(store.physicalBlockSize()).isEqualTo(4096);
            assertThat(write(store, 512, data, true)).isEqualTo(StoreStatus.OK);
            RecordingCompletion done = new RecordingCompletion();
            store.unmap(2560, 8192, true, done);
            assertThat(done.await()).isEqualTo(StoreStatus.OK);
            Arrays.fill(data, 2048, 10240, (byte) 0);
            assertThat(read(store, 512, data.length)).isEqualTo(data);
        }
    }

    private static StoreStatus write(FileStore store, long offset, byte[] data, boolean fua) throws Exception {
        RecordingCompletion done = new RecordingCompletion();
        store.write(offset, new ByteBuffer[] {ByteBuffer.wrap(data)}, 1, fua, done);
        return done.await();
    }

    private static StoreStatus flush(FileStore store) throws Exception {
        RecordingCompletion done = new RecordingCompletion();
        store.flush(done);
        return done.await();
    }

    private static byte[] read(FileStore store, long offset, int length) throws Exception {
        byte[] data = new byte[length];
        RecordingCompletion done = new RecordingCompletion();
        store.read(offset, new ByteBuffer[] {ByteBuffer.wrap(data)}, 1, done);
        assertThat(done.await()).isEqualTo(StoreStatus.OK);
        return data;
    }
}
