package io.srpt.store.testing;

import io.srpt.store.BlockStore;
import io.srpt.store.StoreStatus;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Whether a store gives back what it was given. */
final class DataChecks {
    private static final int WINDOW = RangeChecks.MINIMUM;
    private static final int STEPS = 400;
    private static final int THREADS = 4;

    private DataChecks() {}

    static byte[] pattern(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    static void readsZeros(BlockStore store) {
        byte[] read = pattern(WINDOW, 1);
        Expect.status(StoreStatus.OK, new StoreProbe(store).read(0, read), "a read");
        Expect.same(new byte[WINDOW], read, 0, "where nothing was written");
    }

    static void readsTheSameTwice(BlockStore store) {
        StoreProbe probe = new StoreProbe(store);
        int length = (int) Math.min(store.sizeBytes(), WINDOW);
        byte[] first = new byte[length];
        byte[] second = pattern(length, 1);
        Expect.status(StoreStatus.OK, probe.read(0, first), "a read");
        Expect.status(StoreStatus.OK, probe.read(0, second), "a second read");
        Expect.same(first, second, 0, "a second read");
    }

    /** One whole read, and the same bytes in two parts of larger buffers. */
    static void fillsOnlyTheSegments(BlockStore store) {
        StoreProbe probe = new StoreProbe(store);
        if (!store.readOnly()) {
            Expect.status(StoreStatus.OK, probe.write(512, pattern(1024, 2), false), "a write");
        }
        byte[] expected = new byte[1024];
        Expect.status(StoreStatus.OK, probe.read(512, expected), "a read");
        ByteBuffer first = filled(1024).position(16).limit(528);
        ByteBuffer second = filled(1024).position(256).limit(768);
        Expect.status(StoreStatus.OK, probe.read(512, first, second), "a read into two segments");
        Expect.that(
                first.position() == 16 && first.limit() == 528 && second.position() == 256 && second.limit() == 768,
                "positions and limits must be as before once an operation has ended");
        first.clear();
        second.clear();
        for (int i = 0; i < 1024; i++) {
            byte inFirst = i >= 16 && i < 528 ? expected[i - 16] : (byte) 0xA5;
            byte inSecond = i >= 256 && i < 768 ? expected[512 + i - 256] : (byte) 0xA5;
            Expect.that(first.get(i) == inFirst, "byte %d of the first segment's buffer is wrong", i);
            Expect.that(second.get(i) == inSecond, "byte %d of the second segment's buffer is wrong", i);
        }
    }

    private static ByteBuffer filled(int length) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(length);
        for (int i = 0; i < length; i++) {
            buffer.put(i, (byte) 0xA5);
        }
        return buffer;
    }

    static void behavesLikeAnArray(BlockStore store) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        StoreProbe probe = new StoreProbe(store);
        byte[] model = new byte[WINDOW];
        for (int step = 0; step < STEPS; step++) {
            int blocks = 1 + random.nextInt(random.nextInt(10) == 0 ? 1024 : 32);
            int length = blocks * 512;
            int offset = 512 * random.nextInt((WINDOW - length) / 512 + 1);
            String what = "seed " + seed + ", step " + step;
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                    byte[] data = pattern(length, random.nextLong());
                    Expect.status(StoreStatus.OK, probe.write(offset, data, random.nextInt(8) == 0), what + ", write");
                    System.arraycopy(data, 0, model, offset, length);
                }
                case 3 -> {
                    Expect.status(StoreStatus.OK, probe.unmap(offset, length), what + ", unmap");
                    Arrays.fill(model, offset, offset + length, (byte) 0);
                }
                case 4 -> {
                    boolean mayUnmap = random.nextBoolean();
                    Expect.status(StoreStatus.OK, probe.writeZeroes(offset, length, mayUnmap), what + ", zeros");
                    Arrays.fill(model, offset, offset + length, (byte) 0);
                }
                default -> {
                    byte[] data = new byte[length];
                    Expect.status(StoreStatus.OK, probe.read(offset, data), what + ", read");
                    Expect.same(Arrays.copyOfRange(model, offset, offset + length), data, offset, what + ", read");
                }
            }
        }
    }

    static void writesThrough(BlockStore store) {
        StoreProbe probe = new StoreProbe(store);
        byte[] data = pattern(4096, 4);
        byte[] read = new byte[4096];
        Expect.status(StoreStatus.OK, probe.write(4096, data, true), "a write with fua");
        Expect.status(StoreStatus.OK, probe.flush(), "a flush");
        Expect.status(StoreStatus.OK, probe.read(4096, read), "a read");
        Expect.same(data, read, 4096, "a read after a flush");
    }

    /** Each thread has every fourth 4 KiB block, so that neighbours belong to others. */
    static void keepsThreadsApart(BlockStore store) throws Exception {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            threads.add(Thread.ofPlatform().daemon().name("store-contract-" + i).start(() -> {
                try {
                    useBlocks(new StoreProbe(store), number);
                } catch (RuntimeException | AssertionError e) {
                    failure.compareAndSet(null, e);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        Throwable thrown = failure.get();
        if (thrown != null) {
            throw new AssertionError("with " + THREADS + " threads: " + thrown.getMessage(), thrown);
        }
    }

    private static void useBlocks(StoreProbe probe, int number) {
        int block = 4096;
        for (int round = 0; round < 4; round++) {
            for (int at = number * block; at < WINDOW; at += THREADS * block) {
                boolean unmap = (round & 1) == 1 && (at / block & 4) != 0;
                StoreStatus status =
                        unmap ? probe.unmap(at, block) : probe.write(at, pattern(block, at + round), false);
                Expect.status(StoreStatus.OK, status, unmap ? "an unmap" : "a write");
                byte[] read = new byte[block];
                Expect.status(StoreStatus.OK, probe.read(at, read), "a read");
                Expect.same(unmap ? new byte[block] : pattern(block, at + round), read, at, "what was just written");
            }
        }
    }

    static void keepsData(BlockStore store, StoreContract.Opener again) throws Exception {
        StoreProbe probe = new StoreProbe(store);
        byte[] data = pattern(8192, 5);
        Expect.status(StoreStatus.OK, probe.write(512, data, false), "a write");
        Expect.status(StoreStatus.OK, probe.unmap(4096, 4096), "an unmap");
        Arrays.fill(data, 4096 - 512, 8192 - 512, (byte) 0);
        Expect.status(StoreStatus.OK, probe.flush(), "a flush");
        long size = store.sizeBytes();
        store.close();
        try (BlockStore reopened = again.open()) {
            Expect.that(reopened.sizeBytes() == size, "the size must be %d and is %d", size, reopened.sizeBytes());
            byte[] read = new byte[8192];
            Expect.status(StoreStatus.OK, new StoreProbe(reopened).read(512, read), "a read after reopening");
            Expect.same(data, read, 512, "a read after reopening");
        }
    }
}
