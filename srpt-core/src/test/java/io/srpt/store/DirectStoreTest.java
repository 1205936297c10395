package io.srpt.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether direct I/O leaves the page cache alone, by what the kernel says is in there ({@code mincore}). */
class DirectStoreTest {
    private static final int PAGE = 4096;
    private static final int PAGES = 16;
    private static final int LENGTH = PAGES * PAGE;

    /** Below the build's own folder, since the machine's temporary one may be memory. */
    @TempDir(factory = BuildFolder.class)
    private Path folder;

    private final StoreThreads threads = new StoreThreads("test-direct-store", 2, 30);

    @AfterEach
    void endThreads() {
        threads.close();
    }

    private FileStore open(boolean direct) throws StoreException {
        return FileStore.open(
                folder.resolve(direct + ".img"), 1 << 20, StoreOptions.DEFAULT.withDirect(direct), threads);
    }

    /** How many of the first {@link #PAGES} pages of the file are in the page cache. */
    private int cachedPages(boolean direct) throws Exception {
        int cached = 0;
        try (FileChannel file = FileChannel.open(folder.resolve(direct + ".img"), StandardOpenOption.READ)) {
            for (int page = 0; page < PAGES; page++) {
                cached += file.map(MapMode.READ_ONLY, (long) page * PAGE, PAGE).isLoaded() ? 1 : 0;
            }
        }
        return cached;
    }

    private static ByteBuffer random(int alignment) {
        byte[] bytes = new byte[LENGTH];
        new Random(5).nextBytes(bytes);
        ByteBuffer buffer = ByteBuffer.allocateDirect(LENGTH + 2 * PAGE).alignedSlice(PAGE);
        return buffer.slice(alignment, LENGTH).put(0, bytes);
    }

    private static void write(FileStore store, long offset, ByteBuffer data) throws Exception {
        RecordingCompletion done = new RecordingCompletion();
        store.write(offset, new ByteBuffer[] {data}, 1, false, done);
        assertThat(done.await()).isEqualTo(StoreStatus.OK);
    }

    private static ByteBuffer read(FileStore store, long offset, int alignment) throws Exception {
        ByteBuffer data = random(alignment).put(0, new byte[LENGTH]);
        RecordingCompletion done = new RecordingCompletion();
        store.read(offset, new ByteBuffer[] {data}, 1, done);
        assertThat(done.await()).isEqualTo(StoreStatus.OK);
        return data;
    }

    @Test
    void alignedTransfersLeaveThePageCacheAlone() throws Exception {
        try (FileStore store = open(true)) {
            write(store, 0, random(0));
            assertThat(read(store, 0, 0)).isEqualTo(random(0));
            assertThat(cachedPages(true)).isZero();
        }
        try (FileStore store = open(false)) {
            write(store, 0, random(0));
            assertThat(cachedPages(false)).as("what the same leaves without").isEqualTo(PAGES);
        }
    }

    /** Memory, place or both are not aligned: what one view has written the other one reads. */
    @Test
    void unalignedTransfersSeeTheSameBytes() throws Exception {
        try (FileStore store = open(true)) {
            write(store, 0, random(0));
            assertThat(read(store, 0, 8)).isEqualTo(random(0));
            write(store, 0, random(8).put(0, (byte) 99));
            assertThat(read(store, 0, 0)).isEqualTo(random(0).put(0, (byte) 99));
            write(store, 512 + 8, random(0));
            assertThat(read(store, 512 + 8, 8)).isEqualTo(random(0));
            assertThat(read(store, 0, 0).slice(520, LENGTH - 520))
                    .isEqualTo(random(0).slice(0, LENGTH - 520));
        }
    }
}
