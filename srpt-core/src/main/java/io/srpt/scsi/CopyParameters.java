package io.srpt.scsi;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parameter list of EXTENDED COPY(LID1) (SPC-4 §6.3): up to {@value #MAX_TARGETS} identification descriptors (E4h) of
 * logical units, up to {@value #MAX_SEGMENTS} block to block segments, without (02h) or with byte offsets (0Ah).
 *
 * <pre>
 *  list id | STR, usage, priority | targets length (2) | 0 (4) | segments length (4) | inline length (4) | targets | segments
 *  target:  E4 | type | 0 (2) | code set | designator type | 0 | length | designator (20) | pad | block length (3)
 *  segment: 02 | DC | 0018 | source (2) | destination (2) | 0 (2) | blocks (2) | source LBA (8) | destination LBA (8)
 *           0A | 0  | 001C | source (2) | destination (2) | bytes (4)           | ... as 02 ... | byte offsets (2, 2)
 * </pre>
 *
 * <p>A segment is copied only if it consists of whole blocks of source and destination.
 */
final class CopyParameters {
    static final int HEADER = 16;
    static final int MAX_TARGETS = 16;
    static final int MAX_SEGMENTS = 16;
    static final int MAX_DESCRIPTORS_LENGTH = 1024;
    static final int MAX_SEGMENT_BYTES = 16 << 20;
    /** List identifiers have eight bits. */
    static final int MAX_CONCURRENT = 255;
    /** Segments are multiples of 2^this bytes at least. */
    static final int GRANULARITY_EXPONENT = 9;

    private static final int IDENTIFICATION = 0xE4;
    private static final int BLOCK_TO_BLOCK = 0x02;
    private static final int BLOCK_TO_BLOCK_WITH_OFFSET = 0x0A;
    /** In ascending order, as RECEIVE COPY OPERATING PARAMETERS wants them. */
    static final byte[] DESCRIPTOR_TYPES = {BLOCK_TO_BLOCK, BLOCK_TO_BLOCK_WITH_OFFSET, (byte) IDENTIFICATION};

    private static final int TARGET_LENGTH = 32;
    private static final int DESIGNATOR_ROOM = 20;
    private static final int BLOCK_TO_BLOCK_LENGTH = 28;
    private static final int WITH_OFFSET_LENGTH = 32;
    private static final int DEVICE_TYPE = 0x1F;
    private static final int DESTINATION_COUNT = 0x02;
    private static final int LIST_ID_USAGE_SHIFT = 3;
    private static final int USAGE_NOT_IDENTIFIED = 3;

    /** A unit, and the LUN under which the nexus reaches it. */
    record Target(LogicalUnit unit, long rawLun) {}

    /** Bytes to copy: where from and where to, on the media of two units, maybe the same. */
    record Segment(Target source, long from, Target destination, long to, long bytes) {
        /** The most that one READ and one WRITE may move, in whole blocks of both. */
        int partLimit() {
            LogicalUnitConfig reads = source.unit().config();
            LogicalUnitConfig writes = destination.unit().config();
            int block = Math.max(reads.blockSize(), writes.blockSize());
            int limit = Math.min(WorkBuffers.SIZE, Math.min(reads.maxTransferBytes(), writes.maxTransferBytes()));
            return Math.max(block, limit / block * block);
        }
    }

    private final ByteBuffer list;
    private final DeviceServer server;
    private final Nexus nexus;
    private final List<Target> targets = new ArrayList<>();
    private final List<Segment> segments = new ArrayList<>();

    CopyParameters(ByteBuffer list, DeviceServer server, Nexus nexus) {
        this.list = list;
        this.server = server;
        this.nexus = nexus;
    }

    int listId() {
        return list.get(0) & 0xFF;
    }

    /** Whether RECEIVE COPY RESULTS may ask for the copy by {@link #listId()}. */
    boolean identified() {
        return (list.get(1) >> LIST_ID_USAGE_SHIFT & 3) != USAGE_NOT_IDENTIFIED;
    }

    List<Segment> segments() {
        return segments;
    }

    /** Reads the list; returns what is wrong with it, or null. Nothing was copied then. */
    @Nullable
    Sense parse() {
        if (list.capacity() < HEADER) {
            return Sense.PARAMETER_LIST_LENGTH_ERROR;
        }
        int targetsLength = list.getShort(2) & 0xFFFF;
        long segmentsLength = list.getInt(8) & 0xFFFF_FFFFL;
        long inlineLength = list.getInt(12) & 0xFFFF_FFFFL;
        long all = targetsLength + segmentsLength;
        if (all > MAX_DESCRIPTORS_LENGTH || HEADER + all + inlineLength > list.capacity()) {
            return Sense.PARAMETER_LIST_LENGTH_ERROR;
        }
        if (inlineLength > 0) {
            return Sense.INLINE_DATA_LENGTH_EXCEEDED;
        }
        if (!identified() && listId() != 0) {
            return Sense.INVALID_FIELD_IN_PARAMETER_LIST;
        }
        Sense wrong = parseTargets(HEADER, HEADER + targetsLength);
        return wrong != null ? wrong : parseSegments(HEADER + targetsLength, HEADER + (int) all);
    }

    private @Nullable Sense parseTargets(int from, int to) {
        if ((to - from) / TARGET_LENGTH > MAX_TARGETS) {
            return Sense.TOO_MANY_TARGET_DESCRIPTORS;
        }
        for (int at = from; at < to; at += TARGET_LENGTH) {
            if ((list.get(at) & 0xFF) != IDENTIFICATION) {
                return Sense.UNSUPPORTED_TARGET_DESCRIPTOR_TYPE;
            }
            if (at + TARGET_LENGTH > to) {
                return Sense.PARAMETER_LIST_LENGTH_ERROR;
            }
            Target target = find(at + 4);
            if (target == null) {
                return Sense.COPY_TARGET_DEVICE_NOT_REACHABLE;
            }
            int blockLength = list.getInt(at + 28) & 0xFF_FFFF;
            if ((list.get(at + 1) & DEVICE_TYPE) != 0) {
                return Sense.INCORRECT_COPY_TARGET_DEVICE_TYPE;
            }
            if (blockLength != target.unit().config().blockSize()) {
                return Sense.INVALID_FIELD_IN_PARAMETER_LIST;
            }
            targets.add(target);
        }
        return null;
    }

    /** The unit with the designator at {@code at}, as the device identification page has it, that the nexus sees. */
    private @Nullable Target find(int at) {
        int length = list.get(at + 3) & 0xFF;
        if (length > DESIGNATOR_ROOM) {
            return null;
        }
        int codeSet = list.get(at) & 0x0F;
        int type = list.get(at + 1) & 0x3F;
        ByteBuffer designator = list.slice(at + 4, length);
        LunView view = nexus.view();
        LunMap luns = server.luns();
        for (int lun = 0; lun < view.limit(luns.limit()); lun++) {
            LogicalUnit unit = luns.get(view.unit(lun));
            if (unit != null && DeviceIdentification.designates(unit, codeSet, type, designator)) {
                return new Target(unit, Lun.encode(lun));
            }
        }
        return null;
    }

    private @Nullable Sense parseSegments(int from, int to) {
        for (int at = from; at < to; ) {
            if (segments.size() == MAX_SEGMENTS) {
                return Sense.TOO_MANY_SEGMENT_DESCRIPTORS;
            }
            int type = list.get(at) & 0xFF;
            if (type != BLOCK_TO_BLOCK && type != BLOCK_TO_BLOCK_WITH_OFFSET) {
                return Sense.UNSUPPORTED_SEGMENT_DESCRIPTOR_TYPE;
            }
            int length = type == BLOCK_TO_BLOCK ? BLOCK_TO_BLOCK_LENGTH : WITH_OFFSET_LENGTH;
            if (at + length > to) {
                return Sense.PARAMETER_LIST_LENGTH_ERROR;
            }
            if ((list.getShort(at + 2) & 0xFFFF) != length - 4) {
                return Sense.INVALID_FIELD_IN_PARAMETER_LIST;
            }
            Sense wrong = parseSegment(at, type == BLOCK_TO_BLOCK_WITH_OFFSET);
            if (wrong != null) {
                return wrong;
            }
            at += length;
        }
        return null;
    }

    private @Nullable Sense parseSegment(int at, boolean withOffset) {
        int from = list.getShort(at + 4) & 0xFFFF;
        int to = list.getShort(at + 6) & 0xFFFF;
        if (from >= targets.size() || to >= targets.size()) {
            return Sense.UNREACHABLE_COPY_TARGET;
        }
        LogicalUnit source = targets.get(from).unit();
        LogicalUnit destination = targets.get(to).unit();
        LogicalUnit counted = (list.get(at + 1) & DESTINATION_COUNT) != 0 ? destination : source;
        long bytes = withOffset
                ? list.getInt(at + 8) & 0xFFFF_FFFFL
                : (list.getShort(at + 10) & 0xFFFFL) << counted.blockShift();
        int fromByte = withOffset ? list.getShort(at + 28) & 0xFFFF : 0;
        int toByte = withOffset ? list.getShort(at + 30) & 0xFFFF : 0;
        if (bytes > MAX_SEGMENT_BYTES) {
            return Sense.INVALID_FIELD_IN_PARAMETER_LIST;
        }
        if (!isWhole(source, fromByte, bytes) || !isWhole(destination, toByte, bytes)) {
            return Sense.UNEXPECTED_INEXACT_SEGMENT;
        }
        long fromLba = list.getLong(at + 12);
        long toLba = list.getLong(at + 20);
        if (!contains(source, fromLba, fromByte + bytes) || !contains(destination, toLba, toByte + bytes)) {
            return Sense.COPY_ABORTED;
        }
        segments.add(new Segment(
                targets.get(from),
                (fromLba << source.blockShift()) + fromByte,
                targets.get(to),
                (toLba << destination.blockShift()) + toByte,
                bytes));
        return null;
    }

    private static boolean isWhole(LogicalUnit unit, int offset, long bytes) {
        return ((offset | bytes) & unit.config().blockSize() - 1) == 0;
    }

    private static boolean contains(LogicalUnit unit, long lba, long bytes) {
        return unit.contains(lba, bytes >>> unit.blockShift());
    }
}
