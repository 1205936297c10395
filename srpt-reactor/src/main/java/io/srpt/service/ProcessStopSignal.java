package io.srpt.service;

import java.util.concurrent.CountDownLatch;

/**
 * SIGTERM, SIGINT and SIGHUP, as the JVM's shutdown hook sees them. The service is taken apart in the hook, and the process
 * then ends with {@link ExitCode#OK} instead of the JVM's 128 + signal: being told to stop is no failure.
 */
final class ProcessStopSignal implements StopSignal {
    @Override
    public void awaitAndRun(Runnable stop) {
        Thread hook = Thread.ofPlatform().name("srpt-stop").unstarted(() -> {
            stop.run();
            System.out.flush();
            System.err.flush();
            Runtime.getRuntime().halt(ExitCode.OK);
        });
        Runtime.getRuntime().addShutdownHook(hook);
        CountDownLatch never = new CountDownLatch(1);
        while (true) {
            try {
                never.await();
            } catch (InterruptedException e) {
                // only the hook ends this
            }
        }
    }
}
