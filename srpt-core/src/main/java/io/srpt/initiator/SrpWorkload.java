package io.srpt.initiator;

/**
 * What a {@link SrpBench} does.
 *
 * @param lun logical unit number
 * @param diskBlocks blocks of the disk
 * @param diskBlockSize bytes of one
 * @param transferLength bytes of each command, a multiple of {@code diskBlockSize}
 * @param depth commands in flight
 * @param readPercent how many of 100 commands read; the rest write
 * @param random random places on the disk, or one after the other
 * @param warmupNanos time before measuring
 * @param durationNanos time of measuring
 * @param seed of the places and the mix
 */
public record SrpWorkload(
        int lun,
        long diskBlocks,
        int diskBlockSize,
        int transferLength,
        int depth,
        int readPercent,
        boolean random,
        long warmupNanos,
        long durationNanos,
        long seed) {
    /** Checks that the values fit each other. */
    public SrpWorkload {
        require(diskBlockSize > 0 && diskBlocks > 0, "the disk is empty");
        require(
                transferLength > 0 && transferLength % diskBlockSize == 0,
                "the block size must be a multiple of the disk's " + diskBlockSize + " bytes, is " + transferLength);
        require(
                diskBlocks >= transferLength / diskBlockSize,
                "a block of " + transferLength + " bytes does not fit a disk of " + diskBlocks + " blocks");
        require(depth > 0, "the depth must be at least 1, is " + depth);
        require(readPercent >= 0 && readPercent <= 100, "the mix must be 0 to 100 % reads, is " + readPercent);
        require(durationNanos > 0 && warmupNanos >= 0, "the duration must be above 0");
    }

    /** Disk blocks of each command. */
    public int blocksPerCommand() {
        return transferLength / diskBlockSize;
    }

    /** Places on the disk where a command can go. */
    public long places() {
        return diskBlocks / blocksPerCommand();
    }

    private static void require(boolean valid, String message) {
        if (!valid) {
            throw new IllegalArgumentException(message);
        }
    }
}
