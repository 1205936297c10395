package com.example.storage;

import io.srpt.mad.MadAgent;
import io.srpt.mad.MadSendCompletion;
import io.srpt.mad.MadSendHandler;
import io.srpt.service.ServiceException;
import io.srpt.service.SrptServer;
import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Flux;

/** A program with a target in it, which has a handler of its own for management sends. */
public final class Storage implements AutoCloseable {
    private final CountingHandler handler = new CountingHandler();
    private final SrptServer server;

    public Storage(InetAddress address) throws ServiceException {
        server = SrptServer.builder()
                .listen(address)
                .lun("memory:16MiB")
                .runtime(runtime -> runtime.madSendHandler(handler))
                .start();
    }

    /** Owns the completions while nobody subscribes. */
    private static final class CountingHandler implements MadSendHandler {
        private final AtomicLong handled = new AtomicLong();

        @Override
        public void onSendCompletion(MadAgent agent, MadSendCompletion completion) {
            handled.incrementAndGet();
            completion.release();
        }
    }

    /** Management sends that the handler has seen. */
    public long handled() {
        return handler.handled.get();
    }

    /** Takes over from the handler while it is subscribed to; whoever subscribes releases. */
    public Flux<MadSendCompletion> madSendCompletions() {
        return server.streams().madSendCompletions();
    }

    @Override
    public void close() {
        server.close();
    }
}
