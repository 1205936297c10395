package io.srpt.reactor.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

@Name("io.srpt.SlowCommand")
@Label("Slow Command")
@Description("A command took longer than the set time")
@Category("SRP target")
@StackTrace(false)
final class SlowCommandJfr extends jdk.jfr.Event {
    @Label("Port")
    String port = "";

    @Label("Channel")
    long channel;

    @Label("LUN")
    long lun;

    @Label("Operation Code")
    int operationCode;

    @Label("Status")
    int status;

    @Label("Time")
    @Timespan(Timespan.NANOSECONDS)
    long time;
}
