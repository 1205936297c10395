package io.srpt.service;

import io.srpt.initiator.BlockingSrpClient;
import io.srpt.initiator.SrpException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;

/**
 * A process that checks a target's disk, then writes to it until the target is gone, and waits for it to come back; until it
 * is killed. It prints {@code checked BLOCKS} before it writes, {@code wrong …} and ends when a block is,
 * {@code acknowledged WRITES flushed FLUSHES} (counted from its start) while it goes on, and {@code away …} when the target
 * does not answer.
 */
public final class CrashWriter {
    private static final int PAUSE_MILLIS = 200;
    private static final int REPORT_MILLIS = 100;

    private CrashWriter() {}

    /** Arguments: own address, the target's, blocks of its disk, seed. */
    public static void main(String[] arguments) throws Exception {
        CrashLoad load = new CrashLoad(Integer.parseInt(arguments[2]), false, Long.parseLong(arguments[3]));
        Thread.ofPlatform().daemon().start(() -> report(load));
        try {
            while (true) {
                round(load, arguments[0], arguments[1]);
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
        } catch (AssertionError e) {
            say("wrong: " + e.getMessage());
        }
        System.exit(1);
    }

    private static void round(CrashLoad load, String own, String target) throws InterruptedException {
        try (TestInitiator initiator = TestInitiator.open(own)) {
            BlockingSrpClient client = initiator.login(target);
            say("checked " + load.check(client));
            load.runUntilCrash(client);
        } catch (ServiceException | SrpException | InterruptedIOException e) {
            say("away: " + e.getMessage());
        }
    }

    private static void report(CrashLoad load) {
        try {
            for (long last = 0; ; TimeUnit.MILLISECONDS.sleep(REPORT_MILLIS)) {
                long now = load.acknowledged();
                if (now != last) {
                    say("acknowledged " + now + " flushed " + load.flushes());
                    last = now;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
