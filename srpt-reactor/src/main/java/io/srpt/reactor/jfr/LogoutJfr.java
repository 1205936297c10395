package io.srpt.reactor.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("io.srpt.Logout")
@Label("Logout")
@Description("A channel ended and was released")
@Category("SRP target")
@StackTrace(false)
final class LogoutJfr extends jdk.jfr.Event {
    @Label("Port")
    String port = "";

    @Label("Initiator Port")
    String initiatorPort = "";

    @Label("Cause")
    String cause = "";

    @Label("Channel")
    long channel;
}
