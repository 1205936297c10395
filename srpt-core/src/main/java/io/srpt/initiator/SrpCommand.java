package io.srpt.initiator;

import io.srpt.verbs.MemoryRegion;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A command slot of a {@link SrpSession}: its information unit, its registered data buffer and, after the command, its
 * outcome. Made at login and used again and again; nothing is allocated per command.
 *
 * <pre>{@code
 *   SrpCommand command = session.acquire();
 *   command.lun(0).cdb(cdb, 16).dataIn(4096).submit(callback);
 * }</pre>
 *
 * <table>
 *   <caption>Slot states</caption>
 *   <tr><th>state</th><th>waits for</th><th>next</th></tr>
 *   <tr><td>FREE</td><td>{@code acquire()}</td><td>PREPARED</td></tr>
 *   <tr><td>PREPARED</td><td>{@code submit()}</td><td>SENT, or WAITING without a credit</td></tr>
 *   <tr><td>WAITING</td><td>a credit</td><td>SENT; ENDED by abort or session end</td></tr>
 *   <tr><td>SENT</td><td>SRP_RSP</td><td>ENDED</td></tr>
 *   <tr><td>ENDED</td><td>{@code reset()} or {@code release()}</td><td>PREPARED, FREE</td></tr>
 * </table>
 *
 * <p>The tag is the slot's index with a generation in the upper half, so that a late answer is told from a current one.
 *
 * <p>Threads: the session's loop.
 */
public final class SrpCommand {
    private static final int CDB_LENGTH = 16;
    private static final int MAX_CDB_LENGTH = 260;
    private static final int MAX_SENSE = 252;

    private final SrpSession session;
    private final int index;
    private final int unitOffset;
    private final int tableOffset;
    private final int dataOffset;
    private final ByteBuffer data;
    private final byte[] sense = new byte[MAX_SENSE];

    private State state = State.FREE;
    private int generation;
    private long sequence;
    private long deadlineNanos;
    private Direction direction = Direction.NONE;
    private DataForm form = DataForm.DIRECT;
    private int length;
    private int descriptors;
    private int inlineDescriptors;
    private int additionalCdb;
    private @Nullable SrpCommandCallback callback;

    private Outcome outcome = Outcome.PENDING;
    private int scsiStatus;
    private int responseCode;
    private int residual;
    private int senseLength;

    SrpCommand(SrpSession session, int index, int unitOffset, int tableOffset, int dataOffset, ByteBuffer data) {
        this.session = session;
        this.index = index;
        this.unitOffset = unitOffset;
        this.tableOffset = tableOffset;
        this.dataOffset = dataOffset;
        this.data = data;
    }

    /** Makes an acquired or ended command a new one: LUN 0, CDB of zeros, no data, direct descriptors, SIMPLE. */
    public SrpCommand reset() {
        require(state == State.PREPARED || state == State.ENDED);
        state = State.PREPARED;
        direction = Direction.NONE;
        form = DataForm.DIRECT;
        length = 0;
        additionalCdb = 0;
        outcome = Outcome.PENDING;
        session.units().clearCommand(unitOffset);
        return this;
    }

    /** Sets the LUN: peripheral addressing below 256, flat space from there on. */
    public SrpCommand lun(int number) {
        return samLun(number < 256 ? (long) number << 48 : 0x4000L + number << 48);
    }

    /** Sets the 8-byte LUN of SAM. */
    public SrpCommand samLun(long lun) {
        require(state == State.PREPARED);
        session.units().lun(unitOffset, lun);
        return this;
    }

    /** Sets the task attribute: 0 SIMPLE, 1 HEAD OF QUEUE, 2 ORDERED, 4 ACA. */
    public SrpCommand taskAttribute(int attribute) {
        require(state == State.PREPARED);
        session.units().taskAttribute(unitOffset, attribute);
        return this;
    }

    /** Copies the first {@code cdbLength} bytes of {@code cdb}, at most 260; what is beyond 16 travels as additional CDB. */
    public SrpCommand cdb(byte[] cdb, int cdbLength) {
        require(state == State.PREPARED);
        if (cdbLength > MAX_CDB_LENGTH || cdbLength > cdb.length) {
            throw new IllegalArgumentException("a CDB has at most 260 bytes, not " + cdbLength);
        }
        additionalCdb = Math.max(0, cdbLength - CDB_LENGTH + 3 & ~3);
        session.units().cdb(unitOffset, cdb, cdbLength, additionalCdb);
        return this;
    }

    /** READ(16) of {@code blocks} blocks from {@code lba} into {@link #data()}. */
    public SrpCommand read(long lba, int blocks, int blockSize) {
        require(state == State.PREPARED);
        session.units().blockCdb(unitOffset, InformationUnits.READ_16, lba, blocks);
        return dataIn(Math.multiplyExact(blocks, blockSize));
    }

