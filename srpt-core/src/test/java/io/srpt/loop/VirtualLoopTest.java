package io.srpt.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.time.Deadline;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VirtualLoopTest {
    private final VirtualClock clock = new VirtualClock(Long.MAX_VALUE - 50);
    private final VirtualLoop first = clock.newLoop("first");
    private final VirtualLoop second = clock.newLoop("second");
    private final List<String> events = new ArrayList<>();

    @Test
    void timeStopsAtEachDeadlineInOrderAcrossLoopsAndTheClocksWrap() {
        long start = clock.nanoTime();
        first.schedule(deadline("b", start), start + 100);
        second.schedule(deadline("a", start), start + 10);
        first.schedule(deadline("late", start), start + 1001);

        clock.advance(1000);

        assertThat(events).containsExactly("a@10", "b@100");
        assertThat(clock.nanoTime() - start).isEqualTo(1000);
        assertThat(clock.runNextDeadline()).isTrue();
        assertThat(events).endsWith("late@1001");
        assertThat(clock.runNextDeadline()).isFalse();
    }

    @Test
    void idleMeansThatTasksOfAllLoopsHaveRunAndTurnEndsWereSeen() {
        List<Runnable> batch = new ArrayList<>();
        first.addTurnEndListener(() -> {
            batch.forEach(second::execute);
            batch.clear();
        });
        first.execute(() -> batch.add(() -> first.execute(() -> events.add("back"))));

        clock.runUntilIdle();

        assertThat(events).containsExactly("back");
    }

    @Test
    void duringATurnOnlyTheRunningLoopIsTheCallersLoop() {
        assertThat(first.inEventLoop()).isTrue();
        first.execute(() -> events.add(first.inEventLoop() + " " + second.inEventLoop()));
        clock.runUntilIdle();
        assertThat(events).containsExactly("true false");
    }

    @Test
    void runUntilGivesUpWhenItsTimeIsOver() {
        long start = clock.nanoTime();
        assertThat(clock.runUntil(() -> false, 500)).isFalse();
        assertThat(clock.nanoTime() - start).isEqualTo(500);
        first.schedule(deadline("x", start), start + 700);
        assertThat(clock.runUntil(() -> !events.isEmpty(), 500)).isTrue();
        assertThat(clock.nanoTime() - start).isEqualTo(700);
    }

    @Test
    void timeCannotBeDrivenFromInsideALoop() {
        first.execute(clock::runUntilIdle);
        assertThatThrownBy(clock::runUntilIdle).isInstanceOf(IllegalStateException.class);
    }

    private Deadline deadline(String name, long start) {
        return new Deadline() {
            @Override
            protected void onDeadline() {
                events.add(name + "@" + (clock.nanoTime() - start));
            }
        };
    }
}
