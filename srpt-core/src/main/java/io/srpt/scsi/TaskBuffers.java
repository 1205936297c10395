package io.srpt.scsi;

import java.nio.ByteBuffer;

/**
 * The data of a task: how much its CDB and its initiator speak of, the target's buffers, and what is done with their bytes.
 * Lengths are bytes. Owner loop only.
 */
final class TaskBuffers {
    private static final ByteBuffer[] NO_SEGMENTS = new ByteBuffer[0];

    private long outDescribed;
    private long inDescribed;
    private DataDirection direction = DataDirection.NONE;
    private long transferLength;
    private int inCapacity;
    private ByteBuffer[] segments = NO_SEGMENTS;
    private int count;
    private int length;
    private long outTaken;
    private long inWanted;
    private int inProduced;

    /** Forgets all, and takes note of the lengths that the initiator's descriptors cover. */
    void reset(long out, long in) {
        outDescribed = out;
        inDescribed = in;
        direction = DataDirection.NONE;
        transferLength = 0;
        inCapacity = 0;
        segments = NO_SEGMENTS;
        count = 0;
        length = 0;
        outTaken = 0;
        inWanted = 0;
        inProduced = 0;
    }

    // How much goes which way.

    void wantIn(long wanted, long bound) {
        direction = DataDirection.IN;
        transferLength = wanted;
        inCapacity = (int) Math.min(Math.min(wanted, bound), inDescribed);
    }

    void wantOut(long wanted) {
        direction = DataDirection.OUT;
        transferLength = wanted;
    }

    DataDirection direction() {
        return direction;
    }

    long transferLength() {
        return transferLength;
    }

    /** Bytes that the initiator's data-out descriptors cover. */
    long outDescribed() {
        return outDescribed;
    }

    int outCapacity() {
        return direction == DataDirection.OUT ? (int) Math.min(outDescribed, transferLength) : 0;
    }

    int inCapacity() {
        return inCapacity;
    }

    // The target's buffers.

    void supply(ByteBuffer[] newSegments, int newCount, int newLength) {
        if (newLength != needed()) {
            throw new IllegalArgumentException("buffers of " + newLength + " bytes, expected " + needed());
        }
        segments = newSegments;
        count = newCount;
        length = newLength;
    }

    private int needed() {
        return direction == DataDirection.OUT ? outCapacity() : inCapacity;
    }

    /** Whether the buffers are there, if any are needed. */
    boolean isSupplied() {
        return length == needed();
    }

    ByteBuffer[] segments() {
        return segments;
    }

    int count() {
        return count;
    }

    /** Bytes of buffer. */
    int length() {
        return length;
    }

    /** The data-out from byte {@code from} on, copied to {@code to}. */
    void copyOut(int from, ByteBuffer to, int at, int bytes) {
        int skip = from;
        for (int i = 0, done = 0; done < bytes; i++) {
            ByteBuffer segment = segments[i];
            int available = segment.remaining() - skip;
            if (available > 0) {
                int part = Math.min(available, bytes - done);
                to.put(at + done, segment, segment.position() + skip, part);
                done += part;
                skip = 0;
            } else {
                skip = -available;
            }
        }
    }

    /** How far the data-out from byte {@code from} on equals {@code with}; {@code bytes} when all of it does. */
    int commonOut(int from, ByteBuffer with, int at, int bytes) {
        int skip = from;
        for (int i = 0, done = 0; done < bytes; i++) {
            ByteBuffer segment = segments[i];
            int available = segment.remaining() - skip;
            if (available > 0) {
                int part = Math.min(available, bytes - done);
                int mismatch = segment.slice(segment.position() + skip, part).mismatch(with.slice(at + done, part));
                if (mismatch >= 0) {
                    return done + mismatch;
                }
                done += part;
                skip = 0;
            } else {
                skip = -available;
            }
        }
        return bytes;
    }

    // What came of it.

    /** The first {@code bytes} of {@code from} are the data-in, cut to the allocation length and the buffers. */
    void produce(ByteBuffer from, int bytes) {
        int allowed = (int) Math.min(bytes, transferLength);
        int copy = Math.min(allowed, length);
        for (int i = 0, done = 0; done < copy; i++) {
            ByteBuffer segment = segments[i];
            int part = Math.min(segment.remaining(), copy - done);
            segment.put(segment.position(), from, done, part);
            done += part;
        }
        inProduced = copy;
        inWanted = allowed;
    }

    /** The buffers are full of data-in. */
    void producedAll() {
        inProduced = length;
        inWanted = transferLength;
    }

    /** The command has ended: {@code all} of the data-out was used, or what was brought. */
    void took(boolean all) {
        outTaken = direction != DataDirection.OUT ? 0 : all ? transferLength : length;
    }

    int inProduced() {
        return inProduced;
    }

    long residualIn() {
        return inDescribed - inWanted;
    }

    long residualOut() {
        return outDescribed - outTaken;
    }
}
