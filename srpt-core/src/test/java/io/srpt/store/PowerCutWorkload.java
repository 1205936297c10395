package io.srpt.store;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A workload that knows what each of its sectors may hold after a power cut.
 *
 * <p>Every written sector says which one it is and the number of the change that wrote it (both 8 bytes, repeated), or it is
 * zero. A change is durable when it was given {@code fua}, or when a flush that began after its acknowledgement was
 * acknowledged.
 */
final class PowerCutWorkload {
    /** One change of a sector, or the length of the disk; places are those of the log. */
    private static final class Change {
        final int first;
        final int sectors;
        final boolean zero;
        final int issued;
        int durable = Integer.MAX_VALUE;

        Change(int first, int sectors, boolean zero, int issued) {
            this.first = first;
            this.sectors = sectors;
            this.zero = zero;
            this.issued = issued;
        }

        boolean touches(int sector) {
            return sector >= first && sector < first + sectors;
        }
    }

    private record Grown(long size, int acknowledged) {}

    private final PowerCutLog log;
    private final List<Change> changes = new ArrayList<>();
    private final List<Grown> lengths = new ArrayList<>();

    PowerCutWorkload(PowerCutLog log) {
        this.log = log;
    }

    void opened(long size) {
        lengths.add(new Grown(size, log.event()));
    }

    void grow(BlockStore store, long size) throws InterruptedException {
        RecordingCompletion done = new RecordingCompletion();
        store.grow(size, done);
        expectOk(done);
        opened(size);
    }

    /** Changes in {@code rounds}, several at a time in sectors of their own, and a flush now and then. */
    void run(BlockStore store, Random random, int rounds, int parallel) throws InterruptedException {
        int share = (int) (store.sizeBytes() / PowerCutLog.SECTOR / parallel);
        for (int round = 0; round < rounds; round++) {
            List<Change> inFlight = new ArrayList<>();
            List<RecordingCompletion> completions = new ArrayList<>();
            boolean fua = random.nextInt(4) == 0;
            // A flush that is issued beside the changes promises nothing of them.
            RecordingCompletion beside = random.nextInt(8) == 0 ? flush(store) : null;
            for (int i = 0; i < parallel; i++) {
                int sectors = 1 + random.nextInt(Math.min(share, 24));
                int first = i * share + random.nextInt(share - sectors + 1);
                Change change = new Change(first, sectors, random.nextInt(4) == 0, log.event());
                changes.add(change);
                inFlight.add(change);
                completions.add(issue(store, change, fua));
            }
            for (int i = 0; i < parallel; i++) {
                expectOk(completions.get(i));
                Change change = inFlight.get(i);
                int acknowledged = log.event();
                change.durable = fua || !store.writeCacheEnabled() ? acknowledged : Integer.MAX_VALUE;
            }
            if (beside != null) {
                expectOk(beside);
            }
            if (random.nextInt(3) == 0) {
                flushAll(store);
            }
        }
        flushAll(store);
    }

    /** One change at a time, each of which can be told from what was there before, and no flush without need. */
    void runWithoutNeedlessSyncs(BlockStore store, Random random, int rounds) throws InterruptedException {
        int all = (int) (store.sizeBytes() / PowerCutLog.SECTOR);
        boolean pending = false;
        for (int round = 0; round < rounds; round++) {
            Change last = changes.isEmpty() ? null : changes.getLast();
            // Zeros over what never was durable cannot be told from zeros that were there before.
            Change before = last != null && !last.zero && last.durable != Integer.MAX_VALUE ? last : null;
            boolean fua = random.nextInt(4) == 0;
            int sectors = 1 + random.nextInt(24);
            Change change = before != null && random.nextInt(3) == 0
                    ? new Change(before.first, before.sectors, true, log.event())
                    : new Change(random.nextInt(all - sectors + 1), sectors, false, log.event());
            changes.add(change);
            expectOk(issue(store, change, fua));
            boolean durable = fua || !store.writeCacheEnabled();
            change.durable = durable ? log.event() : Integer.MAX_VALUE;
            pending = !durable || pending && !fua;
            if (pending && random.nextInt(3) == 0) {
                flushAll(store);
                pending = false;
            }
        }
    }

