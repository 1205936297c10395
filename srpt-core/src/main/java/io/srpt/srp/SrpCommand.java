package io.srpt.srp;

import java.nio.ByteBuffer;

/**
 * SRP_CMD: a SCSI command (SRP r16a §6.8).
 *
 * <pre>
 *   0   type 0x02
 *   1   bit 1 SCSOLNT, bit 2 UCSOLNT
 *   5   data-out format (bits 7..4), data-in format (bits 3..0)
 *   6   descriptors in this unit for data-out (indirect format only)
 *   7   descriptors in this unit for data-in (indirect format only)
 *   8   tag (8)
 *   20  LUN (8)
 *   29  bits 2..0 task attribute
 *   31  bits 7..2 additional CDB length in words
 *   32  CDB (16)
 *   48  additional CDB (n)
 *   48+n data-out descriptor, then data-in descriptor:
 *         direct     address (8) key (4) length (4)
 *         indirect   table address (8) table key (4) table bytes (4) total bytes (4), then count descriptors
 *         immediate  length (4); the data begins at the offset agreed at login, the gap before it is not initialised
 * </pre>
 *
 * <p>On a unit from the wire call {@link CommandValidator#validate} first; the getters of data descriptors rely on it.
 */
public final class SrpCommand extends InformationUnit {
    /** Bytes before the additional CDB. */
    public static final int LENGTH = 48;

    public static final int FORMATS_OFFSET = 5;
    public static final int DATA_OUT_COUNT_OFFSET = 6;
    public static final int DATA_IN_COUNT_OFFSET = 7;
    public static final int LUN_OFFSET = 20;
    public static final int TASK_ATTRIBUTE_OFFSET = 29;
    public static final int ADDITIONAL_CDB_OFFSET = 31;
    public static final int CDB_OFFSET = 32;

    /** Bytes of the CDB without its additional part. */
    public static final int CDB_LENGTH = 16;

    /** Within an indirect descriptor: bytes of the table at the initiator. */
    public static final int TABLE_BYTES_OFFSET = 12;

    /** Within an indirect descriptor: bytes of data that the whole table describes. */
    public static final int TABLE_TOTAL_OFFSET = 16;

    /** Bytes of an indirect descriptor before the descriptors that it carries. */
    public static final int INDIRECT_LENGTH = 20;

    /** Bytes of an immediate data descriptor. */
    public static final int IMMEDIATE_LENGTH = 4;

    /** Solicited notification: SCSOLNT, the response to a success is a solicited event. The same bit in SRP_TSK_MGMT. */
    public static final int SOLICIT_SUCCESSFUL = 1 << 1;

    /** Solicited notification: UCSOLNT, the response to anything but a success is a solicited event. */
    public static final int SOLICIT_UNSUCCESSFUL = 1 << 2;

    /** Task attributes; a receiver takes any other value as ORDERED. */
    public static final int ATTRIBUTE_SIMPLE = 0;

    public static final int ATTRIBUTE_HEAD_OF_QUEUE = 1;
    public static final int ATTRIBUTE_ORDERED = 2;
    public static final int ATTRIBUTE_ACA = 4;

    private final DescriptorTable descriptors = new DescriptorTable();

    public SrpCommand() {
        super(InformationUnitType.CMD, LENGTH);
    }

    /** Lays it over the unit at {@code offset}. */
    public SrpCommand wrap(ByteBuffer buffer, int offset) {
        wrapUnit(buffer, offset);
        return this;
    }

    /** Starts an encoding: 48 bytes, zero but for the type. */
    public SrpCommand initialise() {
        initialiseUnit();
        return this;
    }

    public SrpCommand tag(long tag) {
        putTag(tag);
        return this;
    }

    /** SCSOLNT (bit 1) and UCSOLNT (bit 2). */
    public int solicitedNotification() {
        return getByte(SOLICITED_OFFSET);
    }

    public SrpCommand solicitedNotification(int bits) {
        putByte(SOLICITED_OFFSET, bits);
        return this;
    }

    /** A {@link BufferFormat} code. */
    public int dataOutFormat() {
        return getByte(FORMATS_OFFSET) >>> 4;
    }

    public SrpCommand dataOutFormat(int format) {
        putByte(FORMATS_OFFSET, (format << 4) | dataInFormat());
        return this;
    }

    /** A {@link BufferFormat} code. */
    public int dataInFormat() {
        return getByte(FORMATS_OFFSET) & 0x0F;
    }

    public SrpCommand dataInFormat(int format) {
        putByte(FORMATS_OFFSET, (getByte(FORMATS_OFFSET) & 0xF0) | format);
        return this;
    }

    /** The format of the one direction in use: data-in if it has one, else data-out. */
    public int dataFormat() {
        return dataInFormat() != BufferFormat.NONE ? dataInFormat() : dataOutFormat();
    }

    public int dataOutCount() {
        return getByte(DATA_OUT_COUNT_OFFSET);
    }

    public SrpCommand dataOutCount(int count) {
        putByte(DATA_OUT_COUNT_OFFSET, count);
        return this;
    }

    public int dataInCount() {
        return getByte(DATA_IN_COUNT_OFFSET);
    }

    public SrpCommand dataInCount(int count) {
        putByte(DATA_IN_COUNT_OFFSET, count);
        return this;
    }

    /** The 8 bytes of the LUN in SAM format, as one number. */
    public long lun() {
        return getLong(LUN_OFFSET);
    }

