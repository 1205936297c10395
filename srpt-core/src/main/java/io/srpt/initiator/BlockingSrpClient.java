package io.srpt.initiator;

import io.srpt.initiator.SrpTaskManagementCallback.Result;
import io.srpt.scsi.Lun;
import io.srpt.verbs.RdmaPort;
import io.srpt.verbs.VerbsException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A session for callers that want to wait: command line, tests, tools. Every call hops to the session's loop and waits
 * there for no longer than the timeout given at connect; data is copied in and out.
 *
 * <p>Threads: any but the session's loop, several at a time.
 */
public final class BlockingSrpClient implements AutoCloseable {
    private static final int UNIT_ATTENTION_RETRIES = 8;
    private static final byte[] NO_DATA = {};

    private final RdmaPort port;
    private final Duration timeout;
    private final CompletableFuture<SrpSession> loggedIn = new CompletableFuture<>();
    private final CompletableFuture<SrpSessionListener.CloseReason> closed = new CompletableFuture<>();
    private final Deque<Operation> waiting = new ArrayDeque<>();
    private volatile boolean abandoned;

    private BlockingSrpClient(RdmaPort port, Duration timeout) {
        this.port = port;
        this.timeout = timeout;
    }

    /** Logs in; each call, this one included, waits at most {@code timeout}. */
    public static BlockingSrpClient connect(RdmaPort port, SrpSessionConfiguration configuration, Duration timeout)
            throws SrpException, InterruptedIOException {
        BlockingSrpClient client = new BlockingSrpClient(port, timeout);
        port.loop().execute(() -> client.start(configuration));
        try {
            client.await("login", client.loggedIn);
        } catch (SrpException | InterruptedIOException e) {
            client.abandoned = true;
            port.loop().execute(client::logoutIfAbandoned);
            throw e;
        }
        return client;
    }

    /** The session. Use it on its loop only. */
    public SrpSession session() {
        return loggedIn.join();
    }

    /** Runs a command that reads at most {@code dataLength} bytes; unit attentions are the caller's. */
    public CompletableFuture<ScsiResult> executeRead(int lun, byte[] cdb, int dataLength) {
        return submit(new Operation(lun, cdb, NO_DATA, dataLength));
    }

    /** Runs a command that writes {@code data}, or moves none if that is empty; unit attentions are the caller's. */
    public CompletableFuture<ScsiResult> executeWrite(int lun, byte[] cdb, byte[] data) {
        return submit(new Operation(lun, cdb, data, 0));
    }

    /** TEST UNIT READY, again while it reports unit attentions. */
    public void testUnitReady(int lun) throws SrpException, InterruptedIOException {
        run("TEST UNIT READY", new Operation(lun, new byte[6], NO_DATA, 0));
    }

    /** INQUIRY, standard data. */
    public Inquiry inquiry(int lun) throws SrpException, InterruptedIOException {
        byte[] data = run("INQUIRY", new Operation(lun, new byte[] {0x12, 0, 0, 0, 96, 0}, NO_DATA, 96));
        if (data.length < 36) {
            throw new SrpException("INQUIRY: only " + data.length + " bytes of data");
        }
        return new Inquiry(data[0] & 0x1F, text(data, 8, 8), text(data, 16, 16), text(data, 32, 4));
    }

    /** REPORT LUNS: the numbers of the logical units with single-level numbers. */
    public List<Integer> reportLuns() throws SrpException, InterruptedIOException {
        int length = 16 + 8 * 256;
        byte[] cdb = new byte[12];
        ByteBuffer.wrap(cdb).put(0, (byte) 0xA0).putInt(6, length);
        ByteBuffer data = ByteBuffer.wrap(run("REPORT LUNS", new Operation(0, cdb, NO_DATA, length)));
        List<Integer> luns = new ArrayList<>();
        long end = data.capacity() < 8 ? 0 : Math.min(data.capacity(), 8 + (data.getInt(0) & 0xFFFF_FFFFL));
        for (int offset = 8; offset + 8 <= end; offset += 8) {
            int lun = Lun.decode(data.getLong(offset));
            if (lun != Lun.INVALID) {
                luns.add(lun);
            }
        }
        return luns;
    }

    /** READ CAPACITY(16). */
    public Capacity capacity(int lun) throws SrpException, InterruptedIOException {
        byte[] cdb = new byte[16];
        ByteBuffer.wrap(cdb).putShort(0, (short) 0x9E10).putInt(10, 32);
        ByteBuffer data = ByteBuffer.wrap(run("READ CAPACITY", new Operation(lun, cdb, NO_DATA, 32)));
        if (data.capacity() < 12) {
            throw new SrpException("READ CAPACITY: only " + data.capacity() + " bytes of data");
        }
        return new Capacity(data.getLong(0) + 1, data.getInt(8));
    }

    /** READ(16). */
    public byte[] read(int lun, long lba, int blocks, int blockSize) throws SrpException, InterruptedIOException {
        int length = Math.multiplyExact(blocks, blockSize);
        byte[] data = run("READ", new Operation(lun, blockCdb(0x88, lba, blocks), NO_DATA, length));
        if (data.length != length) {
            throw new SrpException("READ: " + data.length + " bytes instead of " + length);
        }
        return data;
    }

    /** WRITE(16) of whole blocks. */
    public void write(int lun, long lba, byte[] data, int blockSize) throws SrpException, InterruptedIOException {
        run("WRITE", new Operation(lun, blockCdb(0x8A, lba, data.length / blockSize), data, 0));
    }

