package io.srpt;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Files;
import java.nio.file.Path;

/** What of the memory of this process is in use, for tests that compare before and after. */
public final class MemoryInUse {
    private static final int COLLECTIONS = 4;

    private MemoryInUse() {}

    /** Bytes of reachable objects: the least of several collections. */
    public static long heapBytes() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            memory.gc();
            least = Math.min(least, memory.getHeapMemoryUsage().getUsed());
        }
        return least;
    }

    /** Bytes of direct buffers of the JVM, all of which are resident. */
    public static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    /**
     * Bytes of {@link io.srpt.memory.NativeMemory#sparse} that are resident, as {@code /proc/self/smaps} counts them: in the mappings
     * of this process that are never to have huge pages.
     */
    public static long sparseBytes() throws IOException {
        long kibibytes = 0;
        long resident = 0;
        for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
            if (line.startsWith("Rss:")) {
                resident = Long.parseLong(line.replaceAll("\\D", ""));
            } else if (line.startsWith("VmFlags:") && line.contains(" nh")) {
                kibibytes += resident;
            }
        }
        return kibibytes << 10;
    }
}
