package io.srpt.disni;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.srpt.loop.RdmaEventLoop;
import io.srpt.loop.RdmaEventLoops;
import io.srpt.verbs.RdmaDevice;
import io.srpt.verbs.VerbsContract;
import io.srpt.verbs.VerbsException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/**
 * The verbs contract on an RDMA device, both ends on the same one: {@code -Dsrpt.verbs.device=rxe0}. Skipped where none is
 * named; the guest tests name one.
 */
public class DisniVerbsContractTest extends VerbsContract {
    private static final String DEVICE = System.getProperty("srpt.verbs.device", "");
    private static final long LIMIT_SECONDS = 60;
    /** Work on an emulated machine is done when nothing has happened for so long. */
    private static final long QUIET_MILLIS = 700;

    private final RdmaEventLoops loops = new RdmaEventLoops(1, "contract", Duration.ZERO);
    private final RdmaEventLoop loop = loops.loops().getFirst();
    private @Nullable RdmaDevice device;

    @BeforeAll
    static void needDevice() {
        assumeTrue(!DEVICE.isEmpty(), "no RDMA device is named by -Dsrpt.verbs.device");
    }

    @AfterEach
    void close() throws VerbsException {
        RdmaDevice open = device;
        if (open != null) {
            onLoop(open::close);
        }
        loops.close();
    }

    @Override
    protected RdmaDevice openDevice() throws VerbsException {
        // A device is opened once; it reaches itself.
        RdmaDevice known = device;
        if (known == null) {
            known = Disni.provider().open(loop, DisniSettings.of(DEVICE));
            device = known;
        }
        return known;
    }

    @Override
    protected RdmaEventLoop loop() {
        return loop;
    }

    /** User space has no fast registrations. */
    @Override
    protected boolean takesKeysOutOfUse() {
        return false;
    }

    @Override
    protected void settle() {
        long before;
        do {
            before = loop.completions().get();
            CompletableFuture<Void> later = new CompletableFuture<>();
            later.completeOnTimeout(null, QUIET_MILLIS, TimeUnit.MILLISECONDS).join();
        } while (loop.completions().get() != before);
    }

    @Override
    protected void onLoop(Action action) throws VerbsException {
        CompletableFuture<Void> done = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                action.run();
                done.complete(null);
            } catch (VerbsException | RuntimeException | AssertionError e) {
                done.completeExceptionally(e);
            }
        });
        try {
            done.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof VerbsException refused) {
                throw refused;
            }
            throw new AssertionError(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }
}
