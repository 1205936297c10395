package io.srpt.roce;

import io.srpt.verbs.VerbsException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A device's queue pairs by number: an open-addressing table without boxing. Numbers are given out in ascending order from
 * a random start, so that one that went out of use comes back only after all 2^24 others: late packets meet nobody, and
 * TimeWait needs no list.
 */
final class QueuePairTable {
    private static final int FIRST = 2;
    private static final int NUMBERS = 1 << 24;
    private static final int MAX_QUEUE_PAIRS = 1 << 16;

    private @Nullable RoceQueuePair[] table = new RoceQueuePair[64];
    private int size;
    private int next;

    /** With numbers from a place on that {@code random} chooses. */
    QueuePairTable(RandomGenerator random) {
        next = FIRST + random.nextInt(NUMBERS - FIRST);
    }

    /** A number that is not in use. */
    int allocate() throws VerbsException {
        if (size >= MAX_QUEUE_PAIRS) {
            throw new VerbsException("all " + MAX_QUEUE_PAIRS + " queue pairs are in use");
        }
        int number;
        do {
            number = next;
            next = number + 1 < NUMBERS ? number + 1 : FIRST;
        } while (find(number) != null);
        return number;
    }

    @Nullable
    RoceQueuePair find(int number) {
        int mask = table.length - 1;
        for (int i = number & mask; ; i = i + 1 & mask) {
            RoceQueuePair queuePair = table[i];
            if (queuePair == null || queuePair.number() == number) {
                return queuePair;
            }
        }
    }

    void add(RoceQueuePair queuePair) {
        if ((size + 1) * 2 > table.length) {
            rebuild(table.length * 2, null);
        }
        insert(queuePair);
        size++;
    }

    void remove(RoceQueuePair queuePair) {
        if (find(queuePair.number()) == queuePair) {
            rebuild(table.length, queuePair);
            size--;
        }
    }

    int size() {
        return size;
    }

    private void rebuild(int length, @Nullable RoceQueuePair without) {
        @Nullable RoceQueuePair[] old = table;
        table = new RoceQueuePair[length];
        for (RoceQueuePair queuePair : old) {
            if (queuePair != null && queuePair != without) {
                insert(queuePair);
            }
        }
    }

    private void insert(RoceQueuePair queuePair) {
        int mask = table.length - 1;
        int i = queuePair.number() & mask;
        while (table[i] != null) {
            i = i + 1 & mask;
        }
        table[i] = queuePair;
    }
}
