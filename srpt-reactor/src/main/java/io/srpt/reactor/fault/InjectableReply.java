package io.srpt.reactor.fault;

import io.srpt.mad.MadReply;
import io.srpt.mad.MadReplyFault;
import java.time.Duration;

/**
 * A reply to a management datagram that is about to be sent, and to which something can happen. Two are equal only if they are
 * the same reply.
 *
 * <p>Threads: any. A decision counts on the loop, and before the next reply, only.
 */
public final class InjectableReply {
    private final MadReply reply;

    InjectableReply(MadReply reply) {
        this.reply = reply;
    }

    /** What is sent, and where to. */
    public MadReply reply() {
        return reply;
    }

    /** It is never sent. */
    public ReplyInjection drop() {
        return inject(MadReplyFault.DROP);
    }

    /** It is sent after {@code time}. */
    public ReplyInjection delay(Duration time) {
        return inject(MadReplyFault.delay(time));
    }

    /** It is sent, whatever later pipelines say. */
    public ReplyInjection pass() {
        return inject(MadReplyFault.PASS);
    }

    /** {@code fault} happens to it. */
    public ReplyInjection inject(MadReplyFault fault) {
        return new ReplyInjection(this, fault);
    }
}
