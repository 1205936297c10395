package io.srpt.service;

import io.srpt.initiator.BlockingSrpClient;
import io.srpt.initiator.ScsiResult;
import io.srpt.initiator.SrpException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * An initiator's memory of the disk that it writes: which of its changes each block may hold after the target has crashed.
 * Every block says which one it is and the number of the change that wrote it (8 bytes each, repeated), or is zero. One
 * thread writes and checks; others may ask how far it is.
 */
final class SelfCheckingDisk {
    private static final int LUN = 0;
    private static final int BLOCK = 512;
    private static final int MOST_BLOCKS = 64;
    /** Writes at once, each in a part of the disk of its own: so that some are always under way in the target. */
    private static final int LANES = 16;

    private static final long LIMIT_SECONDS = 60;

    private final int blocks;
    private final boolean keepsAcknowledged;
    private final Random random;
    /** By block: changes that it may hold, the one that it has for sure first. */
    private final List<List<Long>> possible = new ArrayList<>();

    private long changes;
    private volatile long acknowledged;
    private volatile long flushes;

    /**
     * A disk of zeros.
     *
     * @param keepsAcknowledged whether the crashes are such that acknowledged writes are kept, flushed or not: those of a
     *     process whose host goes on
     */
    SelfCheckingDisk(int blocks, boolean keepsAcknowledged, Random random) {
        this.blocks = blocks;
        this.keepsAcknowledged = keepsAcknowledged;
        this.random = random;
        for (int i = 0; i < blocks; i++) {
            possible.add(new ArrayList<>(List.of(0L)));
        }
    }

    /** Acknowledged writes so far. */
    long acknowledged() {
        return acknowledged;
    }

    /** Acknowledged flushes so far. */
    long flushes() {
        return flushes;
    }

    private record Write(int first, int count, CompletableFuture<ScsiResult> result) {
        /** How it ended; null if it has not, or nobody answered. */
        boolean isGood() {
            return result.isDone()
                    && !result.isCompletedExceptionally()
                    && result.join().isGood();
        }
    }

    /** A write of random length in each lane; an error unless all are acknowledged. */
    void write(BlockingSrpClient client) throws SrpException, InterruptedIOException {
        List<Write> writes = new ArrayList<>();
        for (int lane = 0; lane < LANES; lane++) {
            int count = 1 + random.nextInt(MOST_BLOCKS);
            int length = blocks / LANES;
            writes.add(begin(client, lane * length + random.nextInt(length - count + 1), count));
        }
        boolean interrupted = false;
        try {
            CompletableFuture.allOf(writes.stream().map(Write::result).toArray(CompletableFuture<?>[]::new))
                    .get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (ExecutionException | TimeoutException e) {
            // told below
        }
        List<Write> good = writes.stream().filter(Write::isGood).toList();
        good.forEach(this::acknowledge);
        if (interrupted) {
            throw new InterruptedIOException();
        }
        if (good.size() < LANES) {
            throw new SrpException(good.size() + " of " + LANES + " writes were acknowledged");
        }
    }

    private Write begin(BlockingSrpClient client, int first, int count) {
        long change = ++changes;
        ByteBuffer data = ByteBuffer.allocate(count * BLOCK);
        for (int i = 0; i < count; i++) {
            possible.get(first + i).add(change);
            while (data.position() < (i + 1) * BLOCK) {
                data.putLong(first + i).putLong(change);
            }
        }
        byte[] cdb = new byte[16];
        ByteBuffer.wrap(cdb).put(0, (byte) 0x8A).putLong(2, first).putInt(10, count); // WRITE(16)
        return new Write(first, count, client.executeWrite(LUN, cdb, data.array()));
    }

    private void acknowledge(Write write) {
        if (keepsAcknowledged) {
            possible.subList(write.first(), write.first() + write.count()).forEach(SelfCheckingDisk::keepLast);
        }
        acknowledged++;
    }

    /** What was acknowledged becomes durable. */
    void flush(BlockingSrpClient client) throws SrpException, InterruptedIOException {
        client.synchronizeCache(LUN);
        possible.forEach(SelfCheckingDisk::keepLast);
        flushes++;
    }

    private static void keepLast(List<Long> changes) {
        changes.subList(0, changes.size() - 1).clear();
    }

    /** Reads the whole disk; returns how many blocks hold a change. An error when one holds what it must not. */
    int check(BlockingSrpClient client) throws SrpException, InterruptedIOException {
        long length = client.capacity(LUN).blocks();
        if (length != blocks) {
            throw new AssertionError("the disk has " + length + " blocks and not " + blocks);
        }
        int written = 0;
        for (int first = 0; first < blocks; first += MOST_BLOCKS) {
            int count = Math.min(MOST_BLOCKS, blocks - first);
            ByteBuffer data = ByteBuffer.wrap(client.read(LUN, first, count, BLOCK));
            for (int i = 0; i < count; i++) {
                long change = changeIn(data.slice(i * BLOCK, BLOCK), first + i);
                List<Long> allowed = possible.get(first + i);
                if (!allowed.contains(change)) {
                    throw new AssertionError(
                            "block " + (first + i) + " holds change " + change + ", not one of " + allowed);
                }
                possible.set(first + i, new ArrayList<>(List.of(change)));
                written += change == 0 ? 0 : 1;
            }
        }
        return written;
    }

    private static long changeIn(ByteBuffer block, int number) {
        long change = block.getLong(8);
        for (int at = 0; at < BLOCK; at += 16) {
            if (block.getLong(at) != (change == 0 ? 0 : number) || block.getLong(at + 8) != change) {
                throw new AssertionError("block " + number + " is torn or somewhere else's, from byte " + at);
            }
        }
        return change;
    }
}
