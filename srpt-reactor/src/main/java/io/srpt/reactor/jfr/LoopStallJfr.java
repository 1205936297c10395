package io.srpt.reactor.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

@Name("io.srpt.LoopStall")
@Label("Loop Stall")
@Description("An event loop was kept from turning")
@Category("SRP target")
@StackTrace(false)
final class LoopStallJfr extends jdk.jfr.Event {
    @Label("Loop")
    String loop = "";

    @Label("Handler")
    String handler = "";

    @Label("Time")
    @Timespan(Timespan.NANOSECONDS)
    long time;

    @Label("Over")
    boolean over;
}
