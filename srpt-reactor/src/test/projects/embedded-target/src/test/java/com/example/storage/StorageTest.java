package com.example.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.srpt.initiator.DiscoveredTarget;
import io.srpt.initiator.SrpTargetDiscovery;
import io.srpt.loop.RdmaEventLoop;
import io.srpt.loop.RdmaEventLoops;
import io.srpt.mad.MadPort;
import io.srpt.mad.MadSendCompletion;
import io.srpt.roce.RoceConfiguration;
import io.srpt.roce.RoceDevice;
import io.srpt.roce.net.DatagramPort;
import io.srpt.roce.net.EpollDatagramPort;
import io.srpt.verbs.Gid;
import io.srpt.verbs.RdmaDevice;
import io.srpt.verbs.VerbsException;
import io.srpt.verbs.WorkCompletionStatus;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StorageTest {
    private static final InetAddress TARGET = InetAddress.ofLiteral(System.getProperty("target", "127.0.0.1"));
    private static final InetAddress PEER = InetAddress.ofLiteral(System.getProperty("peer", "127.0.0.2"));
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @Test
    void itsHandlerAndThenItsSubscriberOwnTheCompletions() throws Exception {
        try (Storage storage = new Storage(TARGET);
                RdmaEventLoops loops = new RdmaEventLoops(1, "peer", Duration.ZERO)) {
            RdmaDevice peer = open(loops.loops().getFirst());
            discover(peer);
            assertTrue(storage.handled() > 0, "the handler saw the replies");
            long handled = storage.handled();

            CompletableFuture<MadSendCompletion> first = storage.madSendCompletions()
                    .doOnNext(MadSendCompletion::release)
                    .next()
                    .toFuture();
            discover(peer);
            MadSendCompletion completion = first.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            assertNotNull(completion);
            assertEquals(WorkCompletionStatus.SUCCESS, completion.status());
            assertTrue(storage.handled() >= handled, "the handler goes on when the subscriber has what it wanted");
            peer.ports().getFirst().loop().execute(peer::close);
        }
    }

    private static RdmaDevice open(RdmaEventLoop loop) throws Exception {
        DatagramPort port = EpollDatagramPort.bind(loop, PEER);
        return CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return RoceDevice.open(loop, RoceConfiguration.of("peer", 2, 1024), List.of(port));
                            } catch (VerbsException e) {
                                throw new CompletionException(e);
                            }
                        },
                        loop)
                .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    private static void discover(RdmaDevice peer) throws Exception {
        MadPort port = (MadPort) peer.ports().getFirst();
        List<DiscoveredTarget> found = SrpTargetDiscovery.discover(port, 0, Gid.of(TARGET))
                .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertEquals(1, found.size());
    }
}
