package io.srpt.service;

import io.srpt.initiator.BlockingSrpClient;
import io.srpt.initiator.SrpException;
import java.io.InterruptedIOException;
import java.util.Random;

/** What an initiator does to a target that is about to crash, and what must be there afterwards. One thread. */
final class CrashLoad {
    private static final int OTHER_EACH = 4;
    /** In a row: so that a crash is as likely to come here as among the writes. */
    private static final int KEY_CHANGES = 8;

    private final Random random;
    private final SelfCheckingDisk disk;
    private final KeptKey key = new KeptKey();

    /** For a disk of zeros; see {@link SelfCheckingDisk#SelfCheckingDisk}. */
    CrashLoad(int blocks, boolean keepsAcknowledged, long seed) {
        random = new Random(seed);
        disk = new SelfCheckingDisk(blocks, keepsAcknowledged, random);
    }

    /** Acknowledged writes so far; any thread. */
    long acknowledged() {
        return disk.acknowledged();
    }

    /** Acknowledged flushes so far; any thread. */
    long flushes() {
        return disk.flushes();
    }

    /** Checks everything; returns how many blocks hold a change. An error when something acknowledged is lost. */
    int check(BlockingSrpClient client) throws SrpException, InterruptedIOException {
        int written = disk.check(client);
        key.check(client);
        return written;
    }

    /** Writes, flushes and changes its registration until the target is gone, or the thread is interrupted. */
    void runUntilCrash(BlockingSrpClient client) {
        try {
            while (true) {
                disk.write(client);
                switch (random.nextInt(OTHER_EACH)) {
                    case 0 -> disk.flush(client);
                    case 1 -> {
                        for (int i = 0; i < KEY_CHANGES; i++) {
                            key.change(client);
                        }
                    }
                    default -> {}
                }
            }
        } catch (SrpException | InterruptedIOException e) {
            // the crash; what was under way may have happened or not
        }
    }
}
