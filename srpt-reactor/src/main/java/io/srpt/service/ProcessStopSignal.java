package io.srpt.service;

import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;

/**
 * SIGTERM and SIGINT, and SIGHUP as long as nothing can be reloaded by it. The first one has the service taken apart, after which the process ends with
 * {@link ExitCode#OK}: being told to stop is no failure. The second one ends it at once, with
 * {@link ExitCode#STOPPED_AT_ONCE}.
 */
final class ProcessStopSignal implements StopSignal {
    private static final String HANGUP = "HUP";

    private final CountDownLatch told = new CountDownLatch(1);

    @Override
    public void listen() {
        for (String name : new String[] {"TERM", "INT", HANGUP}) {
            handle(name, this::onSignal);
        }
    }

    /** The JVM calls on a thread that it makes for each signal. */
    @Override
    public void onReload(Runnable reload) {
        handle(HANGUP, reload);
    }

    @Override
    public void awaitAndRun(Runnable stop) {
        boolean waiting = true;
        while (waiting) {
            try {
                told.await();
                waiting = false;
            } catch (InterruptedException e) {
                // only a signal ends this
            }
        }
        stop.run();
    }

    /** {@code sun.misc.Signal} is the JDK's only way to hear a second signal; javac warns of its name. */
    private static void handle(String name, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object ours = Proxy.newProxyInstance(
                    ProcessStopSignal.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                        action.run();
                        return null;
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), ours);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this Java tells of no signals", e);
        }
    }

    private void onSignal() {
        if (told.getCount() == 0) {
            Runtime.getRuntime().halt(ExitCode.STOPPED_AT_ONCE);
        }
        told.countDown();
    }
}
