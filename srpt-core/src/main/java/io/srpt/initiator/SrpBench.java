package io.srpt.initiator;

import io.srpt.initiator.InitiatorCommand.Outcome;
import io.srpt.time.Deadline;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A workload generator on one session: keeps a number of commands in flight, each one's answer starts the next. Nothing
 * is allocated per command.
 *
 * <p>Threads: the session's loop, the {@code onEnd} callback included.
 */
public final class SrpBench {
    private static final int MAX_ERRORS = 1000;

    private final SrpSession session;
    private final SrpWorkload workload;
    private final LatencyRecorder recorder;
    private final Consumer<SrpBenchResult> onEnd;
    private final Xorshift random;
    private final long places;
    private final long[] startedNanos;
    private final boolean[] reading;
    private final CommandCallback callback = this::onCommandEnd;
    private final Phases phases = new Phases();
    private Phase phase = Phase.IDLE;
    private long nextPlace;
    private int inFlight;
    private long measuredFromNanos;
    private long measuredNanos;
    private long reads;
    private long writes;
    private long totalReads;
    private long totalWrites;
    private long errors;
    private boolean sessionLost;
    private @Nullable String firstError;

    /** On a session that has logged in; its slots' buffers must hold the workload's transfers. */
    public SrpBench(
            SrpSession session, SrpWorkload workload, LatencyRecorder recorder, Consumer<SrpBenchResult> onEnd) {
        int available = session.configuration().maxTransferLength();
        if (workload.transferLength() > available) {
            throw new IllegalArgumentException(
                    "a transfer of " + workload.transferLength() + " bytes exceeds the session's " + available);
        }
        this.session = session;
        this.workload = workload;
        this.recorder = recorder;
        this.onEnd = onEnd;
        random = new Xorshift(workload.seed());
        places = workload.places();
        startedNanos = new long[session.configuration().queueDepth()];
        reading = new boolean[startedNanos.length];
    }

    /** Starts; {@code onEnd} is called once, after the last command has ended and its slot is free again. */
    public void start() {
        assert session.loop().inEventLoop();
        phase = Phase.WARMUP;
        session.loop().schedule(phases, session.loop().nanoTime() + workload.warmupNanos());
        for (int count = 0; count < workload.depth(); count++) {
            InitiatorCommand command = session.acquire();
            if (command == null) {
                break;
            }
            inFlight++;
            fill(command);
            submit(command);
        }
        endIfDrained();
    }

    private void submit(InitiatorCommand command) {
        boolean read = isRead();
        int blocks = workload.blocksPerCommand();
        long lba = nextPlace() * blocks;
        command.lun(workload.lun());
        if (read) {
            command.read(lba, blocks, workload.diskBlockSize());
        } else {
            command.write(lba, blocks, workload.diskBlockSize()).immediate();
        }
        int index = command.index();
        reading[index] = read;
        startedNanos[index] = session.loop().nanoTime();
        command.submit(callback);
    }

    private void onCommandEnd(InitiatorCommand command) {
        if (!command.isGood()) {
            onError(command);
        } else {
            onSuccess(command, reading[command.index()]);
        }
        if (phase != Phase.DRAINING && command.outcome() != Outcome.SESSION_LOST) {
            submit(command.reset());
            return;
        }
        inFlight--;
        command.release();
        endIfDrained();
    }

    private void onSuccess(InitiatorCommand command, boolean read) {
        if (read) {
            totalReads++;
        } else {
            totalWrites++;
        }
        if (phase == Phase.MEASURING) {
            recorder.record(session.loop().nanoTime() - startedNanos[command.index()], read);
            if (read) {
                reads++;
            } else {
                writes++;
            }
        }
    }

    private void onError(InitiatorCommand command) {
        errors++;
        if (firstError == null) {
            firstError = command.describe();
        }
        sessionLost |= command.outcome() == Outcome.SESSION_LOST;
        if (phase != Phase.DRAINING && (sessionLost || errors >= MAX_ERRORS)) {
            drain();
        }
    }

    private void drain() {
        if (phase == Phase.MEASURING) {
            measuredNanos = session.loop().nanoTime() - measuredFromNanos;
        }
        phase = Phase.DRAINING;
        session.loop().cancel(phases);
    }

    private void endIfDrained() {
        if (inFlight > 0 || phase == Phase.ENDED) {
            return;
        }
        drain();
        phase = Phase.ENDED;
        onEnd.accept(new SrpBenchResult(
                reads,
                writes,
                workload.transferLength(),
                measuredNanos,
                errors,
                firstError,
                totalReads,
                totalWrites,
                sessionLost));
    }

    private boolean isRead() {
        return switch (workload.readPercent()) {
            case 0 -> false;
            case 100 -> true;
            default -> random.below(100) < workload.readPercent();
        };
    }

    private long nextPlace() {
        if (workload.random()) {
            return random.below(places);
        }
        long place = nextPlace;
        nextPlace = place + 1 == places ? 0 : place + 1;
        return place;
    }

    private void fill(InitiatorCommand command) {
        for (int offset = 0; offset + Long.BYTES <= workload.transferLength(); offset += Long.BYTES) {
            command.data().putLong(offset, random.next());
        }
    }

    /** From one phase to the next. */
    private final class Phases extends Deadline {
        @Override
        protected void onDeadline() {
            if (phase == Phase.WARMUP) {
                phase = Phase.MEASURING;
                measuredFromNanos = session.loop().nanoTime();
                session.loop().schedule(this, measuredFromNanos + workload.durationNanos());
            } else if (phase == Phase.MEASURING) {
                drain();
            }
        }
    }

    private enum Phase {
        IDLE,
        WARMUP,
        MEASURING,
        /** No new commands; those in flight end. */
        DRAINING,
        ENDED
    }
}
