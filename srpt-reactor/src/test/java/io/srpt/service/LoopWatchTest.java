package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class LoopWatchTest {
    private final Loop first = new Loop();
    private final Loop second = new Loop();
    private int fed;

    @Test
    void feedsOnlyWhenEveryLoopHasTurned() {
        LoopWatch watch = new LoopWatch(List.of(first, second), Duration.ofHours(1), () -> fed++);

        watch.tick();
        assertThat(fed).isZero();
        first.turn();
        watch.tick();
        assertThat(fed).isZero();
        second.turn();
        watch.tick();
        assertThat(fed).isOne();
        watch.tick();
        first.turn();
        first.turn();
        watch.tick();
        assertThat(fed).as("the second loop hangs").isOne();
        second.turn();
        watch.tick();
        assertThat(fed).isEqualTo(2);
        assertThat(watch.problem()).isNull();
    }

    @Test
    void asksAHangingLoopOnce() {
        LoopWatch watch = new LoopWatch(List.of(first), Duration.ZERO, () -> fed++);
        watch.tick();
        watch.tick();

        assertThat(first.tasks).hasSize(1);
        assertThat(watch.problem()).startsWith("an event loop hangs for ");
    }

    /** Turns when it is told to. */
    private static final class Loop implements Executor {
        private final Queue<Runnable> tasks = new ArrayDeque<>();

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        void turn() {
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
        }
    }
}