    private static RecordingCompletion flush(BlockStore store) {
        RecordingCompletion done = new RecordingCompletion();
        store.flush(done);
        return done;
    }

    private void flushAll(BlockStore store) throws InterruptedException {
        expectOk(flush(store));
        int acknowledged = log.event();
        for (Change change : changes) {
            change.durable = Math.min(change.durable, acknowledged);
        }
    }

    private RecordingCompletion issue(BlockStore store, Change change, boolean fua) {
        RecordingCompletion done = new RecordingCompletion();
        long offset = (long) change.first * PowerCutLog.SECTOR;
        int length = change.sectors * PowerCutLog.SECTOR;
        if (change.zero) {
            store.unmap(offset, length, fua, done);
            return done;
        }
        ByteBuffer bytes = ByteBuffer.allocateDirect(length);
        for (int at = 0; at < length; at += 16) {
            bytes.putLong(at, change.first + at / PowerCutLog.SECTOR);
            bytes.putLong(at + 8, change.issued);
        }
        store.write(offset, new ByteBuffer[] {bytes}, 1, fua, done);
        return done;
    }

    private static void expectOk(RecordingCompletion done) throws InterruptedException {
        if (done.await() != StoreStatus.OK) {
            throw new AssertionError("ended with " + done.await());
        }
    }

    /** What a power cut at {@code cut} lost of what was acknowledged as durable, or null. */
    @Nullable
    String lost(PowerCutLog.Disk disk, int cut) {
        for (Grown grown : lengths) {
            if (grown.acknowledged < cut && disk.length() < grown.size) {
                return "the file has " + disk.length() + " bytes and must have " + grown.size;
            }
        }
        for (int sector = 0; sector < disk.bytes().length / PowerCutLog.SECTOR; sector++) {
            String lost = lostOf(sector, ByteBuffer.wrap(disk.bytes()), cut);
            if (lost != null) {
                return lost;
            }
        }
        return null;
    }

    /** Allowed is the last durable change of the sector, and each that was issued later. */
    private @Nullable String lostOf(int sector, ByteBuffer disk, int cut) {
        Change durable = null;
        for (Change change : changes) {
            if (change.touches(sector) && change.durable < cut) {
                durable = change;
            }
        }
        int at = sector * PowerCutLog.SECTOR;
        for (int i = 16; i < PowerCutLog.SECTOR; i += 8) {
            if (disk.getLong(at + i) != disk.getLong(at + (i & 8))) {
                return "sector " + sector + " is a mixture";
            }
        }
        boolean zero = disk.getLong(at) == 0 && disk.getLong(at + 8) == 0;
        if (durable == null && zero) {
            return null;
        }
        for (Change change : changes) {
            boolean candidate = change.touches(sector)
                    && change.issued < cut
                    && (durable == null || change.issued >= durable.issued);
            boolean matches = change.zero ? zero : disk.getLong(at) == sector && disk.getLong(at + 8) == change.issued;
            if (candidate && matches) {
                return null;
            }
        }
        return "sector " + sector + " has change " + disk.getLong(at + 8) + ", older than "
                + (durable == null ? "any" : "change " + durable.issued);
    }

    /** The places right after something was acknowledged as durable, where a missing sync shows. */
    List<Integer> acknowledgements() {
        List<Integer> places = new ArrayList<>();
        for (Change change : changes) {
            if (change.durable != Integer.MAX_VALUE) {
                places.add(change.durable + 1);
            }
        }
        for (Grown grown : lengths) {
            places.add(grown.acknowledged + 1);
        }
        return places.stream().distinct().sorted().toList();
    }
}
