package io.srpt.target;

import io.srpt.verbs.ProtectionDomain;
import io.srpt.verbs.RdmaPort;
import io.srpt.verbs.VerbsException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The memory that the channels of a port use: data buffers, buffers of ended channels kept for the next ones, and shared
 * receives. Threads: the port's loop.
 */
final class PortMemory {
    private static final int KEPT_BUFFERS = 8;

    private final RdmaPort rdmaPort;
    private final TargetConfig config;
    private final TargetCounters counters;
    private final ProtectionDomain protectionDomain;
    private final DataBufferPool dataBuffers;
    private final ArrayDeque<ChannelBuffers> kept = new ArrayDeque<>();
    private ChannelLimits limits;
    private @Nullable SharedReceives shared;

    /** With {@code attributes} from the beginning; all or nothing. */
    PortMemory(RdmaPort rdmaPort, TargetConfig config, ChannelAttributes attributes, TargetCounters counters)
            throws VerbsException {
        this.rdmaPort = rdmaPort;
        this.config = config;
        this.counters = counters;
        limits = limits(attributes);
        protectionDomain = rdmaPort.device().allocateProtectionDomain();
        dataBuffers = new DataBufferPool(protectionDomain, config.dataBufferBytes(), counters);
        try {
            shared = attributes.sharedReceives() ? openShared() : null;
        } catch (VerbsException | RuntimeException e) {
            protectionDomain.close();
            throw e;
        }
    }

    private ChannelLimits limits(ChannelAttributes attributes) {
        return ChannelLimits.of(config, attributes, rdmaPort.device().attributes());
    }

    private SharedReceives openShared() throws VerbsException {
        int slots = Math.min(
                config.sharedReceiveQueueSize(), rdmaPort.device().attributes().maxSharedReceives());
        return SharedReceives.open(protectionDomain, rdmaPort.loop(), slots, config.maxRequestLength(), counters);
    }

    /** Channels that come later have {@code attributes}; those that there are keep what they have. All or nothing. */
    void attributes(ChannelAttributes attributes) throws VerbsException {
        SharedReceives before = shared;
        if (attributes.sharedReceives() && before == null) {
            shared = openShared();
        } else if (!attributes.sharedReceives() && before != null) {
            shared = null;
            before.release();
        }
        limits = limits(attributes);
        dropKept();
    }

    /** The sizes of the next channel. */
    ChannelLimits limits() {
        return limits;
    }

    /** The shared receives, held once for the next channel, or null if it has receives of its own. */
    @Nullable
    SharedReceives holdShared() {
        SharedReceives current = shared;
        return current == null ? null : current.hold();
    }

    /** Buffers for a channel of the current {@link #limits()}. */
    ChannelBuffers take() throws VerbsException {
        ChannelBuffers next = kept.poll();
        return next != null ? next : ChannelBuffers.allocate(protectionDomain, limits, counters);
    }

    /** Takes buffers back, which nobody uses any more. */
    void give(ChannelBuffers buffers) {
        if (kept.size() < KEPT_BUFFERS && buffers.limits().equals(limits)) {
            kept.push(buffers);
        } else {
            buffers.close();
        }
    }

    private void dropKept() {
        kept.forEach(ChannelBuffers::close);
        kept.clear();
    }

    ProtectionDomain protectionDomain() {
        return protectionDomain;
    }

    DataBufferPool dataBuffers() {
        return dataBuffers;
    }

    /** Frees everything; there are no channels any more. */
    void close() {
        dropKept();
        SharedReceives last = shared;
        shared = null;
        if (last != null) {
            last.release();
        }
        dataBuffers.close();
        protectionDomain.close();
    }
}
