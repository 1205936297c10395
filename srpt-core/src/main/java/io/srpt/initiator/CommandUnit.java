package io.srpt.initiator;

import io.srpt.srp.BufferFormat;
import io.srpt.srp.DescriptorTable;
import io.srpt.srp.SrpCommand;
import io.srpt.verbs.MemoryRegion;
import java.nio.ByteBuffer;

/**
 * The SRP_CMD of one slot, written in place in the session's control memory, and how its data is described.
 *
 * <p>Threads: the session's loop.
 */
final class CommandUnit {
    private final SrpCommand unit = new SrpCommand();
    private final DescriptorTable table = new DescriptorTable();
    private final ByteBuffer control;
    private final int tableOffset;
    private final int dataOffset;
    private Direction direction = Direction.NONE;
    private DataForm form = DataForm.DIRECT;
    private int length;
    private int descriptors;
    private int inlineDescriptors;
    private int immediateLength;

    /**
     * @param control the session's control memory
     * @param unitOffset where in it the unit lies
     * @param tableOffset where in it the slot's descriptor table lies
     * @param dataOffset where in the session's data memory the slot's buffer lies
     */
    CommandUnit(ByteBuffer control, int unitOffset, int tableOffset, int dataOffset) {
        this.control = control;
        this.tableOffset = tableOffset;
        this.dataOffset = dataOffset;
        unit.wrap(control, unitOffset);
    }

    /** Makes it a new one: LUN 0, CDB of zeros, no data, SIMPLE. */
    void reset() {
        direction = Direction.NONE;
        form = DataForm.DIRECT;
        length = 0;
        unit.initialise();
    }

    void lun(long lun) {
        unit.lun(lun);
    }

    long lun() {
        return unit.lun();
    }

    void taskAttribute(int attribute) {
        unit.taskAttribute(attribute);
    }

    void cdb(byte[] cdb) {
        unit.cdb(cdb);
    }

    /** A CDB of 16 bytes with an LBA of 8 and a count of 4. */
    void blockCdb(int operation, long lba, int blocks) {
        int at = unit.additionalCdbLength(0).cdbOffset();
        control.putShort(at, (short) (operation << 8));
        control.putLong(at + 2, lba);
        control.putInt(at + 10, blocks);
        control.putShort(at + 14, (short) 0);
    }

    void transfer(Direction newDirection, int bytes) {
        direction = newDirection;
        length = bytes;
    }

    void indirect(int count, int inline) {
        form = DataForm.INDIRECT;
        descriptors = count;
        inlineDescriptors = inline;
    }

    void immediate() {
        form = DataForm.IMMEDIATE;
    }

    /** Bytes of data described. */
    int length() {
        return length;
    }

    /** Where in control memory it lies. */
    int offset() {
        return unit.offset();
    }

    int dataOffset() {
        return dataOffset;
    }

    /** The length that it would have with {@code inline} descriptors of an indirect table. */
    int indirectLength(int inline) {
        return unit.indirectUnitLength(inline);
    }

    /** Bytes of data that travel behind the unit that was encoded last. */
    int immediateLength() {
        return immediateLength;
    }

    /**
     * Writes tag and descriptors and returns the unit's length without immediate data.
     *
     * @param immediateOffset where immediate data starts, 0 if the target takes none
     * @param maxLength the longest unit that the target takes
     */
    int encode(long tag, MemoryRegion tables, MemoryRegion memory, int immediateOffset, int maxLength) {
        unit.tag(tag);
        immediateLength = 0;
        if (direction == Direction.NONE || length == 0) {
            setFormat(BufferFormat.NONE, 0);
            return unit.descriptorOffset();
        }
        if (form == DataForm.INDIRECT) {
            return encodeIndirect(tables, memory);
        }
        if (form == DataForm.IMMEDIATE && canBeImmediate(immediateOffset, maxLength)) {
            setFormat(BufferFormat.IMMEDIATE, 0);
            unit.immediateDescriptor(length, immediateOffset);
            immediateLength = length;
            return immediateOffset;
        }
        setFormat(BufferFormat.DIRECT, 0);
        return unit.directDescriptor(memory.address() + dataOffset, memory.remoteKey(), length);
    }

    private boolean canBeImmediate(int immediateOffset, int maxLength) {
        return direction == Direction.OUT
                && immediateOffset > 0
                && unit.descriptorOffset() + SrpCommand.IMMEDIATE_LENGTH <= immediateOffset
                && immediateOffset + length <= maxLength;
    }

    private int encodeIndirect(MemoryRegion tables, MemoryRegion memory) {
        int count = Math.min(descriptors, length);
        int inline = Math.min(inlineDescriptors, count);
        setFormat(BufferFormat.INDIRECT, inline);
        int tableBytes = count * DescriptorTable.DESCRIPTOR_LENGTH;
        unit.indirectDescriptor(tables.address() + tableOffset, tables.remoteKey(), tableBytes, length);
        table.wrap(control, tableOffset, count);
        DescriptorTable inUnit = unit.tableInUnit(inline);
        int piece = length / count;
        for (int number = 0, start = 0; number < count; number++, start += piece) {
            int bytes = number == count - 1 ? length - start : piece;
            long address = memory.address() + dataOffset + start;
            table.descriptor(number, address, memory.remoteKey(), bytes);
            if (number < inline) {
                inUnit.descriptor(number, address, memory.remoteKey(), bytes);
            }
        }
        return unit.indirectUnitLength(inline);
    }

    private void setFormat(int format, int count) {
        boolean out = direction == Direction.OUT;
        unit.dataOutFormat(out ? format : BufferFormat.NONE).dataOutCount(out ? count : 0);
        unit.dataInFormat(out ? BufferFormat.NONE : format).dataInCount(out ? 0 : count);
    }

    /** Which way data goes. */
    enum Direction {
        NONE,
        IN,
        OUT
    }

    private enum DataForm {
        DIRECT,
        INDIRECT,
        IMMEDIATE
    }
}
