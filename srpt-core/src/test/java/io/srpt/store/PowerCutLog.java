package io.srpt.store;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The system calls on a file in the order in which they began and ended, and the disks that a power cut may leave of it.
 *
 * <p>A completed {@code fdatasync} keeps all that had ended before it began, and the length of the file. Of the calls after
 * it, the disk has any subset, by sectors of 512 bytes: a call may be there, be lost, or be torn. Before the folder is synced, the
 * file itself may be lost.
 */
final class PowerCutLog {
    static final int SECTOR = 512;

    enum Kind {
        WRITE,
        ZERO,
        TRUNCATE,
        SYNC,
        SYNC_FOLDER
    }

    /** One call; places count the events of the log. */
    static final class Call {
        final Kind kind;
        final long offset;
        final byte[] bytes;
        final int began;
        int ended = Integer.MAX_VALUE;

        boolean syncs() {
            return kind == Kind.SYNC || kind == Kind.SYNC_FOLDER;
        }

        Call(Kind kind, long offset, byte[] bytes, int began) {
            this.kind = kind;
            this.offset = offset;
            this.bytes = bytes;
            this.began = began;
        }
    }

    /** What is left: the bytes behind {@code length} of the array are zero. */
    record Disk(byte[] bytes, long length) {}

    private final List<Call> calls = new ArrayList<>();
    private final Set<Call> ignored = new HashSet<>();
    private int events;

    /** A place in the order of all that happens. */
    synchronized int event() {
        return events++;
    }

    /** Where a cut can be: between any two events. */
    synchronized int events() {
        return events;
    }

    synchronized Call begin(Kind kind, long offset, byte[] bytes) {
        Call call = new Call(kind, offset, bytes, events++);
        calls.add(call);
        return call;
    }

    synchronized void end(Call call) {
        call.ended = events++;
    }

    List<Call> syncs() {
        return calls.stream().filter(Call::syncs).toList();
    }

    /** As if {@code sync} had done nothing, though it returned success. */
    void ignore(Call sync) {
        ignored.add(sync);
    }

    void heedAll() {
        ignored.clear();
    }

    /** Whether the file must have its name at {@code cut}. */
    private boolean isNamed(int cut) {
        return calls.stream()
                .anyMatch(call -> call.kind == Kind.SYNC_FOLDER && call.ended < cut && !ignored.contains(call));
    }

    /** What must be there at {@code cut}: the calls that ended before this place. */
    private int durableBefore(int cut) {
        int durable = 0;
        for (Call call : calls) {
            if (call.kind == Kind.SYNC && call.ended < cut && !ignored.contains(call)) {
                durable = Math.max(durable, call.began);
            }
        }
        return durable;
    }

    /** A disk that a power cut at {@code cut} may leave; none of what is not durable with {@code random} null. */
    Disk cutAt(int cut, int capacity, @Nullable Random random) {
        byte[] disk = new byte[capacity];
        if (!isNamed(cut) && (random == null || random.nextBoolean())) {
            return new Disk(disk, 0);
        }
        int durable = durableBefore(cut);
        long length = 0;
        for (Call call : calls) {
            if (call.began >= cut || call.syncs()) {
                continue;
            }
            boolean kept = call.ended < durable;
            if (call.kind == Kind.TRUNCATE) {
                length = kept || random != null && random.nextBoolean() ? call.offset : length;
            } else {
                apply(call, disk, kept, random);
            }
        }
        Arrays.fill(disk, (int) Math.min(length, capacity), capacity, (byte) 0);
        return new Disk(disk, length);
    }

    private static void apply(Call call, byte[] disk, boolean kept, @Nullable Random random) {
        int taste = random == null ? 0 : random.nextInt(3);
        for (int at = 0; at < call.bytes.length; at += SECTOR) {
            boolean there = kept || taste == 1 || taste == 2 && random != null && random.nextBoolean();
            if (there) {
                System.arraycopy(call.bytes, at, disk, (int) call.offset + at, SECTOR);
            }
        }
    }

    /** Between the store and the real calls; or in place of them, since only what is recorded counts. */
    FileCalls recording(FileCalls calls) {
        return new RecordingCalls(this, calls);
    }

    private static final class RecordingCalls implements FileCalls {
        private final PowerCutLog log;
        private final FileCalls calls;

        RecordingCalls(PowerCutLog log, FileCalls calls) {
            this.log = log;
            this.calls = calls;
        }

        @Override
        public long preadv(IoVector vector, long offset, boolean nowait) {
            return calls.preadv(vector, offset, nowait);
        }

        @Override
        public long pwritev(IoVector vector, long offset) {
            ByteBuffer bytes = ByteBuffer.allocate((int) vector.bytes());
            for (int i = 0; i < vector.count(); i++) {
                bytes.put(vector.memory(i).asByteBuffer());
            }
            Call call = log.begin(Kind.WRITE, offset, bytes.array());
            long result = calls.pwritev(vector, offset);
            log.end(call);
            if (result != bytes.capacity()) {
                throw new AssertionError("a short write of " + result);
            }
            return result;
        }

        @Override
        public long fallocate(int mode, long offset, long length) {
            boolean zeroes = (mode & (FALLOC_PUNCH_HOLE | FALLOC_ZERO_RANGE)) != 0;
            long size = calls.lseek(0, SEEK_END);
            if (!zeroes || offset >= size) {
                return calls.fallocate(mode, offset, length);
            }
            Call call = log.begin(Kind.ZERO, offset, new byte[(int) length]);
            long result = calls.fallocate(mode, offset, length);
            log.end(call);
            return result;
        }

        @Override
        public long fdatasync() {
            Call call = log.begin(Kind.SYNC, 0, new byte[0]);
            // The real one takes a while, in which other calls go on; here it costs nothing to let them.
            Thread.yield();
            log.end(call);
            return 0;
        }

        @Override
        public long syncFolder() {
            Call call = log.begin(Kind.SYNC_FOLDER, 0, new byte[0]);
            log.end(call);
            return 0;
        }

        @Override
        public long ftruncate(long length) {
            Call call = log.begin(Kind.TRUNCATE, length, new byte[0]);
            long result = calls.ftruncate(length);
            log.end(call);
            return result;
        }

        @Override
        public long lseek(long offset, int whence) {
            return calls.lseek(offset, whence);
        }

        @Override
        public long allocatedBytes() {
            return calls.allocatedBytes();
        }

        @Override
        public void close() {
            calls.close();
        }
    }
}
