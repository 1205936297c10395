package io.srpt.initiator;

import io.srpt.initiator.InitiatorCommand.Outcome;
import io.srpt.time.Deadline;
import io.srpt.verbs.RdmaLoop;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A workload generator: keeps a number of commands in flight, each one's answer starts the next. With several sessions the
 * next one goes out on the next session, so that all are as busy. Nothing is allocated per command.
 *
 * <p>Threads: the loop of the sessions, which is one, the {@code onEnd} callback included.
 */
public final class SrpBench {
    private static final int MAX_ERRORS = 1000;

    private final RdmaLoop loop;
    private final Lane[] lanes;
    private final SrpWorkload workload;
    private final LatencyRecorder recorder;
    private final Consumer<SrpBenchResult> onEnd;
    private final Xorshift random;
    private final long places;
    private final Phases phases = new Phases();
    private Phase phase = Phase.IDLE;
    private long nextPlace;
    private int nextLane;
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
        this(List.of(session), workload, recorder, onEnd);
    }

    /** On sessions of one loop that have logged in; their slots' buffers must hold the workload's transfers. */
    public SrpBench(
            List<SrpSession> sessions, SrpWorkload workload, LatencyRecorder recorder, Consumer<SrpBenchResult> onEnd) {
        loop = sessions.getFirst().loop();
        for (SrpSession session : sessions) {
            int available = session.configuration().maxTransferLength();
            if (workload.transferLength() > available) {
                throw new IllegalArgumentException(
                        "a transfer of " + workload.transferLength() + " bytes exceeds the session's " + available);
            }
            if (session.loop() != loop) {
                throw new IllegalArgumentException("the sessions are on several loops");
            }
        }
        this.workload = workload;
        this.recorder = recorder;
        this.onEnd = onEnd;
        random = new Xorshift(workload.seed());
        places = workload.places();
        lanes = sessions.stream().map(Lane::new).toArray(Lane[]::new);
    }

    /** Starts; {@code onEnd} is called once, after the last command has ended and its slot is free again. */
    public void start() {
        assert loop.inEventLoop();
        phase = Phase.WARMUP;
        loop.schedule(phases, loop.nanoTime() + workload.warmupNanos());
        for (int count = 0; count < workload.depth(); count++) {
            startOne();
        }
        endIfDrained();
    }

    /** On the next session that has a slot free; without one there is one command less in flight. */
    private void startOne() {
        for (int tried = 0; tried < lanes.length; tried++) {
            Lane lane = lanes[nextLane];
            nextLane = nextLane + 1 == lanes.length ? 0 : nextLane + 1;
            if (lane.start()) {
                inFlight++;
                return;
            }
        }
    }

    private void onCommandEnd(Lane lane, InitiatorCommand command) {
        int index = command.index();
        if (!command.isGood()) {
            onError(command);
        } else {
            onSuccess(lane.startedNanos[index], lane.reading[index]);
        }
        boolean goesOn = phase != Phase.DRAINING && command.outcome() != Outcome.SESSION_LOST;
        if (goesOn && lanes.length == 1) {
            lane.submit(command.reset());
            return;
        }
        inFlight--;
        command.release();
        if (goesOn) {
            startOne();
        }
        endIfDrained();
    }

    private void onSuccess(long startedNanos, boolean read) {
        if (read) {
            totalReads++;
        } else {
            totalWrites++;
        }
        if (phase == Phase.MEASURING) {
            recorder.record(loop.nanoTime() - startedNanos, read);
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
            measuredNanos = loop.nanoTime() - measuredFromNanos;
            recorder.onMeasured();
        }
        phase = Phase.DRAINING;
        loop.cancel(phases);
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

    /** One session, and what its commands are about. */
    private final class Lane implements CommandCallback {
        private final SrpSession session;
        private final long[] startedNanos;
        private final boolean[] reading;
        private final boolean[] filled;

        Lane(SrpSession session) {
            this.session = session;
            startedNanos = new long[session.configuration().queueDepth()];
            reading = new boolean[startedNanos.length];
            filled = new boolean[startedNanos.length];
        }

        /** False if no slot is free. */
        boolean start() {
            InitiatorCommand command = session.acquire();
            if (command == null) {
                return false;
            }
            int index = command.index();
            if (!filled[index]) {
                filled[index] = true;
                fill(command);
            }
            submit(command);
            return true;
        }

        void submit(InitiatorCommand command) {
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
            startedNanos[index] = loop.nanoTime();
            command.submit(this);
        }

        @Override
        public void onCommandEnd(InitiatorCommand command) {
            SrpBench.this.onCommandEnd(this, command);
        }
    }

    /** From one phase to the next. */
    private final class Phases extends Deadline {
        @Override
        protected void onDeadline() {
            if (phase == Phase.WARMUP) {
                phase = Phase.MEASURING;
                recorder.onMeasuring();
                measuredFromNanos = loop.nanoTime();
                loop.schedule(this, measuredFromNanos + workload.durationNanos());
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
