package io.srpt.reactor.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("io.srpt.Login")
@Label("Login")
@Description("An initiator wanted to log in")
@Category("SRP target")
@StackTrace(false)
final class LoginJfr extends jdk.jfr.Event {
    @Label("Port")
    String port = "";

    @Label("Initiator Port")
    String initiatorPort = "";

    @Label("Address")
    String address = "";

    @Label("Result")
    String result = "";

    @Label("Channel")
    long channel;
}
