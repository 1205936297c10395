package io.srpt.examples;

import io.srpt.service.ServiceException;
import io.srpt.service.SrptServer;
import io.srpt.service.SrptServerBuilder;
import io.srpt.srp.LoginRejectReason;
import io.srpt.srp.PortId;
import io.srpt.target.ChannelInfo;
import io.srpt.target.TargetEvents;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;

/** A handler of one's own hears of every login, accepted or not, on the loop: it misses none. */
public final class LoginAudit {
    private LoginAudit() {}

    public static void main(String[] args) throws ServiceException, IOException {
        InetAddress address = InetAddress.getByName(args.length > 0 ? args[0] : "127.0.0.1");
        SrptServerBuilder builder = SrptServer.builder().listen(address).lun("memory:16MiB");
        try (SrptServer server = audited(builder, System.out).start()) {
            System.out.println(server.addresses().getFirst());
            System.in.read();
        }
    }

    /** Adds the audit. */
    static SrptServerBuilder audited(SrptServerBuilder builder, PrintStream audit) {
        // README
        return builder.runtime(runtime -> runtime.targetEvents(new TargetEvents() {
            @Override
            public void onLogin(ChannelInfo channel) {
                audit.println("accepted " + channel.initiatorPort() + " from "
                        + channel.address().getHostAddress());
            }

            @Override
            public void onLoginRejected(String port, PortId initiator, InetAddress from, LoginRejectReason why) {
                audit.println("rejected " + initiator + " from " + from.getHostAddress() + ": " + why);
            }
        }));
        // end
    }
}
