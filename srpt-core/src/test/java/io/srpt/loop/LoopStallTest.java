package io.srpt.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.IoEvent;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.epoll.Native;
import io.netty.channel.unix.FileDescriptor;
import io.srpt.time.Deadline;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class LoopStallTest {
    private static final Duration LIMIT = Duration.ofMillis(50);

    private final RdmaEventLoops loops =
            new RdmaEventLoops(1, "stall-test", RdmaLoopSettings.DEFAULTS.withStallLimit(LIMIT));
    private final RdmaEventLoop loop = loops.loops().getFirst();
    private final BlockingQueue<Report> reports = new LinkedBlockingQueue<>();
    private final CountDownLatch released = new CountDownLatch(1);

    private record Report(String loop, String handler, long nanos, boolean over) {}

    LoopStallTest() {
        loops.addStallListener((name, handler, nanos, over) -> reports.add(new Report(name, handler, nanos, over)));
    }

    @AfterEach
    void close() {
        released.countDown();
        loops.close();
    }

    private void hang() {
        try {
            released.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void isReportedWhileItHangsAndAfterwards(String kind) throws InterruptedException {
        Report hanging = reports.poll(10, TimeUnit.SECONDS);
        assertThat(hanging).isNotNull();
        assertThat(hanging.loop()).isEqualTo(loop.name());
        assertThat(hanging.handler()).startsWith(kind + " in " + LoopStallTest.class.getName() + ".hang");
        assertThat(hanging.over()).isFalse();
        released.countDown();
        Report over = reports.poll(10, TimeUnit.SECONDS);
        assertThat(over).isNotNull();
        assertThat(over.over()).isTrue();
        assertThat(over.handler()).isEqualTo(hanging.handler());
        assertThat(over.nanos()).isGreaterThan(hanging.nanos()).isGreaterThan(LIMIT.toNanos());
    }

    @Test
    void taskThatHangsIsReported() throws InterruptedException {
        loop.execute(this::hang);
        isReportedWhileItHangsAndAfterwards("task");
    }

    @Test
    void deadlineThatHangsIsReported() throws InterruptedException {
        Deadline deadline = new Deadline() {
            @Override
            protected void onDeadline() {
                hang();
            }
        };
        loop.execute(() -> loop.schedule(deadline, loop.nanoTime() + 1));
        isReportedWhileItHangsAndAfterwards("deadline");
    }

    @Test
    void turnEndListenerThatHangsIsReported() throws InterruptedException {
        loop.execute(() -> loop.addTurnEndListener(this::hang));
        isReportedWhileItHangsAndAfterwards("turn-end listener");
    }

    @Test
    void socketHandlerThatHangsIsReportedThoughTheLoopWaitedForIt() throws Exception {
        FileDescriptor event = Native.newEventFd();
        EpollIoHandle handle = new EpollIoHandle() {
            @Override
            public FileDescriptor fd() {
                return event;
            }

            @Override
            public void handle(IoRegistration registration, IoEvent ioEvent) {
                hang();
                registration.cancel();
            }

            @Override
            public void close() {}
        };
        loop.register(handle).sync().getNow().submit(EpollIoOps.EPOLLIN);
        Native.eventFdWrite(event.intValue(), 1);
        isReportedWhileItHangsAndAfterwards("socket");
        event.close();
    }

    @Test
    void idleLoopIsNotReported() throws InterruptedException {
        CountDownLatch turned = new CountDownLatch(1);
        Deadline deadline = new Deadline() {
            @Override
            protected void onDeadline() {
                turned.countDown();
            }
        };
        loop.execute(() -> loop.schedule(deadline, loop.nanoTime() + LIMIT.toNanos() * 4));
        assertThat(turned.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(reports).isEmpty();
    }
}
