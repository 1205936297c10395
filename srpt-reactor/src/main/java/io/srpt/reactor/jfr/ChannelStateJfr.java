package io.srpt.reactor.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("io.srpt.ChannelState")
@Label("Channel State")
@Description("A channel went to another state")
@Category("SRP target")
@StackTrace(false)
final class ChannelStateJfr extends jdk.jfr.Event {
    @Label("Port")
    String port = "";

    @Label("Channel")
    long channel;

    @Label("From")
    String from = "";

    @Label("To")
    String to = "";
}
