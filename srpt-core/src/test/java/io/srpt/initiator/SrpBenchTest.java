package io.srpt.initiator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.srpt.verbs.VerbsException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SrpBenchTest {
    private static final long MILLISECOND = 1_000_000;

    private final ScriptedTarget target = new ScriptedTarget();
    private final FakeDisk disk = new FakeDisk(target);
    private final List<Long> latencies = new ArrayList<>();
    private final List<SrpBenchResult> results = new ArrayList<>();

    @Test
    void measuresAfterTheWarmUpWhatWasDoneInTheDuration() throws VerbsException {
        SrpSession session = run(workload(2, 100, true, 10, 40), 1);

        SrpBenchResult result = results.getFirst();
        assertThat(result.elapsedNanos()).isEqualTo(40 * MILLISECOND);
        assertThat(result.reads()).isBetween(38L, 41L);
        assertThat(result.writes()).isZero();
        assertThat(result.errors()).isZero();
        assertThat(latencies).hasSize((int) result.reads()).allMatch(nanos -> nanos <= 3 * MILLISECOND);
        assertThat(session.freeSlots()).as("every slot is free again").isEqualTo(4);
        assertThat(results).hasSize(1);
    }

    @Test
    void mixesReadsAndWrites() throws VerbsException {
        run(workload(4, 70, true, 0, 1000), 1);

        double share = (double) disk.reads / (disk.reads + disk.writes);
        assertThat(share).isCloseTo(0.7, within(0.06));
    }

    @Test
    void goesThroughTheDiskInOrderAndStartsAgain() throws VerbsException {
        run(workload(1, 0, false, 0, FakeDisk.BLOCKS / 2 + 2), 1);

        assertThat(disk.writes).isGreaterThan(FakeDisk.BLOCKS / 2);
        assertThat(disk.blocks[disk.blocks.length - 1]).isNotZero();
    }

    @Test
    void countsErrorsAndKeepsTheFirst() throws VerbsException {
        disk.unitAttentions = 2;
        run(workload(1, 100, true, 0, 10), 1);

        assertThat(results.getFirst().errors()).isEqualTo(2);
        assertThat(results.getFirst().firstError()).isEqualTo("SCSI status 0x02, sense 6/29/00");
        assertThat(results.getFirst().reads()).isGreaterThan(5);
    }

    @Test
    void endsWhenTheSessionDoes() throws VerbsException {
        SrpSession session = target.login(ScriptedTarget.configuration().build(), 10);
        new SrpBench(session, workload(4, 100, true, 0, 100), (nanos, read) -> {}, results::add).start();
        target.loop.advance(MILLISECOND);
        session.logout();
        target.disconnected();

        assertThat(results).hasSize(1);
        assertThat(results.getFirst().sessionLost()).isTrue();
    }

    @Test
    void sharesTheCommandsOutAmongSessions() throws VerbsException {
        SrpSession first = target.login(ScriptedTarget.configuration().build(), 10);
        FakeQueuePair firstQueue = target.queuePair();
        SrpSession second =
                target.login(ScriptedTarget.configuration().multiChannel(true).build(), 10);

        new SrpBench(List.of(first, second), workload(6, 100, true, 0, 100), (nanos, read) -> {}, results::add).start();
        target.loop.advance(MILLISECOND);

        assertThat(firstQueue.sent).hasSize(3);
        assertThat(target.queuePair().sent).hasSize(3);
        assertThat(List.of(first.freeSlots(), second.freeSlots())).containsExactly(1, 1);
    }

    @Test
    void computesRates() {
        SrpBenchResult result =
                new SrpBenchResult(60_000, 40_000, 4096, 2_000_000_000L, 0, null, 60_000, 40_000, false);

        assertThat(result.iops()).isEqualTo(50_000);
        assertThat(result.bytesPerSecond()).isEqualTo(50_000 * 4096.0);
        assertThat(new SrpBenchResult(0, 0, 4096, 0, 0, null, 0, 0, false).iops())
                .isZero();
    }

    @Test
    void refusesWorkloadsThatCannotBe() {
        assertThatThrownBy(() -> new SrpWorkload(0, 64, 512, 1000, 1, 50, true, 0, 1, 1))
                .hasMessage("the block size must be a multiple of the disk's 512 bytes, is 1000");
        assertThatThrownBy(() -> new SrpWorkload(0, 4, 512, 4096, 1, 50, true, 0, 1, 1))
                .hasMessage("a block of 4096 bytes does not fit a disk of 4 blocks");
    }

    @Test
    void drawsEveryPlaceAndNoOther() {
        Xorshift random = new Xorshift(0);
        Set<Long> seen = new HashSet<>();
        for (int count = 0; count < 1000; count++) {
            seen.add(random.below(10));
        }

        assertThat(seen).containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    }

    /** Answers one command a step of {@code stepMillis} until the run has ended. */
    private SrpSession run(SrpWorkload workload, long stepMillis) throws VerbsException {
        SrpSession session = target.login(ScriptedTarget.configuration().build(), 10);
        new SrpBench(session, workload, (nanos, read) -> latencies.add(nanos), results::add).start();
        while (results.isEmpty()) {
            target.loop.advance(stepMillis * MILLISECOND);
            disk.answerOne();
        }
        return session;
    }

    private static SrpWorkload workload(int depth, int readPercent, boolean random, long warmup, long duration) {
        return new SrpWorkload(
                0,
                FakeDisk.BLOCKS,
                FakeDisk.BLOCK_SIZE,
                2 * FakeDisk.BLOCK_SIZE,
                depth,
                readPercent,
                random,
                warmup * MILLISECOND,
                duration * MILLISECOND,
                42);
    }
}