    public SrpCommand lun(long lun) {
        putLong(LUN_OFFSET, lun);
        return this;
    }

    public int taskAttribute() {
        return getByte(TASK_ATTRIBUTE_OFFSET) & 0x07;
    }

    public SrpCommand taskAttribute(int attribute) {
        putByte(TASK_ATTRIBUTE_OFFSET, attribute);
        return this;
    }

    /** Bytes of the additional CDB: a multiple of 4 up to 252. */
    public int additionalCdbLength() {
        return getByte(ADDITIONAL_CDB_OFFSET) & 0xFC;
    }

    public SrpCommand additionalCdbLength(int bytes) {
        putByte(ADDITIONAL_CDB_OFFSET, bytes & 0xFC);
        return this;
    }

    /** Where in {@link #buffer()} the CDB begins; it runs on into the additional CDB. */
    public int cdbOffset() {
        return offset() + CDB_OFFSET;
    }

    /** Bytes of the CDB with its additional part. */
    public int cdbLength() {
        return CDB_LENGTH + additionalCdbLength();
    }

    /** Writes a CDB and sets the additional length that it needs, zero padded. Set descriptors after it. */
    public SrpCommand cdb(byte[] cdb) {
        int additional = Math.max(0, (cdb.length - CDB_LENGTH + 3) & ~3);
        additionalCdbLength(additional);
        zero(CDB_OFFSET, CDB_LENGTH + additional);
        buffer().put(cdbOffset(), cdb);
        return this;
    }

    /** Where the first data descriptor begins, counted from the start of the unit. */
    public int descriptorOffset() {
        return LENGTH + additionalCdbLength();
    }

    /** Bytes of data that the descriptor of the one direction in use describes, 0 to 2^32-1. */
    public long dataLength() {
        int at = descriptorOffset();
        return switch (dataFormat()) {
            case BufferFormat.DIRECT -> getUnsignedInt(at + DescriptorTable.BYTES_OFFSET);
            case BufferFormat.INDIRECT -> getUnsignedInt(at + TABLE_TOTAL_OFFSET);
            case BufferFormat.IMMEDIATE -> getUnsignedInt(at);
            default -> 0;
        };
    }

    /**
     * The memory descriptors that this unit carries: one for the direct format, for the indirect one those in the unit
     * that the table really has. The same object every time.
     */
    public DescriptorTable descriptors() {
        int at = offset() + descriptorOffset();
        return switch (dataFormat()) {
            case BufferFormat.DIRECT -> descriptors.wrap(buffer(), at, 1);
            case BufferFormat.INDIRECT ->
                descriptors.wrap(
                        buffer(), at + INDIRECT_LENGTH, (int) Math.min(tableCount(), dataOutCount() + dataInCount()));
            default -> descriptors.wrap(buffer(), at, 0);
        };
    }

    /** Indirect format: where the whole table lies at the initiator. */
    public long tableAddress() {
        return getLong(descriptorOffset() + DescriptorTable.ADDRESS_OFFSET);
    }

    /** Indirect format: the initiator's key for the table. */
    public int tableKey() {
        return getInt(descriptorOffset() + DescriptorTable.KEY_OFFSET);
    }

    /** Indirect format: whole descriptors in the table. A length that is no multiple of 16 is rounded down. */
    public long tableCount() {
        return getUnsignedInt(descriptorOffset() + TABLE_BYTES_OFFSET) / DescriptorTable.DESCRIPTOR_LENGTH;
    }

    /** Writes a direct descriptor. Returns the length of the unit. */
    public int directDescriptor(long address, int key, int length) {
        int at = descriptorOffset();
        descriptors.wrap(buffer(), offset() + at, 1).descriptor(0, address, key, length);
        return at + DescriptorTable.DESCRIPTOR_LENGTH;
    }

    /**
     * Writes the head of an indirect descriptor; {@link #tableInUnit(int)} then takes the descriptors. Set the count of
     * the direction in use yourself.
     */
    public SrpCommand indirectDescriptor(long tableAddress, int tableKey, int tableBytes, int totalBytes) {
        int at = descriptorOffset();
        putLong(at + DescriptorTable.ADDRESS_OFFSET, tableAddress);
        putInt(at + DescriptorTable.KEY_OFFSET, tableKey);
        putInt(at + TABLE_BYTES_OFFSET, tableBytes);
        putInt(at + TABLE_TOTAL_OFFSET, totalBytes);
        return this;
    }

    /** Indirect format: {@code count} descriptors in this unit, to be filled. The same object every time. */
    public DescriptorTable tableInUnit(int count) {
        return descriptors.wrap(buffer(), offset() + descriptorOffset() + INDIRECT_LENGTH, count);
    }

    /** The length of a unit with {@code count} descriptors of an indirect table. */
    public int indirectUnitLength(int count) {
        return descriptorOffset() + INDIRECT_LENGTH + count * DescriptorTable.DESCRIPTOR_LENGTH;
    }

    /**
     * Writes an immediate data descriptor and zeroes the gap before the data. Returns the length of the unit; the
     * caller puts the data at {@code immediateOffset} from the start of the unit.
     */
    public int immediateDescriptor(int length, int immediateOffset) {
        int at = descriptorOffset();
        putInt(at, length);
        zero(at + IMMEDIATE_LENGTH, immediateOffset - at - IMMEDIATE_LENGTH);
        return immediateOffset + length;
    }
}
