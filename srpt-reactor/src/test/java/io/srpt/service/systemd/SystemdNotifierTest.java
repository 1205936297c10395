package io.srpt.service.systemd;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemdNotifierTest {
    private static final long PROCESS = 4711;

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());

    @TempDir
    private Path directory;

    @AfterEach
    void stop() {
        group.shutdownGracefully();
    }

    @Test
    void tellsASocketWithAPath() throws Exception {
        String path = directory.resolve("notify").toString();
        try (NotifySocket socket = new NotifySocket(group, path)) {
            ServiceManager manager = SystemdNotifier.of(Map.of("NOTIFY_SOCKET", path), PROCESS, group);
            manager.ready("Serving 2 LUNs");
            manager.status("busy");
            manager.alive();
            manager.stopping();

            assertThat(socket.next()).isEqualTo("READY=1\nSTATUS=Serving 2 LUNs");
            assertThat(socket.next()).isEqualTo("STATUS=busy");
            assertThat(socket.next()).isEqualTo("WATCHDOG=1");
            assertThat(socket.next()).startsWith("STOPPING=1");
            assertThat(manager.watchdog()).isNull();
            manager.close();
        }
    }

    @Test
    void tellsAnAbstractSocket() throws Exception {
        String name = "srpt-test-" + ProcessHandle.current().pid();
        try (NotifySocket socket = new NotifySocket(group, "\0" + name)) {
            ServiceManager manager = SystemdNotifier.of(Map.of("NOTIFY_SOCKET", "@" + name), PROCESS, group);
            manager.alive();

            assertThat(socket.next()).isEqualTo("WATCHDOG=1");
            manager.close();
        }
    }

    @Test
    void hasTheWatchdogOfItsOwnProcessOnly() {
        String path = directory.resolve("notify").toString();
        try (NotifySocket ignored = new NotifySocket(group, path)) {
            Map<String, String> own =
                    Map.of("NOTIFY_SOCKET", path, "WATCHDOG_USEC", "3000000", "WATCHDOG_PID", Long.toString(PROCESS));

            assertThat(SystemdNotifier.of(own, PROCESS, group).watchdog()).isEqualTo(Duration.ofSeconds(3));
            assertThat(SystemdNotifier.of(own, PROCESS + 1, group).watchdog()).isNull();
        }
    }

    @Test
    void tellsNobodyWithoutASocketOrWithADeadOne() {
        assertThat(SystemdNotifier.of(Map.of(), PROCESS, group)).isSameAs(ServiceManager.NONE);
        assertThat(SystemdNotifier.of(Map.of("NOTIFY_SOCKET", directory + "/none"), PROCESS, group))
                .isSameAs(ServiceManager.NONE);
    }
}
