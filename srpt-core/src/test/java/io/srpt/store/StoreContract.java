package io.srpt.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every store must do; a test class per store extends it. */
abstract class StoreContract {
    static final int SIZE = 5 << 20;

    private BlockStore store;

    abstract BlockStore open() throws Exception;

    @BeforeEach
    void openStore() throws Exception {
        store = open();
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    @Test
    void hasTheSizeItWasOpenedWith() {
        assertThat(store.sizeBytes()).isEqualTo(SIZE);
        assertThat(store.readOnly()).isFalse();
    }

    @Test
    void readsZerosWhereNothingWasWritten() throws Exception {
        byte[] read = new byte[SIZE];
        Arrays.fill(read, (byte) 0x5A);
        assertThat(read(0, read)).isEqualTo(StoreStatus.OK);
        assertThat(read).isEqualTo(new byte[SIZE]);
    }

    @Test
    void touchesOnlyWhatLiesBetweenPositionAndLimit() throws Exception {
        assertThat(write(1000, pattern(300, 1))).isEqualTo(StoreStatus.OK);
        ByteBuffer first = ByteBuffer.allocateDirect(200).position(10).limit(110);
        ByteBuffer second = ByteBuffer.allocateDirect(300).position(50).limit(250);
        RecordingCompletion done = new RecordingCompletion();
        store.read(1000, new ByteBuffer[] {first, second, ByteBuffer.allocate(9)}, 2, done);
        assertThat(done.await()).isEqualTo(StoreStatus.OK);

        assertThat(first.position()).isEqualTo(10);
        assertThat(first.limit()).isEqualTo(110);
        assertThat(second.position()).isEqualTo(50);
        byte[] expected = pattern(300, 1);
        for (int i = 0; i < 200; i++) {
            assertThat(first.clear().get(i)).isEqualTo(i >= 10 && i < 110 ? expected[i - 10] : (byte) 0);
        }
        for (int i = 0; i < 300; i++) {
            assertThat(second.clear().get(i)).isEqualTo(i >= 50 && i < 250 ? expected[i + 50] : (byte) 0);
        }
    }

    @Test
    void refusesRangesOutsideTheStore() throws Exception {
        assertThat(write(SIZE - 10, new byte[11])).isEqualTo(StoreStatus.OUT_OF_RANGE);
        assertThat(read(-1, new byte[1])).isEqualTo(StoreStatus.OUT_OF_RANGE);
        assertThat(read(Long.MAX_VALUE, new byte[1])).isEqualTo(StoreStatus.OUT_OF_RANGE);
        assertThat(write(SIZE - 10, new byte[10])).isEqualTo(StoreStatus.OK);
    }

    @Test
    void behavesLikeAnArrayUnderRandomReadsAndWrites() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] model = new byte[SIZE];
        for (int i = 0; i < 300; i++) {
            int length = 1 + random.nextInt(random.nextInt(10) == 0 ? 2 << 20 : 10_000);
            int offset = random.nextInt(SIZE - length + 1);
            if (random.nextBoolean()) {
                byte[] data = pattern(length, random.nextLong());
                assertThat(write(offset, data)).as("seed %d", seed).isEqualTo(StoreStatus.OK);
                System.arraycopy(data, 0, model, offset, length);
            } else {
                byte[] data = new byte[length];
                assertThat(read(offset, data)).as("seed %d", seed).isEqualTo(StoreStatus.OK);
                assertThat(Arrays.equals(data, 0, length, model, offset, offset + length))
                        .as("seed %d, step %d", seed, i)
                        .isTrue();
            }
        }
    }

    @Test
    void flushesAndWritesThrough() throws Exception {
        RecordingCompletion written = new RecordingCompletion();
        store.write(0, new ByteBuffer[] {ByteBuffer.wrap(pattern(512, 3))}, 1, true, written);
        assertThat(written.await()).isEqualTo(StoreStatus.OK);
        RecordingCompletion flushed = new RecordingCompletion();
        store.flush(flushed);
        assertThat(flushed.await()).isEqualTo(StoreStatus.OK);
    }

    @Test
    void isNotReadyOnceClosed() throws Exception {
        store.close();
        store.close();
        assertThat(read(0, new byte[1])).isEqualTo(StoreStatus.NOT_READY);
        assertThat(write(0, new byte[1])).isEqualTo(StoreStatus.NOT_READY);
    }

    StoreStatus read(long offset, byte[] to) throws InterruptedException {
        RecordingCompletion done = new RecordingCompletion();
        store.read(offset, new ByteBuffer[] {ByteBuffer.wrap(to)}, 1, done);
        return done.await();
    }

    StoreStatus write(long offset, byte[] from) throws InterruptedException {
        RecordingCompletion done = new RecordingCompletion();
        store.write(offset, new ByteBuffer[] {ByteBuffer.wrap(from)}, 1, false, done);
        return done.await();
    }

    static byte[] pattern(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
