package io.srpt.roce;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.loop.RdmaEventLoop;
import io.srpt.loop.RdmaEventLoops;
import io.srpt.verbs.CompletionListener;
import io.srpt.verbs.RdmaLoop;
import io.srpt.verbs.WorkCompletion;
import io.srpt.verbs.WorkCompletionOpcode;
import io.srpt.verbs.WorkCompletionStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A loop that polls only the queues that announce entries delivers each of them, and sleeps over none. */
@Timeout(30)
class RoceCompletionQueueTest {
    private static final int MANY = 20_000;

    private final RdmaEventLoops loops = new RdmaEventLoops(1, "ready-test", Duration.ZERO);
    private final RdmaEventLoop loop = loops.loops().getFirst();
    /** Written on the loop, read when it has nothing to do for this test. */
    private final List<Long> delivered = new ArrayList<>();

    @AfterEach
    void close() {
        loops.close();
    }

    @Test
    void entriesThatComeDuringThePollOfTheirQueueAreDelivered() throws Exception {
        Latched last = new Latched(4);
        onLoop(() -> {
            RoceCompletionQueue queue = last.open();
            last.onEach(completion -> {
                if (completion.wrId() < 4) {
                    add(queue, completion.wrId() + 1);
                }
            });
            add(queue, 1);
        });
        last.await();
        assertThat(delivered).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void entriesThatComeWhenThePollIsOverAreDelivered() throws Exception {
        Latched last = new Latched(2);
        onLoop(() -> {
            RoceCompletionQueue queue = last.open();
            last.onPolled = () -> {
                if (delivered.size() == 1) {
                    add(queue, 2);
                }
            };
            add(queue, 1);
        });
        last.await();
        assertThat(delivered).containsExactly(1L, 2L);
    }

    @Test
    void entryOfTheTurnsEndIsNotSleptOver() throws Exception {
        Latched last = new Latched(1);
        onLoop(() -> {
            RoceCompletionQueue queue = last.open();
            RdmaLoop.TurnEndListener once = new RdmaLoop.TurnEndListener() {
                @Override
                public void onTurnEnd() {
                    // In a turn that had nothing to do: the loop is about to sleep, for good if it does not look again.
                    add(queue, 1);
                    loop.removeTurnEndListener(this);
                }
            };
            loop.addTurnEndListener(once);
        });
        last.await();
        assertThat(delivered).containsExactly(1L);
    }

    @Test
    void queueThatIsClosedWhileItWaitsIsNotPolledAndTheOthersAre() throws Exception {
        Latched gone = new Latched(1);
        Latched stays = new Latched(7);
        onLoop(() -> {
            RoceCompletionQueue first = gone.open();
            RoceCompletionQueue second = stays.open();
            add(first, 1);
            add(second, 7);
            first.close();
        });
        stays.await();
        assertThat(delivered).containsExactly(7L);
        assertThat(loop.handlerErrors().get()).isZero();
    }

    @Test
    void queueThatItsListenerClosesDeliversNoMore() throws Exception {
        Latched gone = new Latched(1);
        Latched stays = new Latched(7);
        onLoop(() -> {
            RoceCompletionQueue first = gone.open();
            gone.onEach(completion -> first.close());
            add(first, 1);
            add(first, 2);
            add(stays.open(), 7);
        });
        stays.await();
        assertThat(delivered).containsExactly(1L, 7L);
    }

    @Test
    void turnThatWasLongEnoughIsGoneOnWithAfterTasksHadTheirs() throws Exception {
        Latched last = new Latched(MANY);
        int[] whenTaskRan = new int[1];
        onLoop(() -> {
            RoceCompletionQueue queue = last.open();
            last.onEach(completion -> {
                if (completion.wrId() == 1) {
                    loop.execute(() -> whenTaskRan[0] = delivered.size());
                }
                if (completion.wrId() < MANY) {
                    add(queue, completion.wrId() + 1);
                }
            });
            add(queue, 1);
        });
        last.await();
        assertThat(delivered).hasSize(MANY).isSorted().doesNotHaveDuplicates();
        assertThat(whenTaskRan[0]).isPositive().isLessThan(MANY);
    }

    @Test
    void busyQueueKeepsNoOtherWaiting() throws Exception {
        Latched last = new Latched(MANY);
        Latched other = new Latched(0);
        onLoop(() -> {
            RoceCompletionQueue busy = last.open();
            last.onEach(completion -> {
                if (completion.wrId() < MANY) {
                    add(busy, completion.wrId() + 1);
                }
            });
            add(busy, 1);
            add(other.open(), 0);
        });
        last.await();
        assertThat(delivered.indexOf(0L)).as("one poll of the other queue").isLessThanOrEqualTo(64);
    }

    @Test
    void listenerThatThrowsMissesNoneOfTheOthers() throws Exception {
        Latched last = new Latched(3);
        onLoop(() -> {
            RoceCompletionQueue queue = last.open();
            last.onEach(completion -> {
                if (completion.wrId() == 1) {
                    throw new IllegalStateException("a listener's bug, thrown by the test");
                }
            });
            add(queue, 1);
            add(queue, 2);
            add(queue, 3);
        });
        last.await();
        assertThat(delivered).containsExactly(1L, 2L, 3L);
        assertThat(loop.handlerErrors().get()).isOne();
    }

    @Test
    void turnLooksIntoNoQueueThatHasNothing() throws Exception {
        Latched last = new Latched(1);
        onLoop(() -> {
            for (int i = 0; i < 100; i++) {
                new Latched(-1).open();
            }
            add(last.open(), 1);
        });
        last.await();
        onLoop(() -> assertThat(loop.counters().emptyPolls.get()).isZero());
    }

    private static void add(RoceCompletionQueue queue, long wrId) {
        queue.add(wrId, WorkCompletionStatus.SUCCESS, WorkCompletionOpcode.SEND, 1);
    }

    private void onLoop(Runnable action) throws InterruptedException, ExecutionException {
        FutureTask<Boolean> task = new FutureTask<>(action, true);
        loop.execute(task);
        task.get();
    }

    /** Records what comes, and tells when a certain one has. */
    private final class Latched implements CompletionListener {
        private final long lastId;
        private final CountDownLatch seen = new CountDownLatch(1);
        private CompletionListener inner = completion -> {};
        private Runnable onPolled = () -> {};

        Latched(long lastId) {
            this.lastId = lastId;
        }

        RoceCompletionQueue open() {
            RoceCompletionQueue queue = new RoceCompletionQueue(loop, 16, this);
            loop.attach(queue);
            return queue;
        }

        void onEach(CompletionListener listener) {
            inner = listener;
        }

        @Override
        public void onCompletion(WorkCompletion completion) {
            delivered.add(completion.wrId());
            long id = completion.wrId();
            try {
                inner.onCompletion(completion);
            } finally {
                if (id == lastId) {
                    seen.countDown();
                }
            }
        }

        @Override
        public void onPolled() {
            onPolled.run();
        }

        void await() throws InterruptedException, ExecutionException {
            assertThat(seen.await(20, TimeUnit.SECONDS))
                    .as("delivered: %s", delivered)
                    .isTrue();
            // What the loop has written is seen here after a task of it.
            onLoop(() -> {});
        }
    }
}
