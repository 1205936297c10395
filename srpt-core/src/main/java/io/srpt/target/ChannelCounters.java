package io.srpt.target;

import io.srpt.counter.Counter;

/** What one channel has done. Written on the port's loop, read from anywhere, also after the channel's end. */
public final class ChannelCounters {
    /** SRP_CMDs that came. */
    public final Counter commands = new Counter();
    /** Gauge: commands and task management functions in hand. */
    public final Counter commandsInUse = new Counter();
    /** Gauge: units that the initiator may still send. */
    public final Counter credits = new Counter();
    /** Bytes of data that went to the initiator. */
    public final Counter bytesToInitiator = new Counter();
    /** Bytes of data that came from the initiator. */
    public final Counter bytesFromInitiator = new Counter();

    ChannelCounters() {}
}