    /** WRITE(16) of {@code blocks} blocks at {@code lba} out of {@link #data()}. */
    public SrpCommand write(long lba, int blocks, int blockSize) {
        require(state == State.PREPARED);
        session.units().blockCdb(unitOffset, InformationUnits.WRITE_16, lba, blocks);
        return dataOut(Math.multiplyExact(blocks, blockSize));
    }

    /** The target writes at most {@code bytes} to {@link #data()}. */
    public SrpCommand dataIn(int bytes) {
        return transfer(Direction.IN, bytes);
    }

    /** The target reads at most {@code bytes} from {@link #data()}. */
    public SrpCommand dataOut(int bytes) {
        return transfer(Direction.OUT, bytes);
    }

    /**
     * Describes the data by {@code count} descriptors, {@code inline} of which travel in the information unit; the target
     * fetches the table by RDMA READ for the rest. Both at most the configuration's {@code maxDescriptors}. Set the CDB first.
     */
    public SrpCommand indirect(int count, int inline) {
        require(state == State.PREPARED);
        if (count < 1 || count > session.configuration().maxDescriptors() || inline < 0 || inline > count) {
            throw new IllegalArgumentException("descriptors: " + count + ", of which inline " + inline);
        }
        int needed = InformationUnits.COMMAND_LENGTH + additionalCdb + InformationUnits.INDIRECT_LENGTH
                + inline * InformationUnits.DESCRIPTOR_LENGTH;
        if (needed > session.maxRequestLength()) {
            throw new IllegalArgumentException("the target takes no information unit of " + needed + " bytes");
        }
        form = DataForm.INDIRECT;
        descriptors = count;
        inlineDescriptors = inline;
        return this;
    }

    /** Sends data out inside the information unit if the target agreed to it and it fits, else by a direct descriptor. */
    public SrpCommand immediate() {
        require(state == State.PREPARED);
        form = DataForm.IMMEDIATE;
        return this;
    }

    /**
     * Sends the command, or queues it until the target grants a credit. If the session is over it ends at once with
     * {@link Outcome#SESSION_LOST}.
     */
    public void submit(SrpCommandCallback onEnd) {
        require(state == State.PREPARED);
        callback = onEnd;
        session.submit(this);
    }

    /** Gives the slot back. */
    public void release() {
        require(state == State.PREPARED || state == State.ENDED);
        state = State.FREE;
        callback = null;
        session.release(this);
    }

    /** The slot's number, from 0. */
    public int index() {
        return index;
    }

    /** The registered data buffer of the slot, as long as the configuration's {@code maxTransferLength}. Absolute access. */
    public ByteBuffer data() {
        return data;
    }

    /** How the command ended. */
    public Outcome outcome() {
        return outcome;
    }

    /** Whether the target executed it with status GOOD. */
    public boolean isGood() {
        return outcome == Outcome.ANSWERED && scsiStatus == 0;
    }

    /** The SCSI status, if {@link Outcome#ANSWERED}. */
    public int scsiStatus() {
        return scsiStatus;
    }

    /** The response code, if {@link Outcome#REFUSED}. */
    public int responseCode() {
        return responseCode;
    }

    /** Bytes not transferred (above 0) or that would have been needed beyond the buffer (below 0). */
    public int residual() {
        return residual;
    }

    /** Bytes of data that the target moved. */
    public int transferred() {
        return residual > 0 ? Math.max(0, length - residual) : length;
    }

    /** Bytes of sense data. */
    public int senseLength() {
        return senseLength;
    }

    /** The sense data, {@link #senseLength()} bytes; the array is the slot's. */
    public byte[] sense() {
        return sense;
    }

    /** The tag of the command in flight or last in flight. */
    public long tag() {
        return (long) generation << 32 | index;
    }

    boolean isInFlight() {
        return state == State.SENT;
    }

    boolean isWaiting() {
        return state == State.WAITING;
    }

    long lun() {
        return session.units().lun(unitOffset);
    }

