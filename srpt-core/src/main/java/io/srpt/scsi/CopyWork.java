package io.srpt.scsi;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A copy on its way. Each part of it is a READ of the source and a WRITE of the destination by the nexus that wants the copy,
 * so that everything that keeps a command from a unit keeps the copy from it, too.
 *
 * <pre>
 *   READ ──GOOD──▶ WRITE ──GOOD──▶ READ of the next part; none: status GOOD
 *     └───────────────┴── BUSY, TASK SET FULL: again, a little later; else COPY ABORTED
 * </pre>
 *
 * <p>Each command is sent in a turn of the loop of its own, so that a long copy keeps nobody waiting. Owner loop only.
 */
final class CopyWork implements TaskWork, ScsiTaskListener {
    private static final int BUSY_PAUSE_MILLIS = 5;

    private final ScsiTask task;
    private final DeviceServer server;
    private final Nexus nexus;
    private final List<CopyParameters.Segment> segments;
    private final CopyStatus status;
    private final ScsiTask part = new ScsiTask(this);
    private final ByteBuffer cdb = ByteBuffer.allocate(CdbEncoder.LENGTH);
    private final ByteBuffer buffer;
    private final ByteBuffer[] buffers;

    private int next;
    private CopyParameters.@Nullable Segment segment;
    private long done;
    private int length;
    private boolean writing;
    private boolean released;

    /** A copy that {@code task} waits for. */
    CopyWork(ScsiTask task, List<CopyParameters.Segment> segments, CopyStatus status) {
        this.task = task;
        this.server = task.server();
        this.nexus = task.nexus();
        this.segments = segments;
        this.status = status;
        this.buffer = server.workBuffers().take();
        this.buffers = new ByteBuffer[] {buffer};
    }

    void begin() {
        task.work = this;
        nextSegment();
    }

    private void nextSegment() {
        done = 0;
        while (next < segments.size()) {
            CopyParameters.Segment candidate = segments.get(next++);
            if (candidate.bytes() > 0) {
                segment = candidate;
                read();
                return;
            }
            status.segmentDone();
        }
        status.end(null);
        task.finishGood();
    }

    private CopyParameters.Segment segment() {
        return Objects.requireNonNull(segment);
    }

    private void read() {
        writing = false;
        length = (int) Math.min(segment().partLimit(), segment().bytes() - done);
        send();
    }

    private void send() {
        if (!goesOn()) {
            return;
        }
        CopyParameters.Target unit =
                writing ? segment().destination() : segment().source();
        if (server.logicalUnit(nexus, unit.rawLun()) != unit.unit()) {
            fail(Sense.COPY_TARGET_DEVICE_NOT_REACHABLE); // taken away from the nexus meanwhile
            return;
        }
        int shift = unit.unit().blockShift();
        if (writing) {
            CdbEncoder.write16(cdb, 0, segment().to() + done >>> shift, length >>> shift, false);
        } else {
            CdbEncoder.read16(cdb, 0, segment().from() + done >>> shift, length >>> shift);
        }
        part.prepareInternal(nexus, unit.rawLun(), cdb, writing ? length : 0, writing ? 0 : length);
        onTaskBegun(part, server.begin(part));
    }

    @Override
    public void onTaskBegun(ScsiTask begun, TaskPhase phase) {
        switch (phase) {
            case DONE -> onTaskDone(begun);
            case WAITING -> {}
            case NEEDS_DATA_OUT, READY -> {
                buffer.clear().limit(length);
                part.data(buffers, 1, length);
                server.execute(part);
            }
        }
    }

    @Override
    public void onTaskDone(ScsiTask ended) {
        server.executor().execute(this::partDone);
    }

    /** By task management on its unit; the whole copy may be ended by the same, which is for the device server to say first. */
    @Override
    public void onTaskAborted(ScsiTask ended) {
        server.executor().execute(() -> {
            if (goesOn()) {
                fail(Sense.THIRD_PARTY_DEVICE_FAILURE);
            }
        });
    }

    private void partDone() {
        if (!goesOn()) {
            return;
        }
        switch (part.status()) {
            case GOOD -> partGood();
            case BUSY, TASK_SET_FULL ->
                CompletableFuture.delayedExecutor(BUSY_PAUSE_MILLIS, TimeUnit.MILLISECONDS, server.executor())
                        .execute(this::send);
            default -> fail(Sense.THIRD_PARTY_DEVICE_FAILURE);
        }
    }

    private void partGood() {
        if (!writing) {
            writing = true;
            send();
            return;
        }
        done += length;
        status.copied(length);
        if (done < segment().bytes()) {
            read();
        } else {
            status.segmentDone();
            nextSegment();
        }
    }

    private void fail(Sense sense) {
        status.end(sense);
        task.checkCondition(sense);
    }

    /** Whether somebody waits for the copy: not once its task was ended. */
    private boolean goesOn() {
        return task.work == this && task.isExecuting();
    }

    @Override
    public void onTaskEnded() {
        if (!status.ended()) {
            status.end(Sense.COPY_ABORTED);
        }
        server.abort(part); // a write becomes a late one, which others wait for
    }

    @Override
    public void release() {
        released = true;
        if (!part.isStoreBusy()) {
            server.workBuffers().give(buffer);
        }
    }

    @Override
    public void onStoreReleased(ScsiTask ended) {
        if (released) {
            server.workBuffers().give(buffer);
        }
    }
}
