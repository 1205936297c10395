package io.srpt.initiator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.verbs.RejectReason;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class BlockingSrpClientTest {
    private final ScriptedTarget target = new ScriptedTarget();
    private final FakeDisk disk = new FakeDisk(target);
    private boolean answered;

    @Test
    void findsOutWhatTheDiskIs() throws Exception {
        disk.unitAttentions = 2;
        BlockingSrpClient client = login();
        call(() -> {
            client.testUnitReady(0);
            return 0;
        });

        assertThat(call(client::reportLuns)).containsExactly(0, 5);
        assertThat(call(() -> client.inquiry(0))).isEqualTo(new BlockingSrpClient.Inquiry(0, "FAKE", "disk", "1.0"));
        assertThat(call(() -> client.capacity(0)).bytes()).isEqualTo(64 * 512);
    }

    @Test
    void readsBackWhatItWrote() throws Exception {
        BlockingSrpClient client = login();
        byte[] data = new byte[3 * FakeDisk.BLOCK_SIZE];
        new Random(7).nextBytes(data);
        byte[] back = call(() -> {
            client.write(0, 10, data, FakeDisk.BLOCK_SIZE);
            client.synchronizeCache(0);
            return client.read(0, 10, 3, FakeDisk.BLOCK_SIZE);
        });

        assertThat(back).isEqualTo(data);
    }

    @Test
    void saysWhatTheTargetSaid() throws Exception {
        BlockingSrpClient client = login();

        assertThat(call(() -> client.executeWrite(0, new byte[] {0x2F}, new byte[0])
                                .get())
                        .decodedSense())
                .hasToString("5/20/00");
        assertThatThrownBy(() -> call(() -> client.read(0, 0, 1_000, FakeDisk.BLOCK_SIZE)))
                .hasMessageContaining("512000 bytes do not fit the data buffer of 8192");
    }

    @Test
    void resetsAUnitAndLogsOut() throws Exception {
        BlockingSrpClient client = login();
        call(() -> {
            client.resetLun(0);
            client.close();
            return 0;
        });

        assertThat(client.onClosed().join()).isEqualTo(SrpSessionListener.CloseReason.LOGOUT);
        assertThat(target.hasFreedEverything()).isTrue();
        assertThatThrownBy(() -> call(() -> client.capacity(0))).hasMessageContaining("the session is closed");
    }

    @Test
    void reportsARefusedLogin() {
        assertThatThrownBy(() -> call(() -> connect(RejectReason.INVALID_SERVICE_ID)))
                .isInstanceOf(SrpException.class)
                .hasMessageContaining("login: the target refused the connection");
    }

    private BlockingSrpClient login() throws Exception {
        return call(() -> connect(null));
    }

    private BlockingSrpClient connect(RejectReason refusal) throws Exception {
        target.loop.execute(() -> target.loop.execute(() -> answerLogin(refusal)));
        return BlockingSrpClient.connect(
                target.device, ScriptedTarget.configuration().build(), Duration.ofSeconds(20));
    }

    private void answerLogin(RejectReason refusal) {
        FakeDevice.FakeConnection connection = target.device.connection;
        if (connection == null) {
            target.loop.execute(() -> answerLogin(refusal));
        } else if (refusal != null) {
            connection.handler.onRejected(connection, refusal, new byte[148]);
        } else {
            target.accept(ScriptedTarget.loginResponse(10, 0x80));
        }
    }

    /** Runs {@code action} on a thread of its own while this thread is the loop and the target. */
    private <T> T call(Callable<T> action) throws Exception {
        FutureTask<T> task = new FutureTask<>(action);
        Thread.ofVirtual().start(task);
        while (!task.isDone()) {
            target.loop.settle();
            boolean busy = disk.answerOne();
            FakeDevice.FakeConnection connection = target.device.connection;
            if (connection != null && connection.disconnects > 0 && !answered) {
                answered = true;
                target.disconnected();
            }
            if (!busy) {
                Thread.onSpinWait();
            }
        }
        try {
            return task.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }
}
