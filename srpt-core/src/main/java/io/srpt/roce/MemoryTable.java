package io.srpt.roce;

import io.srpt.counter.Counter;
import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The memory regions of a device by key: an open-addressing table without boxing. Keys are random, and one that went out
 * of use is not given out again while it is among the last {@value #RETIRED}.
 */
final class MemoryTable {
    private static final int RETIRED = 1024;

    private final RandomGenerator random;
    private final int[] retired = new int[RETIRED];
    private final Counter regions = new Counter();
    private final Counter bytes = new Counter();
    private @Nullable RoceMemoryRegion[] table = new RoceMemoryRegion[64];
    private int retiredCount;
    private int size;

    /** With keys from {@code random}. */
    MemoryTable(RandomGenerator random) {
        this.random = random;
    }

    RoceMemoryRegion add(RoceProtectionDomain domain, ByteBuffer memory, int access) {
        if ((size + 1) * 2 > table.length) {
            grow();
        }
        RoceMemoryRegion region = new RoceMemoryRegion(domain, memory, access, newKey());
        insert(table, region);
        size++;
        regions.increment();
        bytes.add(region.length());
        return region;
    }

    /** The valid region with the key {@code key} in {@code domain}, or null. */
    @Nullable
    RoceMemoryRegion find(RoceProtectionDomain domain, int key) {
        RoceMemoryRegion region = lookup(key);
        return region != null && region.isValid() && region.domain() == domain ? region : null;
    }

    private @Nullable RoceMemoryRegion lookup(int key) {
        int mask = table.length - 1;
        for (int i = slot(key, mask); ; i = i + 1 & mask) {
            RoceMemoryRegion region = table[i];
            if (region == null || region.localKey() == key) {
                return region;
            }
        }
    }

    /** Takes {@code region} out; false if it is out already. */
    boolean remove(RoceMemoryRegion region) {
        if (lookup(region.localKey()) != region) {
            return false;
        }
        @Nullable RoceMemoryRegion[] rest = table;
        table = new RoceMemoryRegion[rest.length];
        for (RoceMemoryRegion other : rest) {
            if (other != null && other != region) {
                insert(table, other);
            }
        }
        size--;
        regions.decrement();
        bytes.add(-region.length());
        retired[retiredCount++ % RETIRED] = region.localKey();
        return true;
    }

    private void grow() {
        @Nullable RoceMemoryRegion[] bigger = new RoceMemoryRegion[table.length * 2];
        for (RoceMemoryRegion region : table) {
            if (region != null) {
                insert(bigger, region);
            }
        }
        table = bigger;
    }

    private static void insert(@Nullable RoceMemoryRegion[] into, RoceMemoryRegion region) {
        int mask = into.length - 1;
        int i = slot(region.localKey(), mask);
        while (into[i] != null) {
            i = i + 1 & mask;
        }
        into[i] = region;
    }

    /** Keys are random already: their low bits spread well. */
    private static int slot(int key, int mask) {
        return key & mask;
    }

    private int newKey() {
        while (true) {
            int key = random.nextInt();
            if (key != 0 && lookup(key) == null && !isRetired(key)) {
                return key;
            }
        }
    }

    private boolean isRetired(int key) {
        for (int i = 0; i < Math.min(retiredCount, RETIRED); i++) {
            if (retired[i] == key) {
                return true;
            }
        }
        return false;
    }

    /** Regions registered now. Any thread. */
    Counter regions() {
        return regions;
    }

    /** Bytes registered now. Any thread. */
    Counter bytes() {
        return bytes;
    }
}