    long sequence() {
        return sequence;
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    int unitOffset() {
        return unitOffset;
    }

    int dataOffset() {
        return dataOffset;
    }

    void onAcquired() {
        state = State.PREPARED;
        reset();
    }

    void onSubmitted(long newDeadlineNanos) {
        state = State.WAITING;
        deadlineNanos = newDeadlineNanos;
    }

    void onSent(long newSequence) {
        state = State.SENT;
        sequence = newSequence;
    }

    /** Writes the information unit's tag and descriptors and returns its length without immediate data. */
    int encode(InformationUnits units, MemoryRegion control, MemoryRegion memory) {
        generation = generation + 1 & 0x7FFF_FFFF;
        units.tag(unitOffset, tag());
        int position = InformationUnits.COMMAND_LENGTH + additionalCdb;
        if (direction == Direction.NONE || length == 0) {
            units.formats(unitOffset, 0, 0, 0);
            return position;
        }
        return switch (effectiveForm()) {
            case IMMEDIATE -> encodeImmediate(units, position);
            case INDIRECT -> encodeIndirect(units, position, control, memory);
            case DIRECT -> encodeDirect(units, position, memory);
        };
    }

    /** Bytes of data that travel in the information unit. */
    int immediateLength() {
        return direction == Direction.OUT && effectiveForm() == DataForm.IMMEDIATE ? length : 0;
    }

    void onResponse(InformationUnits units, int offset, int received) {
        outcome = units.hasResponseData(offset) ? Outcome.REFUSED : Outcome.ANSWERED;
        scsiStatus = units.scsiStatus(offset);
        responseCode = units.responseCode(offset, received);
        residual = units.residual(offset);
        senseLength = units.copySense(offset, received, sense);
        end();
    }

    void onEnded(Outcome how) {
        outcome = how;
        scsiStatus = 0;
        responseCode = 0;
        residual = 0;
        senseLength = 0;
        end();
    }

    private void end() {
        state = State.ENDED;
        SrpCommandCallback told = callback;
        callback = null;
        if (told != null) {
            told.onCommandEnd(this);
        }
    }

    private SrpCommand transfer(Direction newDirection, int bytes) {
        require(state == State.PREPARED);
        if (bytes < 0 || bytes > data.capacity()) {
            throw new IllegalArgumentException(bytes + " bytes do not fit the data buffer of " + data.capacity());
        }
        direction = newDirection;
        length = bytes;
        return this;
    }

    private DataForm effectiveForm() {
        if (form != DataForm.IMMEDIATE) {
            return form;
        }
        boolean fits = direction == Direction.OUT
                && session.hasImmediateData()
                && additionalCdb + InformationUnits.COMMAND_LENGTH + 4 <= session.immediateOffset()
                && session.immediateOffset() + length <= session.maxRequestLength();
        return fits ? DataForm.IMMEDIATE : DataForm.DIRECT;
    }

    private int encodeDirect(InformationUnits units, int position, MemoryRegion memory) {
        units.formats(unitOffset, format(InformationUnits.FORMAT_DIRECT), 0, 0);
        units.descriptor(unitOffset + position, memory.address() + dataOffset, memory.remoteKey(), length);
        return position + InformationUnits.DESCRIPTOR_LENGTH;
    }

    private int encodeImmediate(InformationUnits units, int position) {
        units.formats(unitOffset, format(InformationUnits.FORMAT_IMMEDIATE), 0, 0);
        units.immediateLength(unitOffset + position, length);
        return session.immediateOffset();
    }

    private int encodeIndirect(InformationUnits units, int position, MemoryRegion control, MemoryRegion memory) {
        int count = Math.min(descriptors, length);
        int inline = Math.min(inlineDescriptors, count);
        boolean in = direction == Direction.IN;
        units.formats(unitOffset, format(InformationUnits.FORMAT_INDIRECT), in ? 0 : inline, in ? inline : 0);
        int tableLength = count * InformationUnits.DESCRIPTOR_LENGTH;
        units.descriptor(unitOffset + position, control.address() + tableOffset, control.remoteKey(), tableLength);
        position += InformationUnits.DESCRIPTOR_LENGTH;
        units.totalLength(unitOffset + position, length);
        position += 4;
        int piece = length / count;
        for (int number = 0, start = 0; number < count; number++, start += piece) {
            int bytes = number == count - 1 ? length - start : piece;
            long address = memory.address() + dataOffset + start;
            units.descriptor(
                    tableOffset + number * InformationUnits.DESCRIPTOR_LENGTH, address, memory.remoteKey(), bytes);
            if (number < inline) {
                units.descriptor(unitOffset + position, address, memory.remoteKey(), bytes);
                position += InformationUnits.DESCRIPTOR_LENGTH;
            }
        }
        return position;
    }

    private int format(int code) {
        return direction == Direction.OUT ? code << 4 : code;
    }

    private void require(boolean allowed) {
        if (!allowed) {
            throw new IllegalStateException("command slot " + index + " is " + state);
        }
    }

    /** How a command ended. */
    public enum Outcome {
        /** It has not. */
        PENDING,
        /** The target executed it; see {@link SrpCommand#scsiStatus()}. */
        ANSWERED,
        /** The target could not take it; see {@link SrpCommand#responseCode()}. */
        REFUSED,
        /** A task management function of ours ended it. */
        ABORTED,
        /** The session ended first. */
        SESSION_LOST
    }

    private enum State {
        FREE,
        PREPARED,
        WAITING,
        SENT,
        ENDED
    }

    private enum Direction {
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
