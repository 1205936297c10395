package io.srpt.service;

import io.srpt.initiator.BlockingSrpClient;
import io.srpt.initiator.ScsiResult;
import io.srpt.initiator.SrpException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * An initiator's memory of its registration for persistent reservations, whose key it changes again and again, each time to be
 * kept over a loss of power (APTPL): after a crash the last acknowledged key is there, or the one that was asked for last.
 */
final class KeptKey {
    private static final int LUN = 0;
    private static final int LIST_LENGTH = 24;
    private static final int DATA_LENGTH = 256;
    private static final long LIMIT_SECONDS = 60;

    private long changes;
    /** The two that may be registered; 0 is none. */
    private long acknowledged;

    private long asked;

    /** REGISTER AND IGNORE EXISTING KEY, with APTPL. */
    void change(BlockingSrpClient client) throws SrpException, InterruptedIOException {
        asked = ++changes;
        byte[] cdb = new byte[10];
        ByteBuffer.wrap(cdb).put(0, (byte) 0x5F).put(1, (byte) 0x06).putInt(5, LIST_LENGTH);
        byte[] list = new byte[LIST_LENGTH];
        ByteBuffer.wrap(list).putLong(8, asked).put(20, (byte) 0x01);
        await(client.executeWrite(LUN, cdb, list));
        acknowledged = asked;
    }

    /** READ KEYS; an error when the only registration is not the one that must be there. */
    void check(BlockingSrpClient client) throws SrpException, InterruptedIOException {
        byte[] cdb = new byte[10];
        ByteBuffer.wrap(cdb).put(0, (byte) 0x5E).putShort(7, (short) DATA_LENGTH);
        ByteBuffer data = ByteBuffer.wrap(await(client.executeRead(LUN, cdb, DATA_LENGTH)));
        int length = data.getInt(4);
        long key = length == 0 ? 0 : data.getLong(8);
        if (length > 8 || key != acknowledged && key != asked) {
            throw new AssertionError(length / 8 + " keys are registered, the first is " + key + "; it must be "
                    + acknowledged + " or " + asked);
        }
        acknowledged = key;
        asked = key;
    }

    private static byte[] await(CompletableFuture<ScsiResult> future) throws SrpException, InterruptedIOException {
        try {
            ScsiResult result = future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
            if (!result.isGood()) {
                throw new SrpException("persistent reservations: " + result.description());
            }
            return result.data();
        } catch (InterruptedException e) {
            throw new InterruptedIOException();
        } catch (ExecutionException | TimeoutException e) {
            throw new SrpException("persistent reservations: " + e, e);
        }
    }
}
