package io.srpt.target;

import io.srpt.verbs.QueuePair;
import io.srpt.verbs.VerbsException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a channel has of the memory of its port: buffers, and receives of its own or a share of the port's.
 *
 * <p>Threads: the port's loop.
 */
final class ChannelMemory {
    private final PortMemory port;
    private final ChannelBuffers buffers;
    private final @Nullable SharedReceives shared;

    private ChannelMemory(PortMemory port) throws VerbsException {
        this.port = port;
        buffers = port.take();
        shared = port.holdShared();
    }

    /** Takes it; {@link #give} gives it back. */
    static ChannelMemory take(PortMemory port) throws VerbsException {
        return new ChannelMemory(port);
    }

    ChannelBuffers buffers() {
        return buffers;
    }

    @Nullable
    SharedReceives shared() {
        return shared;
    }

    /** The receives of the channel whose queue pair is {@code queuePair}. */
    ReceiveRing receives(int immediateOffset, QueuePair queuePair) {
        ReceiveRing own = buffers.receives();
        if (own != null) {
            own.reset(immediateOffset, queuePair::postReceive);
            return own;
        }
        return Objects.requireNonNull(shared).ring();
    }

    /** Posts the receives, if they are the channel's own: shared ones are posted always. */
    void postOwnReceives() {
        ReceiveRing own = buffers.receives();
        if (own != null) {
            own.postAll();
        }
    }

    /** The queue pair is gone, and what was posted to it. */
    void forgetOwnReceives() {
        ReceiveRing own = buffers.receives();
        if (own != null) {
            own.forget();
        }
    }

    /** Gives all back; if buffers are {@code stranded} they are not used again, and freed when the last one lets go. */
    void give(boolean stranded) {
        if (stranded) {
            buffers.close();
        } else {
            port.give(buffers);
        }
        if (shared != null) {
            shared.release();
        }
    }
}
