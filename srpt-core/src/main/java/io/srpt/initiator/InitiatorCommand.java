package io.srpt.initiator;

import io.srpt.scsi.Lun;
import io.srpt.scsi.SenseData;
import io.srpt.srp.SrpCommand;
import io.srpt.srp.SrpResponse;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A command slot of a {@link SrpSession}: its information unit, its registered data buffer and, after the command, its
 * outcome. Made at login and used again and again; nothing is allocated per command.
 *
 * <pre>{@code
 *   InitiatorCommand command = session.acquire();
 *   command.lun(0).cdb(cdb).dataIn(4096).submit(callback);
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
public final class InitiatorCommand {
    private static final int MAX_CDB_LENGTH = SrpCommand.CDB_LENGTH + 244;
    private static final int MAX_SENSE = 252;
    private static final int READ_16 = 0x88;
    private static final int WRITE_16 = 0x8A;

    private final SrpSession session;
    private final int index;
    private final CommandUnit unit;
    private final ByteBuffer data;
    private final byte[] sense = new byte[MAX_SENSE];

    private State state = State.FREE;
    private int generation;
    private long sequence;
    private long deadlineNanos;
    private @Nullable CommandCallback callback;

    private Outcome outcome = Outcome.PENDING;
    private int scsiStatus;
    private int responseCode;
    private int residual;
    private int senseLength;

    InitiatorCommand(SrpSession session, int index, CommandUnit unit, ByteBuffer data) {
        this.session = session;
        this.index = index;
        this.unit = unit;
        this.data = data;
    }

    /** Makes an acquired or ended command a new one: LUN 0, CDB of zeros, no data, direct descriptors, SIMPLE. */
    public InitiatorCommand reset() {
        require(state == State.PREPARED || state == State.ENDED);
        state = State.PREPARED;
        outcome = Outcome.PENDING;
        unit.reset();
        return this;
    }

    /** Sets the LUN: peripheral addressing below 256, flat space from there on. */
    public InitiatorCommand lun(int number) {
        return samLun(Lun.encode(number));
    }

    /** Sets the 8-byte LUN of SAM. */
    public InitiatorCommand samLun(long lun) {
        require(state == State.PREPARED);
        unit.lun(lun);
        return this;
    }

    /** Sets the task attribute: 0 SIMPLE, 1 HEAD OF QUEUE, 2 ORDERED, 4 ACA. */
    public InitiatorCommand taskAttribute(int attribute) {
        require(state == State.PREPARED);
        unit.taskAttribute(attribute);
        return this;
    }

    /** Copies {@code cdb}, at most 260 bytes; what is beyond 16 travels as additional CDB. */
    public InitiatorCommand cdb(byte[] cdb) {
        require(state == State.PREPARED);
        if (cdb.length > MAX_CDB_LENGTH) {
            throw new IllegalArgumentException("a CDB has at most 260 bytes, not " + cdb.length);
        }
        unit.cdb(cdb);
        return this;
    }

    /** READ(16) of {@code blocks} blocks from {@code lba} into {@link #data()}. */
    public InitiatorCommand read(long lba, int blocks, int blockSize) {
        require(state == State.PREPARED);
        unit.blockCdb(READ_16, lba, blocks);
        return dataIn(Math.multiplyExact(blocks, blockSize));
    }

    /** WRITE(16) of {@code blocks} blocks at {@code lba} out of {@link #data()}. */
    public InitiatorCommand write(long lba, int blocks, int blockSize) {
        require(state == State.PREPARED);
        unit.blockCdb(WRITE_16, lba, blocks);
        return dataOut(Math.multiplyExact(blocks, blockSize));
    }

    /** The target writes at most {@code bytes} to {@link #data()}. */
    public InitiatorCommand dataIn(int bytes) {
        return transfer(CommandUnit.Direction.IN, bytes);
    }

    /** The target reads at most {@code bytes} from {@link #data()}. */
    public InitiatorCommand dataOut(int bytes) {
        return transfer(CommandUnit.Direction.OUT, bytes);
    }

    /**
     * Describes the data by {@code count} descriptors, {@code inline} of which travel in the information unit; the target
     * fetches the table by RDMA READ for the rest. Both at most the configuration's {@code maxDescriptors}. Set the CDB first.
     */
    public InitiatorCommand indirect(int count, int inline) {
        require(state == State.PREPARED);
        if (count < 1 || count > session.configuration().maxDescriptors() || inline < 0 || inline > count) {
            throw new IllegalArgumentException("descriptors: " + count + ", of which inline " + inline);
        }
        int needed = unit.indirectLength(inline);
        if (needed > session.maxRequestLength()) {
            throw new IllegalArgumentException("the target takes no information unit of " + needed + " bytes");
        }
        unit.indirect(count, inline);
        return this;
    }

    /** Sends data out inside the information unit if the target agreed to it and it fits, else by a direct descriptor. */
    public InitiatorCommand immediate() {
        require(state == State.PREPARED);
        unit.immediate();
        return this;
    }

    /**
     * Sends the command, or queues it until the target grants a credit. If the session is over it ends at once with
     * {@link Outcome#SESSION_LOST}.
     */
    public void submit(CommandCallback onEnd) {
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
        return residual > 0 ? Math.max(0, unit.length() - residual) : unit.length();
    }

    /** Bytes of sense data. */
    public int senseLength() {
        return senseLength;
    }

    /** The sense data, {@link #senseLength()} bytes; the array is the slot's. */
    public byte[] sense() {
        return sense;
    }

    /** How it ended, for logs and messages. Allocates. */
    public String describe() {
        return switch (outcome) {
            case ANSWERED -> describeStatus();
            case REFUSED -> "refused by the target, response code " + responseCode;
            case ABORTED -> "aborted";
            case SESSION_LOST -> "the session ended before the command did";
            case PENDING -> "not ended";
        };
    }

    /** The tag of the command in flight or last in flight. */
    public long tag() {
        return ((long) generation << 32) | index;
    }

    boolean isInFlight() {
        return state == State.SENT;
    }

    boolean isWaiting() {
        return state == State.WAITING;
    }

    long lun() {
        return unit.lun();
    }

    long sequence() {
        return sequence;
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    CommandUnit unit() {
        return unit;
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

    /** Gives it a new tag. */
    long nextTag() {
        generation = (generation + 1) & 0x7FFF_FFFF;
        return tag();
    }

    void onResponse(SrpResponse response) {
        boolean refused = (response.flags() & SrpResponse.RESPONSE_VALID) != 0;
        outcome = refused ? Outcome.REFUSED : Outcome.ANSWERED;
        scsiStatus = response.status();
        responseCode = refused ? response.responseCode() : 0;
        residual = residual(response);
        senseLength = 0;
        if ((response.flags() & SrpResponse.SENSE_VALID) != 0) {
            senseLength = (int) Math.min(response.senseLength(), MAX_SENSE);
            response.buffer().get(response.senseOffset(), sense, 0, senseLength);
        }
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
        CommandCallback told = callback;
        callback = null;
        if (told != null) {
            told.onCommandEnd(this);
        }
    }

    private String describeStatus() {
        SenseData.Decoded decoded = SenseData.decode(ByteBuffer.wrap(sense), 0, senseLength);
        String text = "SCSI status 0x%02x".formatted(scsiStatus);
        return decoded == null ? text : text + ", sense " + decoded;
    }

    private InitiatorCommand transfer(CommandUnit.Direction direction, int bytes) {
        require(state == State.PREPARED);
        if (bytes < 0 || bytes > data.capacity()) {
            throw new IllegalArgumentException(bytes + " bytes do not fit the data buffer of " + data.capacity());
        }
        unit.transfer(direction, bytes);
        return this;
    }

    /** As the Linux initiator: data-in first, underflow first. */
    private static int residual(SrpResponse response) {
        int flags = response.flags();
        if ((flags & SrpResponse.DATA_IN_UNDER) != 0) {
            return (int) response.dataInResidual();
        }
        if ((flags & SrpResponse.DATA_OUT_UNDER) != 0) {
            return (int) response.dataOutResidual();
        }
        if ((flags & SrpResponse.DATA_IN_OVER) != 0) {
            return (int) -response.dataInResidual();
        }
        return (flags & SrpResponse.DATA_OUT_OVER) != 0 ? (int) -response.dataOutResidual() : 0;
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
        /** The target executed it; see {@link InitiatorCommand#scsiStatus()}. */
        ANSWERED,
        /** The target could not take it; see {@link InitiatorCommand#responseCode()}. */
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
}
