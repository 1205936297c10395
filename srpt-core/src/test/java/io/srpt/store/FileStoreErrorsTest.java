package io.srpt.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of the errors of system calls, and of calls that do less than they were asked for. */
class FileStoreErrorsTest {
    private static final int SIZE = 1 << 20;

    private final StoreThreads threads = new StoreThreads("store-errors", 2, 30);
    private final List<InjectedCalls> opened = new ArrayList<>();

    @TempDir
    private Path folder;

    private FileStore store;
    private InjectedCalls calls;

    @BeforeEach
    void open() throws Exception {
        store = FileStore.open(folder.resolve("disk.img"), SIZE, StoreOptions.DEFAULT, threads, real -> {
            opened.add(new InjectedCalls(real));
            return opened.getLast();
        });
        calls = opened.getLast();
        assertThat(write(0, 64 * 1024, false).await()).isEqualTo(StoreStatus.OK);
        calls.made.clear();
    }

    @AfterEach
    void close() {
        store.close();
        threads.close();
    }

    private RecordingCompletion write(long offset, int length, boolean fua) {
        RecordingCompletion done = new RecordingCompletion();
        store.write(offset, new ByteBuffer[] {filled(length)}, 1, fua, done);
        return done;
    }

    private static ByteBuffer filled(int length) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(length);
        for (int i = 0; i < length; i++) {
            bytes.put(i, (byte) (i * 7 + 1));
        }
        return bytes;
    }

    private RecordingCompletion flush() {
        RecordingCompletion done = new RecordingCompletion();
        store.flush(done);
        return done;
    }

    private RecordingCompletion read(long offset, ByteBuffer to) {
        RecordingCompletion done = new RecordingCompletion();
        store.read(offset, new ByteBuffer[] {to}, 1, done);
        return done;
    }

    private static @Nullable Long failing(String name, String call, int errno) {
        return call.equals(name) ? -(long) errno : null;
    }

    @ParameterizedTest
    @CsvSource({
        "5, READ_ERROR, WRITE_ERROR",
        "28, NO_SPACE, NO_SPACE",
        "122, NO_SPACE, NO_SPACE",
        "30, WRITE_PROTECTED, WRITE_PROTECTED",
        "6, NOT_READY, NOT_READY",
        "19, NOT_READY, NOT_READY",
        "12, BUSY, BUSY",
        "61, READ_ERROR, WRITE_ERROR",
        "14, INTERNAL_ERROR, INTERNAL_ERROR"
    })
    void mapsTheErrorsOfReadsAndWrites(int errno, StoreStatus read, StoreStatus write) throws Exception {
        calls.injection = (call, offset, length) -> -(long) errno;
        assertThat(read(0, ByteBuffer.allocateDirect(512)).await()).isEqualTo(read);
        assertThat(write(0, 512, false).await()).isEqualTo(write);
    }

    @Test
    void tellsTheFirstByteThatCannotBeRead() throws Exception {
        long bad = 5 * 4096;
        calls.injection = (call, offset, length) -> {
            if (!call.startsWith("read")) {
                return null;
            }
            if (call.equals("readNow")) {
                return -(long) Errno.EAGAIN;
            }
            return offset < bad ? Math.min(length, bad - offset) : -(long) Errno.EIO;
        };
        RecordingCompletion done = read(4096, ByteBuffer.allocateDirect(32 * 1024));
        assertThat(done.await()).isEqualTo(StoreStatus.READ_ERROR);
        assertThat(done.errorOffset()).isEqualTo(bad);
    }

    @Test
    void aNewFileWhoseFolderCannotBeSyncedIsNotOpened() {
        Path path = folder.resolve("new.img");
        assertThatThrownBy(() -> FileStore.open(path, SIZE, StoreOptions.DEFAULT, threads, real -> {
                    InjectedCalls made = new InjectedCalls(real);
                    made.injection = (call, offset, length) -> failing("syncFolder", call, Errno.EIO);
                    return made;
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("file:" + path + " cannot be kept in its folder: ");
    }

    @Test
    void aFailedFlushSticksThoughTheKernelForgets() throws Exception {
        calls.injection = (call, offset, length) -> failing("sync", call, Errno.EIO);
        assertThat(flush().await()).isEqualTo(StoreStatus.FLUSH_ERROR);
        calls.injection = (call, offset, length) -> null;
        assertThat(flush().await()).isEqualTo(StoreStatus.FLUSH_ERROR);
        assertThat(write(0, 512, true).await()).isEqualTo(StoreStatus.FLUSH_ERROR);
        assertThat(write(0, 512, false).await()).isEqualTo(StoreStatus.OK);
        assertThat(read(0, ByteBuffer.allocateDirect(512)).await()).isEqualTo(StoreStatus.OK);
        assertThat(calls.count("sync")).isEqualTo(1);
    }

    @Test
    void oneSyncAtATimeServesAllThatWait() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        calls.injection = (call, offset, length) -> {
            if (call.equals("sync")) {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                await(gate);
                running.decrementAndGet();
            }
            return null;
        };
        List<RecordingCompletion> writes = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            writes.add(write(i * 4096L, 4096, true));
        }
        while (calls.count("write") < 16) {
            Thread.onSpinWait();
        }
        gate.countDown();
        for (RecordingCompletion each : writes) {
            assertThat(each.await()).isEqualTo(StoreStatus.OK);
        }
        assertThat(most.get()).isEqualTo(1);
        assertThat(calls.count("sync")).isLessThan(16);
    }

    /** The kernel tells one of the two of the loss; the other one waited for the same data. */
    @Test
    void aFlushThatWaitedBehindAFailedOneFailsToo() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        AtomicInteger syncs = new AtomicInteger();
        calls.injection = (call, offset, length) -> {
            if (!call.equals("sync")) {
                return null;
            }
            entered.countDown();
            await(gate);
            return syncs.getAndIncrement() == 0 ? -(long) Errno.EIO : 0;
        };
        RecordingCompletion first = flush();
        await(entered);
        RecordingCompletion second = flush();
        gate.countDown();
        assertThat(first.await()).isEqualTo(StoreStatus.FLUSH_ERROR);
        assertThat(second.await()).isEqualTo(StoreStatus.FLUSH_ERROR);
    }

    @Test
    void goesOnAfterShortAndInterruptedCalls() throws Exception {
        ByteBuffer expected = filled(10_000);
        AtomicInteger count = new AtomicInteger();
        calls.injection = (call, offset, length) -> count.incrementAndGet() % 2 == 0 ? -(long) Errno.EINTR : null;
        assertThat(write(512, 10_000, true).await()).isEqualTo(StoreStatus.OK);
        ByteBuffer read = ByteBuffer.allocateDirect(10_000);
        assertThat(read(512, read).await()).isEqualTo(StoreStatus.OK);
        assertThat(read).isEqualTo(expected);
    }

    @Test
    void readsOnTheCallersThreadWhatThePageCacheHas() throws Exception {
        ByteBuffer read = ByteBuffer.allocateDirect(4096);
        RecordingCompletion done = read(0, read);
        assertThat(done.isDone()).isTrue();
        assertThat(read).isEqualTo(filled(4096));

        calls.injection = (call, offset, length) -> failing("readNow", call, Errno.EAGAIN);
        assertThat(read(0, read).await()).isEqualTo(StoreStatus.OK);
        assertThat(calls.count("read")).isEqualTo(1);

        calls.injection = (call, offset, length) -> failing("readNow", call, Errno.EOPNOTSUPP);
        assertThat(read(0, read).await()).isEqualTo(StoreStatus.OK);
        assertThat(read(0, read).await()).isEqualTo(StoreStatus.OK);
        assertThat(calls.count("readNow")).isEqualTo(3);
    }

    @Test
    void seldomTriesTheCallersThreadWhileThePageCacheMisses() throws Exception {
        calls.injection = (call, offset, length) -> failing("readNow", call, Errno.EAGAIN);
        for (int i = 0; i < 200; i++) {
            assertThat(read(0, ByteBuffer.allocateDirect(512)).await()).isEqualTo(StoreStatus.OK);
        }
        assertThat(calls.count("readNow")).isBetween(8L, 25L);
    }

    @Test
    void writesZerosWhereTheFileSystemCanDoNothingBetter() throws Exception {
        calls.injection =
                (call, offset, length) -> call.equals("punch") || call.equals("zero") ? -(long) Errno.EOPNOTSUPP : null;
        RecordingCompletion done = new RecordingCompletion();
        store.unmap(1000, 50_000, false, done);
        assertThat(done.await()).isEqualTo(StoreStatus.OK);
        ByteBuffer read = ByteBuffer.allocateDirect(64 * 1024);
        assertThat(read(0, read).await()).isEqualTo(StoreStatus.OK);
        ByteBuffer expected = filled(64 * 1024);
        for (int i = 1000; i < 51_000; i++) {
            expected.put(i, (byte) 0);
        }
        assertThat(read).isEqualTo(expected);
        assertThat(calls.made).contains("punch", "zero", "write");
    }

    @Test
    void takesTheLengthThatTheFileWasGivenFromOutside() throws Exception {
        AtomicLong heard = new AtomicLong();
        store.onCapacityChange(heard::set);
        try (FileChannel other = FileChannel.open(folder.resolve("disk.img"), StandardOpenOption.WRITE)) {
            other.write(ByteBuffer.allocate(1), 2 * SIZE - 1);
        }
        RecordingCompletion done = new RecordingCompletion();
        store.rescan(done);
        assertThat(done.await()).isEqualTo(StoreStatus.OK);
        assertThat(store.sizeBytes()).isEqualTo(2 * SIZE);
        assertThat(heard.get()).isEqualTo(2 * SIZE);
        assertThat(store.usage().allocatedBytes()).isBetween(64L * 1024, (long) SIZE);
        assertThat(store.usage().availableBytes()).isPositive();
    }

    @Test
    void growsOnlyWhenTheNewLengthIsDurable() throws Exception {
        AtomicLong heard = new AtomicLong();
        store.onCapacityChange(heard::set);
        calls.injection = (call, offset, length) -> failing("sync", call, Errno.EIO);
        RecordingCompletion done = new RecordingCompletion();
        store.grow(2 * SIZE, done);
        assertThat(done.await()).isEqualTo(StoreStatus.FLUSH_ERROR);
        RecordingCompletion looked = new RecordingCompletion();
        store.rescan(looked);
        assertThat(looked.await()).isEqualTo(StoreStatus.OK);
        assertThat(heard.get()).isZero();
        assertThat(store.sizeBytes()).isEqualTo(SIZE);
    }

    @Test
    void closesTheFileOnlyWhenTheLastCallHasEnded() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        calls.injection = (call, offset, length) -> {
            if (call.equals("write")) {
                entered.countDown();
                await(gate);
            }
            return null;
        };
        RecordingCompletion done = write(0, 512, false);
        await(entered);
        Thread closer = Thread.ofPlatform().start(store::close);
        while (!Objects.equals(StoreStatus.NOT_READY, write(0, 512, false).statusNow())) {
            Thread.onSpinWait();
        }
        assertThat(calls.count("close")).isZero();
        gate.countDown();
        assertThat(done.await()).isEqualTo(StoreStatus.OK);
        closer.join();
        assertThat(calls.count("close")).isEqualTo(1);
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(20, TimeUnit.SECONDS)) {
                throw new AssertionError("waited in vain");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
