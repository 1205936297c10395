package io.srpt.mad;

import java.time.Duration;

/**
 * What a {@link MadReplyInterceptor} does to a reply. Immutable.
 *
 * @param kind what
 * @param nanos how much later, for {@link Kind#DELAY}
 */
public record MadReplyFault(Kind kind, long nanos) {
    /** Nothing: the reply is sent. */
    public static final MadReplyFault PASS = new MadReplyFault(Kind.PASS, 0);

    /** The reply is lost. */
    public static final MadReplyFault DROP = new MadReplyFault(Kind.DROP, 0);

    /** What can happen. */
    public enum Kind {
        /** Nothing. */
        PASS,
        /** It never goes out. Its send ends as if it had: with success, and its owner releases buffer and address handle. */
        DROP,
        /** It goes out later, and holds its buffer and its address handle until then. */
        DELAY
    }

    /** Checks the time. */
    public MadReplyFault {
        if (nanos < 0) {
            throw new IllegalArgumentException("a delay of " + nanos + " ns");
        }
    }

    /** The reply is sent after {@code time}. */
    public static MadReplyFault delay(Duration time) {
        return new MadReplyFault(Kind.DELAY, time.toNanos());
    }
}
