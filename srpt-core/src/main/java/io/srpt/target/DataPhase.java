package io.srpt.target;

import io.srpt.scsi.Sense;
import io.srpt.srp.BufferFormat;
import io.srpt.srp.CommandCheck;
import io.srpt.srp.DescriptorTable;
import io.srpt.srp.SrpCommand;
import org.jspecify.annotations.Nullable;

/**
 * The memory and the RDMA work of one command: chunks of the pool, the descriptors of the initiator, and what moves between
 * the two.
 *
 * <pre>
 *   bring ─┬ immediate ────────────────────────────────────────────────────────────▶ onData
 *          └ chunks (wait in order) ─ partial table: RDMA READ, checked ─┬ data-in ─▶ onData
 *                                                                        └ data-out: RDMA READs ─▶ onData
 *   send   ── RDMA WRITEs, then the response (SendQueue)
 *   stop   ── no more RDMA READs; those under way end first
 * </pre>
 *
 * <p>Used again with its context; allocates nothing once it has seen the largest command.
 */
final class DataPhase implements DataBufferPool.Waiter {
    private final SrptPort port;
    private final SrptChannel channel;
    private final CommandContext context;
    private final SrpCommand command;
    private final DataBufferPool pool;
    private final DescriptorTable tableReference = new DescriptorTable();
    private final DescriptorTable fetchedTable = new DescriptorTable();
    private final Transfer transfer = new Transfer();
    private final CommandData data;

    private DescriptorTable table = tableReference;
    private boolean partialTable;
    private boolean out;
    private int length;
    private int chunksNeeded;
    private boolean awaitingChunks;
    private boolean readingTable;
    private boolean onWire;

    /** For the commands of {@code context}, each of which lies in {@code command}. */
    DataPhase(SrptPort port, SrptChannel channel, CommandContext context, SrpCommand command) {
        this.port = port;
        this.channel = channel;
        this.context = context;
        this.command = command;
        this.pool = port.dataBuffers();
        this.data = new CommandData(channel.receives().buffer());
    }

    /** Forgets the last command. */
    void clear() {
        length = 0;
        partialTable = false;
        readingTable = false;
        onWire = false;
        transfer.clear();
    }

    /** The command is a valid unit; {@code partial} if it has only a part of its descriptor table. */
    void describe(boolean partial) {
        partialTable = partial;
        table = command.descriptors();
    }

    /**
     * Gets memory for {@code bytes} of data, and the data if it is data-out. Ends in one of {@link CommandContext#onData},
     * {@link CommandContext#onDataRefused} and {@link CommandContext#onNoMemory}, now or later.
     */
    void bring(int bytes, boolean dataOut) {
        length = bytes;
        out = dataOut;
        if (bytes == 0) {
            context.onData(data.segments(), 0, 0);
        } else if (command.dataFormat() == BufferFormat.IMMEDIATE) {
            useImmediateData();
        } else if (bytes > port.config().maxTransferLength()) {
            context.onDataRefused(Sense.INVALID_FIELD_IN_CDB);
        } else {
            chunksNeeded = DataBufferPool.chunksFor(bytes) + (partialTable ? 1 : 0);
            awaitingChunks = true;
            pool.request(this);
        }
    }

    private void useImmediateData() {
        int from = command.offset() + channel.immediateOffset();
        data.use(channel.receives().view(context.slot()).clear().position(from).limit(from + length));
        port.counters().immediateBytes.add(length);
        channel.channelCounters().bytesFromInitiator.add(length);
        context.onData(data.segments(), 1, length);
    }

    @Override
    public int chunksNeeded() {
        return chunksNeeded;
    }

    @Override
    public void onChunksAvailable() {
        awaitingChunks = false;
        data.take(pool, chunksNeeded, length);
        if (partialTable) {
            readTable();
        } else {
            moveData();
        }
    }

    @Override
    public void onChunksRefused() {
        awaitingChunks = false;
        context.onNoMemory();
    }

    private void readTable() {
        tableReference.wrap(command.buffer(), command.offset() + command.descriptorOffset(), 1);
        readingTable = true;
        port.counters().tableReads.increment();
        read(tableReference, data.tableChunk(), command.tableCount() * DescriptorTable.DESCRIPTOR_LENGTH);
    }

    private void moveData() {
        if (out) {
            read(table, data.chunks(), length);
        } else {
            context.onData(data.segments(), DataBufferPool.chunksFor(length), length);
        }
    }

    private void read(DescriptorTable from, @Nullable DataChunk[] to, long bytes) {
        context.onReading();
        onWire = true;
        transfer.start(from, to, bytes);
        channel.sendQueue().add(context);
    }

    /** The last RDMA READ that was posted ended well: goes on. */
    void onRead() {
        onWire = false;
        if (!readingTable) {
            context.onData(data.segments(), DataBufferPool.chunksFor(length), length);
            return;
        }
        readingTable = false;
        table = fetchedTable.wrap(data.tableBuffer(), 0, (int) command.tableCount());
        if (table.totalLength() < command.dataLength()) {
            port.counters().commandChecks(CommandCheck.TABLE_BELOW_TOTAL).increment();
            context.onDataRefused(Sense.INVALID_FIELD_IN_COMMAND_INFORMATION_UNIT);
        } else {
            moveData();
        }
    }

    /** No RDMA work of the command is under way any more. */
    void onWireQuiet() {
        onWire = false;
    }

    /** The command ended before its data was there: asks for nothing more. Reads that are under way end first. */
    void stop() {
        if (awaitingChunks) {
            awaitingChunks = false;
            pool.cancel(this);
        }
        if (onWire) {
            onWire = channel.sendQueue().cancelReads(context);
        }
    }

    /** Makes the first {@code produced} bytes ready to go to the initiator; gives all memory back if there are none. */
    void send(int produced) {
        if (produced > 0 && !data.isEmpty()) {
            transfer.start(table, data.chunks(), produced);
        } else {
            transfer.clear();
            data.release(pool);
        }
    }

    /** Gives all memory back. */
    void release() {
        assert !onWire && !awaitingChunks;
        transfer.clear();
        data.release(pool);
    }

    /** Whether RDMA READs are under way. */
    boolean isOnWire() {
        return onWire;
    }

    /** Bytes that were asked for. */
    int length() {
        return length;
    }

    Transfer transfer() {
        return transfer;
    }

    int readKind() {
        return readingTable ? WorkRequestId.TABLE_READ : WorkRequestId.DATA_READ;
    }
}
