package io.srpt.service;

import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;

/**
 * SIGTERM, SIGINT and SIGHUP. The first one has the service taken apart, after which the process ends with
 * {@link ExitCode#OK}: being told to stop is no failure. The second one ends it at once, with
 * {@link ExitCode#STOPPED_AT_ONCE}.
 */
final class ProcessStopSignal implements StopSignal {
    private final CountDownLatch told = new CountDownLatch(1);

    @Override
    public void listen() {
        for (String name : new String[] {"TERM", "INT", "HUP"}) {
            handle(name);
        }
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
    private void handle(String name) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object ours = Proxy.newProxyInstance(
                    ProcessStopSignal.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                        onSignal();
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