    /** SYNCHRONIZE CACHE(10) of the whole disk. */
    public void synchronizeCache(int lun) throws SrpException, InterruptedIOException {
        byte[] cdb = new byte[10];
        cdb[0] = 0x35;
        run("SYNCHRONIZE CACHE", new Operation(lun, cdb, NO_DATA, 0));
    }

    /** LUN RESET. */
    public void resetLun(int lun) throws SrpException, InterruptedIOException {
        CompletableFuture<Result> done = new CompletableFuture<>();
        port.loop().execute(() -> {
            boolean sent = session()
                    .manageTasks(
                            SrpTaskFunction.LUN_RESET, Lun.encode(lun), 0, (function, result) -> done.complete(result));
            if (!sent) {
                done.complete(Result.FAILED);
            }
        });
        Result result = await("LUN RESET", done);
        if (result != Result.COMPLETE) {
            throw new SrpException("LUN RESET: " + result);
        }
    }

    /** Logs out and waits until the session has freed everything. */
    @Override
    public void close() throws SrpException, InterruptedIOException {
        port.loop().execute(session()::logout);
        await("logout", closed);
    }

    /** Completes with the reason when the session is over, whoever ended it. */
    public CompletableFuture<SrpSessionListener.CloseReason> onClosed() {
        return closed.copy();
    }

    /** A login that nobody waits for any more may still come. */
    private void logoutIfAbandoned() {
        SrpSession session = loggedIn.isCompletedExceptionally() ? null : loggedIn.getNow(null);
        if (abandoned && session != null) {
            session.logout();
        }
    }

    private void start(SrpSessionConfiguration configuration) {
        try {
            SrpSession.connect(port, configuration, new Listener());
        } catch (VerbsException | RuntimeException e) {
            loggedIn.completeExceptionally(new SrpException("login: " + e.getMessage(), e));
        }
    }

    private byte[] run(String name, Operation operation) throws SrpException, InterruptedIOException {
        ScsiResult result = await(name, submit(operation));
        for (int retry = 0; retry < UNIT_ATTENTION_RETRIES && result.isUnitAttention(); retry++) {
            result = await(name, submit(operation.again()));
        }
        if (!result.isGood()) {
            throw new SrpException(name + ": " + result.description());
        }
        return result.data();
    }

    private CompletableFuture<ScsiResult> submit(Operation operation) {
        port.loop().execute(() -> {
            waiting.add(operation);
            pump();
        });
        return operation.result();
    }

    private void pump() {
        while (!waiting.isEmpty()) {
            InitiatorCommand command = session().acquire();
            if (command == null) {
                failIfClosed();
                return;
            }
            Operation operation = waiting.removeFirst();
            try {
                operation.prepare(command);
            } catch (IllegalArgumentException e) {
                command.release();
                operation.result().completeExceptionally(e);
                continue;
            }
            command.submit(ended -> {
                ScsiResult result = ScsiResult.of(ended, operation.dataLength() > 0);
                ended.release();
                operation.result().complete(result);
                pump();
            });
        }
    }

    private void failIfClosed() {
        if (session().state() == SrpSessionState.LIVE) {
            return;
        }
        for (Operation operation = waiting.poll(); operation != null; operation = waiting.poll()) {
            operation.result().completeExceptionally(new SrpException("the session is closed"));
        }
    }

    private <T> T await(String step, CompletableFuture<T> future) throws SrpException, InterruptedIOException {
        assert !port.loop().inEventLoop();
        try {
            return future.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new SrpException(step + ": no answer within " + timeout.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(step + ": interrupted");
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw cause instanceof SrpException known ? known : new SrpException(step + ": " + cause, e);
        }
    }

    private static byte[] blockCdb(int operation, long lba, int blocks) {
        byte[] cdb = new byte[16];
        ByteBuffer.wrap(cdb).put(0, (byte) operation).putLong(2, lba).putInt(10, blocks);
        return cdb;
    }

    private static String text(byte[] data, int offset, int length) {
        return new String(data, offset, length, StandardCharsets.US_ASCII).trim();
    }

    /** What INQUIRY says. */
    public record Inquiry(int deviceType, String vendor, String product, String revision) {}

    /** What READ CAPACITY says. */
    public record Capacity(long blocks, int blockSize) {
        /** Bytes of the disk. */
        public long bytes() {
            return blocks * blockSize;
        }
    }

    private record Operation(int lun, byte[] cdb, byte[] data, int dataLength, CompletableFuture<ScsiResult> result) {
        Operation(int lun, byte[] cdb, byte[] data, int dataLength) {
            this(lun, cdb, data, dataLength, new CompletableFuture<>());
        }

        Operation again() {
            return new Operation(lun, cdb, data, dataLength);
        }

        void prepare(InitiatorCommand command) {
            command.lun(lun).cdb(cdb);
            if (data.length > 0) {
                command.dataOut(data.length).immediate();
                command.data().put(0, data);
            } else if (dataLength > 0) {
                command.dataIn(dataLength);
            }
        }
    }

    private final class Listener implements SrpSessionListener {
        @Override
        public void onLoggedIn(SrpSession session) {
            loggedIn.complete(session);
            logoutIfAbandoned();
        }

        @Override
        public void onLoginFailed(SrpSession session, SrpLoginFailure failure) {
            loggedIn.completeExceptionally(new SrpException("login: " + failure.message()));
        }

        @Override
        public void onClosed(SrpSession session, CloseReason reason) {
            failIfClosed();
            closed.complete(reason);
        }
    }
}
