package io.srpt.examples;

import io.srpt.mad.MadSendCompletion;
import io.srpt.service.ServiceException;
import io.srpt.service.SrptServer;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.time.Duration;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/** Subscribes to the completions of management sends, and so owns them, and prints how many there are a second. */
public final class MadSendRate {
    private MadSendRate() {}

    public static void main(String[] args) throws ServiceException, IOException {
        InetAddress address = InetAddress.getByName(args.length > 0 ? args[0] : "127.0.0.1");
        try (SrptServer server =
                SrptServer.builder().listen(address).lun("memory:16MiB").start()) {
            Disposable printing = print(server, System.out);
            System.in.read();
            printing.dispose();
        }
    }

    /** Begins to print. */
    static Disposable print(SrptServer server, PrintStream out) {
        // README
        Flux<MadSendCompletion> completions = server.streams().madSendCompletions();
        return completions
                .doOnNext(MadSendCompletion::release) // who subscribes to an owning stream releases what comes
                .window(Duration.ofSeconds(1))
                .flatMap(Flux::count)
                .subscribe(rate -> out.println(rate + " management sends/s"));
        // end
    }
}
