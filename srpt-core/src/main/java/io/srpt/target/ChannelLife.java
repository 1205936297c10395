package io.srpt.target;

import io.srpt.srp.TargetLogout;
import io.srpt.time.Deadline;
import io.srpt.verbs.Connection;
import io.srpt.verbs.RdmaLoop;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of a channel and the order of its end.
 *
 * <pre>
 *   event                      CONNECTING     LIVE           DISCONNECTING   DRAINING       DISCONNECTED
 *   established                LIVE           -              -               -              -
 *   end (logout, error, …)     DISCONNECTING  DISCONNECTING  -               -              -
 *     T_LOGOUT was sent, or is not to be                     DREQ or REJ, DRAINING
 *   disconnected, rejected     DRAINING       DRAINING       DRAINING        -              -
 *   drain marker completed     -              -              -               DISCONNECTED   -
 *   last context is free       -              -              -               -              release
 *   time is over               -              -              -               DISCONNECTED   release
 * </pre>
 *
 * <p>The end has one order, and each step happens once:
 *
 * <ol>
 *   <li>no unit is served any more, no response is begun;
 *   <li>the queue pair goes to the error state and the drain marker, an RDMA WRITE of no bytes, is posted: when it completes
 *       the wire touches nothing any more;
 *   <li>tasks are ended, and the store lets go of those that it works on;
 *   <li>the channel leaves its nexus and gives its connection back;
 *   <li>queue pair and completion queue, then the buffers are freed.
 * </ol>
 *
 * <p>A store that does not let go holds up nothing but its own buffers: after {@link TargetConfig#closeTimeoutNanos()} the
 * channel goes on with step 4 without it. Its commands are counted in {@link TargetCounters#commandsStranded} until the store
 * ends. Threads: the port's loop.
 */
final class ChannelLife {
    private static final Logger LOG = LoggerFactory.getLogger(ChannelLife.class);
    private static final long LOGOUT_NANOS = 100_000_000;

    private final SrptPort port;
    private final SrptChannel channel;
    private final RdmaLoop loop;
    private ChannelState state = ChannelState.CONNECTING;
    private @Nullable Connection connection;
    private @Nullable ChannelEnd cause;
    private boolean logoutUnderWay;
    private boolean accepted;

    private final Deadline logoutTimer = new Deadline() {
        @Override
        protected void onDeadline() {
            onLogoutSent();
        }
    };
    private final Deadline closeTimer = new Deadline() {
        @Override
        protected void onDeadline() {
            onTimeOver();
        }
    };

    ChannelLife(SrptPort port, SrptChannel channel) {
        this.port = port;
        this.channel = channel;
        this.loop = port.rdmaPort().loop();
    }

    ChannelState state() {
        return state;
    }

    boolean isLive() {
        return state == ChannelState.LIVE;
    }

    /** Whether units are taken in: it is not about to end. */
    boolean isOpen() {
        return state.compareTo(ChannelState.LIVE) <= 0;
    }

    /** The only place where the state changes; false if it would not grow. */
    private boolean enter(ChannelState next) {
        assert loop.inEventLoop();
        ChannelState before = state;
        if (next.compareTo(before) <= 0) {
            return false;
        }
        state = next;
        LOG.debug("{}: {} to {}", channel, before, next);
        port.onChannelState(channel, before);
        return true;
    }

    // The beginning.

    /** The login was accepted over {@code stands}. */
    void accepted(Connection stands) {
        connection = stands;
        accepted = true;
    }

    /** The connection stands; false if the channel is ending already. */
    boolean established() {
        return enter(ChannelState.LIVE);
    }

    /** The login failed after all. */
    void discarded() {
        state = ChannelState.DISCONNECTED;
    }

    // The end.

    /** Ends the channel from our side; {@code detail} is for the log. Nothing happens if it is ending. */
    void end(ChannelEnd why, String detail) {
        boolean spoke = isLive();
        if (!enter(ChannelState.DISCONNECTING)) {
            return;
        }
        cause = why;
        count(why, detail);
        LOG.debug("{} ends: {}, {}", channel, why, detail);
        if (spoke && port.config().targetLogout() && channel.requests().logout(reason(why))) {
            logoutUnderWay = true;
            loop.schedule(logoutTimer, loop.nanoTime() + LOGOUT_NANOS);
        } else {
            disconnect();
        }
    }

    private void count(ChannelEnd why, String detail) {
        if (why == ChannelEnd.PROTOCOL_ERROR) {
            port.counters().protocolErrors.increment();
        } else if (why == ChannelEnd.TRANSPORT_ERROR) {
            port.counters().transportErrors.increment();
        }
        if (why.isError()) {
            port.events().onError(port.name(), channel + ": " + detail);
        }
    }

    private static int reason(ChannelEnd why) {
        return switch (why) {
            case PROTOCOL_ERROR -> TargetLogout.INVALID_UNIT_TYPE;
            case REPLACED -> TargetLogout.MULTICHANNEL_ACTION;
            default -> TargetLogout.NO_REASON;
        };
    }

    /** SRP_T_LOGOUT was sent, or time for it is over. */
    void onLogoutSent() {
        if (logoutUnderWay) {
            disconnect();
        }
    }

    private void disconnect() {
        Connection current = connection;
        if (current != null) {
            current.disconnect();
        }
        close();
    }

    /** The connection ended, or never came to stand. */
    void over(ChannelEnd why) {
        if (enter(ChannelState.DISCONNECTING)) {
            cause = why;
        }
        close();
    }

    private void close() {
        logoutUnderWay = false;
        loop.cancel(logoutTimer);
        if (!enter(ChannelState.DRAINING)) {
            return;
        }
        loop.schedule(closeTimer, loop.nanoTime() + port.config().closeTimeoutNanos());
        if (!channel.drain()) {
            // Not here: the caller may be in the middle of a completion of work that ends with the drain.
            loop.execute(this::onDrained);
        }
    }

    /** The drain marker completed. */
    void onDrained() {
        if (enter(ChannelState.DISCONNECTED)) {
            channel.dispatcher().onDrained();
            releaseIfIdle();
        }
    }

    private void onTimeOver() {
        if (state == ChannelState.DRAINING) {
            LOG.error("{}: the queue pair does not drain; it is destroyed", channel);
            channel.queues().close();
            onDrained();
        }
        if (accepted) {
            strand();
        }
    }

    /** The store holds buffers of commands, and nobody knows for how long: goes on without them. */
    private void strand() {
        int commands = channel.dispatcher().inUse();
        LOG.warn("{}: the store holds {} commands, the channel is released without them", channel, commands);
        port.counters().commandsStranded.add(commands);
        port.events().onError(port.name(), channel + ": the store does not let go of " + commands + " commands");
        accepted = false;
        release();
    }

    /** A context became free after the end. */
    void onContextFree() {
        if (state == ChannelState.DISCONNECTED && !accepted && channel.isFreed()) {
            port.counters().commandsStranded.decrement();
        } else {
            releaseIfIdle();
        }
    }

    private void releaseIfIdle() {
        if (state == ChannelState.DISCONNECTED && channel.dispatcher().inUse() == 0 && accepted) {
            accepted = false;
            // Not here: the completion queue that is to be closed may be in the middle of a poll.
            loop.execute(this::release);
        }
    }

    private void release() {
        loop.cancel(closeTimer);
        channel.free();
        port.onChannelReleased(channel, cause == null ? ChannelEnd.NOT_ESTABLISHED : cause);
    }

    /** Gives the connection back, if there is one. */
    void closeConnection() {
        Connection current = connection;
        if (current != null) {
            current.close();
        }
    }
}
