package io.srpt.service;

import io.srpt.initiator.BlockingSrpClient;
import io.srpt.initiator.SrpException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;

/**
 * A process that checks a target's disk, then writes to it until the target is gone, and waits for it to come back; until it
 * is killed. It prints {@code checked BLOCKS} before it writes, {@code wrong …} and ends when a block is, and
 * {@code acknowledged WRITES} while it goes on.
 */
public final class CrashWriter {
    private static final int PAUSE_MILLIS = 200;
    private static final int REPORT_MILLIS = 100;

    private CrashWriter() {}

    /** Arguments: own address, the target's, blocks of its disk, seed. */
    public static void main(String[] arguments) throws Exception {
        SelfCheckingDisk disk =
                new SelfCheckingDisk(Integer.parseInt(arguments[2]), false, Long.parseLong(arguments[3]));
        Thread.ofPlatform().daemon().start(() -> report(disk));
        try {
            while (true) {
                round(disk, arguments[0], arguments[1]);
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
        } catch (AssertionError e) {
            say("wrong: " + e.getMessage());
        }
        System.exit(1);
    }

    private static void round(SelfCheckingDisk disk, String own, String target) throws InterruptedException {
        try (TestInitiator initiator = TestInitiator.open(own)) {
            BlockingSrpClient client = initiator.login(target);
            say("checked " + disk.check(client));
            disk.writeUntilCrash(client);
        } catch (ServiceException | SrpException | InterruptedIOException e) {
            // not there yet, or gone again
        }
    }

    private static void report(SelfCheckingDisk disk) {
        try {
            for (long last = 0; ; TimeUnit.MILLISECONDS.sleep(REPORT_MILLIS)) {
                long now = disk.acknowledged();
                if (now != last) {
                    say("acknowledged " + now);
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
