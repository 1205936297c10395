package io.srpt.service;

import io.srpt.initiator.BlockingSrpClient;
import io.srpt.initiator.SrpException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * An initiator's memory of the disk that it writes: which of its changes each block may hold after the target has crashed.
 * Every block says which one it is and the number of the change that wrote it (8 bytes each, repeated), or is zero. One
 * thread writes and checks; others may ask how far it is.
 */
public final class SelfCheckingDisk {
    private static final int LUN = 0;
    private static final int BLOCK = 512;
    private static final int MOST_BLOCKS = 64;
    private static final int FLUSH_EACH = 16;

    private final int blocks;
    private final boolean keepsAcknowledged;
    private final Random random;
    /** By block: changes that it may hold, the one that it has for sure first. */
    private final List<List<Long>> possible = new ArrayList<>();

    private long changes;
    private long writes;
    private volatile long acknowledged;

    /**
     * A disk of zeros.
     *
     * @param keepsAcknowledged whether the crashes are such that acknowledged writes are kept, flushed or not: those of a
     *     process whose host goes on
     */
    public SelfCheckingDisk(int blocks, boolean keepsAcknowledged, long seed) {
        this.blocks = blocks;
        this.keepsAcknowledged = keepsAcknowledged;
        this.random = new Random(seed);
        for (int i = 0; i < blocks; i++) {
            possible.add(new ArrayList<>(List.of(0L)));
        }
    }

    /** Acknowledged writes so far. */
    public long acknowledged() {
        return acknowledged;
    }

    /** Writes and flushes until the target is gone, or the thread is interrupted. */
    public void writeUntilCrash(BlockingSrpClient client) {
        try {
            while (true) {
                write(client);
                if (random.nextInt(FLUSH_EACH) == 0) {
                    client.synchronizeCache(LUN);
                    possible.forEach(SelfCheckingDisk::keepLast);
                }
            }
        } catch (SrpException | InterruptedIOException e) {
            // the crash; what was under way may have happened or not
        }
    }

    private void write(BlockingSrpClient client) throws SrpException, InterruptedIOException {
        int count = 1 + random.nextInt(MOST_BLOCKS);
        int first = random.nextInt(blocks - count + 1);
        long change = ++changes;
        ByteBuffer data = ByteBuffer.allocate(count * BLOCK);
        for (int i = 0; i < count; i++) {
            possible.get(first + i).add(change);
            while (data.position() < (i + 1) * BLOCK) {
                data.putLong(first + i).putLong(change);
            }
        }
        client.write(LUN, first, data.array(), BLOCK);
        if (keepsAcknowledged) {
            possible.subList(first, first + count).forEach(SelfCheckingDisk::keepLast);
        }
        acknowledged = ++writes;
    }

    private static void keepLast(List<Long> changes) {
        changes.subList(0, changes.size() - 1).clear();
    }

    /** Reads the whole disk; returns how many blocks hold a change. An error when one holds what it must not. */
    public int check(BlockingSrpClient client) throws SrpException, InterruptedIOException {
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
