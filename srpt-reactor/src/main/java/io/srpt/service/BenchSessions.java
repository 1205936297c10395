package io.srpt.service;

import io.srpt.initiator.BlockingSrpClient;
import io.srpt.initiator.SrpException;
import io.srpt.initiator.SrpSession;
import io.srpt.initiator.SrpSessionConfiguration;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The channels of one initiator that {@code bench} loads, and those that it only holds. Logged in one after the other, so that
 * their rate says what a login takes.
 *
 * <p>Threads: any but the loop.
 */
final class BenchSessions implements AutoCloseable {
    private static final double NANOS_PER_SECOND = 1e9;

    private final List<BlockingSrpClient> clients = new ArrayList<>();
    private final int busy;
    private long loginNanos;

    private BenchSessions(int busy) {
        this.busy = busy;
    }

    /**
     * Logs in.
     *
     * @param configuration of one channel
     * @param channels how many in all
     * @param busy how many of them share the commands in flight
     * @param depth how many commands those are
     */
    static BenchSessions login(
            InitiatorHost host, SrpSessionConfiguration.Builder configuration, int channels, int busy, int depth)
            throws SrpException, InterruptedIOException {
        BenchSessions made = new BenchSessions(busy);
        long began = System.nanoTime();
        try {
            for (int index = 0; index < channels; index++) {
                // The first ends what an earlier run has left there.
                made.clients.add(host.login(configuration
                        .multiChannel(index > 0)
                        .queueDepth(index < busy ? slots(depth, busy) : 1)
                        .build()));
            }
        } catch (SrpException | InterruptedIOException e) {
            made.closeAfter(e);
            throw e;
        }
        made.loginNanos = System.nanoTime() - began;
        return made;
    }

    /** Answers overtake each other, so that several channels have more than their share in flight at times. */
    private static int slots(int depth, int busy) {
        return busy == 1 ? depth : Math.min(depth, 2 * Math.ceilDiv(depth, busy));
    }

    BlockingSrpClient first() {
        return clients.getFirst();
    }

    /** Those that are to be loaded. */
    List<SrpSession> busy() {
        return clients.subList(0, busy).stream().map(BlockingSrpClient::session).toList();
    }

    int channels() {
        return clients.size();
    }

    double loginsPerSecond() {
        return clients.size() * NANOS_PER_SECOND / Math.max(1, loginNanos);
    }

    /** Logs out. */
    @Override
    public void close() throws IOException {
        IOException failure = closeAll();
        if (failure != null) {
            throw failure;
        }
    }

    private void closeAfter(IOException cause) {
        IOException failure = closeAll();
        if (failure != null) {
            cause.addSuppressed(failure);
        }
    }

    private @Nullable IOException closeAll() {
        IOException failure = null;
        for (BlockingSrpClient client : clients) {
            try {
                client.close();
            } catch (IOException e) {
                failure = e;
            }
        }
        return failure;
    }
}
