package io.srpt.scsi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * What a disk must hold: its blocks and, for blocks that an aborted write may or may not have reached, what they may hold
 * instead.
 */
final class ModelDisk {
    final int lun;
    final int blockSize;
    final int blocks;
    final boolean thin;
    final boolean readOnly;
    final int maxTransferBlocks;
    /** As the disk tells in its block limits page. */
    final int maxCompareBlocks;

    private final byte[] data;
    private final Map<Integer, List<byte[]>> instead = new HashMap<>();

    ModelDisk(
            int lun,
            int blockSize,
            int blocks,
            boolean thin,
            boolean readOnly,
            int maxTransferBlocks,
            int maxCompareBlocks) {
        this.lun = lun;
        this.blockSize = blockSize;
        this.blocks = blocks;
        this.thin = thin;
        this.readOnly = readOnly;
        this.maxTransferBlocks = maxTransferBlocks;
        this.maxCompareBlocks = maxCompareBlocks;
        this.data = new byte[blockSize * blocks];
    }

    byte[] bytes(int lba, int count) {
        return Arrays.copyOfRange(data, lba * blockSize, (lba + count) * blockSize);
    }

    boolean isCertain(int lba, int count) {
        return instead.keySet().stream().noneMatch(block -> block >= lba && block < lba + count);
    }

    /** A write has ended well. */
    void written(int lba, byte[] bytes) {
        System.arraycopy(bytes, 0, data, lba * blockSize, bytes.length);
        for (int i = 0; i < bytes.length / blockSize; i++) {
            instead.remove(lba + i);
        }
    }

    /** A write was aborted: each of its blocks may be there. */
    void mayBeWritten(int lba, byte[] bytes) {
        for (int i = 0; i < bytes.length / blockSize; i++) {
            instead.computeIfAbsent(lba + i, block -> new ArrayList<>())
                    .add(Arrays.copyOfRange(bytes, i * blockSize, (i + 1) * blockSize));
        }
    }

    /** Blocks were read: whether they may be so. From now on they are. */
    boolean mayRead(int lba, byte[] bytes) {
        for (int i = 0; i < bytes.length / blockSize; i++) {
            byte[] block = Arrays.copyOfRange(bytes, i * blockSize, (i + 1) * blockSize);
            List<byte[]> others = instead.getOrDefault(lba + i, List.of());
            instead.remove(lba + i);
            int at = (lba + i) * blockSize;
            if (others.stream().anyMatch(other -> Arrays.equals(block, other))) {
                System.arraycopy(block, 0, data, at, blockSize);
            } else if (!Arrays.equals(block, 0, blockSize, data, at, at + blockSize)) {
                return false;
            }
        }
        return true;
    }

    /** Blocks to write; sometimes zeros. */
    byte[] random(Random random, int count) {
        byte[] bytes = new byte[count * blockSize];
        if (random.nextInt(8) != 0) {
            random.nextBytes(bytes);
        }
        return bytes;
    }
}
