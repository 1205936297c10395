package io.srpt.initiator;

import io.srpt.initiator.SrpSessionListener.CloseReason;
import io.srpt.srp.LoginResponse;
import io.srpt.srp.SrpResponse;
import io.srpt.time.Deadline;
import io.srpt.verbs.Connection;
import io.srpt.verbs.ConnectionHandler;
import io.srpt.verbs.ConnectionManager.ConnectParameters;
import io.srpt.verbs.QueuePair;
import io.srpt.verbs.QueuePairEventListener;
import io.srpt.verbs.RdmaLoop;
import io.srpt.verbs.RdmaPort;
import io.srpt.verbs.RejectReason;
import io.srpt.verbs.VerbsException;
import io.srpt.verbs.WorkCompletion;
import io.srpt.verbs.WorkCompletionStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One SRP channel to a target, from the connection request to the last flushed work request. States and events:
 * {@link SrpSessionState}.
 *
 * <p>Everything that the session made (queue pair, memory) is freed by it before
 * {@link SrpSessionListener#onLoginFailed} or {@link SrpSessionListener#onClosed}.
 *
 * <p>Threads: all methods on {@link #loop()} unless they say otherwise; so come all callbacks.
 */
public final class SrpSession {
    private static final Logger LOG = LoggerFactory.getLogger(SrpSession.class);
    private static final int TIMEOUT_CHECKS = 4;
    private static final int MIN_MESSAGE = SrpResponse.LENGTH;
    private static final int MAX_MESSAGE = 1 << 20;

    private final SrpSessionConfiguration configuration;
    private final SrpSessionListener listener;
    private final SrpSessionCounters counters = new SrpSessionCounters();
    private final RdmaLoop loop;
    private final SessionTransport transport;
    private final Deadline timeoutCheck = new TimeoutCheck();
    private volatile SrpSessionState state = SrpSessionState.CONNECTING;
    private CloseReason closeReason = CloseReason.LOGOUT;
    private @Nullable Connection connection;
    private @Nullable SessionIo io;
    private int maxRequestLength;
    private int immediateOffset;

    private SrpSession(RdmaPort port, SrpSessionConfiguration configuration, SrpSessionListener listener)
            throws VerbsException {
        this.configuration = configuration;
        this.listener = listener;
        loop = port.loop();
        int requests = SessionIo.requests(configuration);
        transport = new SessionTransport(
                port, requests, requests + SessionIo.SPARE_RECEIVES, this::onCompletion, this::onQueuePairEvent);
    }

    /**
     * Asks for a connection and logs in; the outcome comes to {@code listener}. On the port's loop.
     *
     * @throws VerbsException if the local device cannot serve it; the listener is not called then
     */
    public static SrpSession connect(RdmaPort port, SrpSessionConfiguration configuration, SrpSessionListener listener)
            throws VerbsException {
        assert port.loop().inEventLoop();
        SrpSession session = new SrpSession(port, configuration, listener);
        int mtu = configuration.pathMtu() == 0 ? port.activeMtu() : configuration.pathMtu();
        ConnectParameters parameters = new ConnectParameters(
                configuration.sourceGidIndex(),
                configuration.destination(),
                configuration.serviceId(),
                LoginExchange.request(configuration),
                mtu,
                configuration.readDepth(),
                0,
                configuration.retryCount(),
                7,
                configuration.ackTimeout());
        try {
            session.connection =
                    port.connectionManager().connect(parameters, session.transport.queuePair(), session.new Events());
        } catch (VerbsException e) {
            session.transport.close();
            throw e;
        }
        return session;
    }

    /** The loop that owns it. Any thread. */
    public RdmaLoop loop() {
        return loop;
    }

    /** What it was made with. Any thread. */
    public SrpSessionConfiguration configuration() {
        return configuration;
    }

    /** Where it is in its life. Any thread. */
    public SrpSessionState state() {
        return state;
    }

    /** What it counted. Any thread. */
    public SrpSessionCounters counters() {
        return counters;
    }

    /** A free command slot, already {@link InitiatorCommand#reset()}, or null if there is none or the session is not live. */
    public @Nullable InitiatorCommand acquire() {
        assert loop.inEventLoop();
        return state == SrpSessionState.LIVE ? requireIo().acquire() : null;
    }

    /**
     * Asks the target to abort {@code command}, which ends as {@link InitiatorCommand.Outcome#ABORTED} unless its answer comes
     * first. One that was not sent yet ends at once.
     *
     * @return false if it is not in flight or no task management slot or credit is free; nothing happens then
     */
    public boolean abort(InitiatorCommand command, SrpTaskManagementCallback callback) {
        assert loop.inEventLoop();
        if (state != SrpSessionState.LIVE) {
            return false;
        }
        if (requireIo().cancelWaiting(command)) {
            callback.onTaskManagementEnd(SrpTaskFunction.ABORT_TASK, SrpTaskManagementCallback.Result.COMPLETE);
            return true;
        }
        return command.isInFlight()
                && requireIo().manage(SrpTaskFunction.ABORT_TASK, command.lun(), command.tag(), callback);
    }

    /**
     * Sends a task management function for the 8-byte SAM number {@code lun}. If it completes, the commands on that LUN
     * that it covers end as {@link InitiatorCommand.Outcome#ABORTED}.
     *
     * @param taskTag the tag of the command for ABORT TASK, else ignored
     * @return false if no slot or credit is free or the session is not live; nothing happens then
     */
    public boolean manageTasks(SrpTaskFunction function, long lun, long taskTag, SrpTaskManagementCallback callback) {
        assert loop.inEventLoop();
        return state == SrpSessionState.LIVE && requireIo().manage(function, lun, taskTag, callback);
    }

    /** Ends the session: DREQ, all commands in flight end with SESSION_LOST. A second call does nothing. */
    public void logout() {
        assert loop.inEventLoop();
        if (state == SrpSessionState.CONNECTING) {
            failLogin(SrpLoginFailure.local("the session was closed before the login ended"));
        } else {
            end(CloseReason.LOGOUT);
        }
    }

    /** Credits that the target has granted and that are not in use. */
    public int availableCredits() {
        assert loop.inEventLoop();
        return io == null ? 0 : io.availableCredits();
    }

    /** Command slots that {@link #acquire()} could give. */
    public int freeSlots() {
        assert loop.inEventLoop();
        return io == null ? 0 : io.freeSlots();
    }

    /** Whether the target takes immediate data. */
    public boolean hasImmediateData() {
        return immediateOffset > 0;
    }

    /** The largest information unit that the target takes, 0 before the login ended. */
    public int maxRequestLength() {
        return maxRequestLength;
    }

    /** Where immediate data starts in an information unit; 0 if the target takes none. */
    int immediateOffset() {
        return immediateOffset;
    }

    void submit(InitiatorCommand command) {
        assert loop.inEventLoop();
        requireIo().submit(command);
    }

    void release(InitiatorCommand command) {
        assert loop.inEventLoop();
        requireIo().release(command);
    }

    void onAsynchronousEvent(long lun) {
        listener.onAsynchronousEvent(this, lun);
    }

    /** Begins to end a live session. */
    void end(CloseReason reason) {
        if (state != SrpSessionState.LIVE) {
            return;
        }
        closeReason = reason;
        moveTo(SrpSessionState.DISCONNECTING);
        Connection ended = connection;
        if (ended != null) {
            ended.disconnect();
        }
        requireIo().stop();
    }

    private void onCompletion(WorkCompletion completion) {
        SessionIo live = io;
        if (live == null || state != SrpSessionState.LIVE) {
            return;
        }
        long wrId = completion.wrId();
        if (completion.status() != WorkCompletionStatus.SUCCESS) {
            LOG.warn(
                    "Work of queue pair {} failed: {} (vendor error {}), kind {}",
                    completion.queuePairNumber(),
                    completion.status(),
                    completion.vendorError(),
                    SessionTransport.kind(wrId));
            end(CloseReason.TRANSPORT_ERROR);
            return;
        }
        switch (SessionTransport.kind(wrId)) {
            case SessionTransport.KIND_RECEIVE -> live.onMessage(SessionTransport.index(wrId), completion.byteLength());
            case SessionTransport.KIND_ANSWER -> live.onAnswerSent(SessionTransport.index(wrId));
            default -> live.onSendProgress();
        }
    }

    private void onQueuePairEvent(QueuePair queuePair, QueuePairEventListener.Event event) {
        if (event == QueuePairEventListener.Event.FATAL) {
            end(CloseReason.TRANSPORT_ERROR);
        }
    }

    private void logIn(byte[] privateData) {
        LoginResponse grant = LoginResponse.decode(privateData);
        if (grant == null) {
            failLogin(SrpLoginFailure.badResponse("the target accepted the connection without SRP_LOGIN_RSP"));
            return;
        }
        long messageLength = grant.maxResponseLength();
        if (grant.requestLimitDelta() < 1 || messageLength < MIN_MESSAGE || messageLength > MAX_MESSAGE) {
            failLogin(SrpLoginFailure.badResponse("the target granted nonsense: " + grant));
            return;
        }
        maxRequestLength = (int) Math.min(grant.maxRequestLength(), LoginExchange.requestedUnitLength(configuration));
        if (configuration.immediateData() && grant.acceptsImmediateData()) {
            immediateOffset = LoginExchange.IMMEDIATE_OFFSET;
        }
        try {
            SessionIo made = new SessionIo(this, transport, loop, grant);
            io = made;
            if (!made.start(grant.requestLimitDelta())) {
                failLogin(SrpLoginFailure.local("the receives of the session could not be posted"));
                return;
            }
        } catch (VerbsException e) {
            failLogin(SrpLoginFailure.local(String.valueOf(e.getMessage())));
            return;
        }
        moveTo(SrpSessionState.LIVE);
        if (configuration.commandTimeoutNanos() > 0) {
            armTimeoutCheck();
        }
        listener.onLoggedIn(this);
    }

    private void failLogin(SrpLoginFailure failure) {
        if (state != SrpSessionState.CONNECTING) {
            return;
        }
        moveTo(SrpSessionState.CLOSED);
        letGo();
        loop.execute(() -> {
            transport.close();
            listener.onLoginFailed(this, failure);
        });
    }

    private void finish() {
        if (state == SrpSessionState.CLOSED || state == SrpSessionState.CONNECTING) {
            return;
        }
        if (state == SrpSessionState.LIVE) {
            closeReason = CloseReason.TARGET_LOGOUT;
            moveTo(SrpSessionState.DISCONNECTING);
            requireIo().stop();
        }
        moveTo(SrpSessionState.CLOSED);
        loop.cancel(timeoutCheck);
        loop.execute(() -> {
            letGo();
            transport.close();
            listener.onClosed(this, closeReason);
        });
    }

    private void letGo() {
        Connection over = connection;
        connection = null;
        if (over != null) {
            over.close();
        }
    }

    private void armTimeoutCheck() {
        loop.schedule(timeoutCheck, loop.nanoTime() + configuration.commandTimeoutNanos() / TIMEOUT_CHECKS);
    }

    private void moveTo(SrpSessionState next) {
        LOG.debug("Session to {} moves from {} to {}", configuration.destination(), state, next);
        state = next;
    }

    private SessionIo requireIo() {
        SessionIo live = io;
        if (live == null) {
            throw new IllegalStateException("the session has not logged in");
        }
        return live;
    }

    /** Watches over commands that are not answered. */
    private final class TimeoutCheck extends Deadline {
        @Override
        protected void onDeadline() {
            if (state == SrpSessionState.LIVE) {
                requireIo().checkDeadlines(loop.nanoTime());
                armTimeoutCheck();
            }
        }
    }

    /** What the connection manager tells. */
    private final class Events implements ConnectionHandler {
        @Override
        public void onEstablished(Connection established, byte[] privateData) {
            connection = established;
            logIn(privateData);
        }

        @Override
        public void onDisconnected(Connection over) {
            if (state == SrpSessionState.CONNECTING) {
                failLogin(SrpLoginFailure.badResponse("the target ended the connection during the login"));
            }
            finish();
        }

        @Override
        public void onRejected(Connection refused, RejectReason reason, byte[] privateData) {
            int code = LoginExchange.rejectCode(privateData);
            failLogin(code == 0 ? SrpLoginFailure.refused(reason) : SrpLoginFailure.rejected(reason, code));
        }

        @Override
        public void onUnreachable(Connection unanswered) {
            failLogin(SrpLoginFailure.unreachable());
        }
    }
}
