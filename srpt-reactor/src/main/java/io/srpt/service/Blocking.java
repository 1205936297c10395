package io.srpt.service;

import io.srpt.verbs.RdmaLoop;
import io.srpt.verbs.VerbsException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits, but not for ever, for what happens on a loop. Not on a loop. */
final class Blocking {
    /** For what may write much. */
    static final long LONG_SECONDS = 120;

    private static final long STEP_SECONDS = 5;

    private Blocking() {}

    /** Something on a loop. */
    @FunctionalInterface
    interface LoopAction {
        void run() throws VerbsException;
    }

    /** Runs {@code action} on {@code loop}; {@code what} it is begins the message if it fails. */
    static void onLoop(RdmaLoop loop, String what, LoopAction action) throws ServiceException {
        CompletableFuture<Void> done = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                action.run();
                done.complete(null);
            } catch (VerbsException | RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        await(what, done);
    }

    static <T> T await(String what, CompletableFuture<T> future) throws ServiceException {
        return await(what, future, STEP_SECONDS);
    }

    static <T> T await(String what, CompletableFuture<T> future, long seconds) throws ServiceException {
        try {
            return future.get(seconds, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new ServiceException(what + " did not end within " + seconds + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServiceException(what + " was interrupted", e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new ServiceException(what + " failed: " + cause.getMessage(), cause);
        }
    }
}
