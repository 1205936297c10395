package io.srpt.service;

import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Options of the commands that talk to a target. */
final class PeerOptions {
    @Parameters(paramLabel = "ADDR", description = "Address of the target.")
    private String address = "";

    @Option(
            names = "--local",
            paramLabel = "ADDR",
            description = "The initiator's own address. Default: the one on the way to the target; for a target on"
                    + " 127.0.0.0/8 the first free one from 127.0.0.2 on")
    private @Nullable String local;

    InetAddress target() throws ConfigurationException {
        return Addresses.parse("ADDR", address);
    }

    /** Addresses that we may send from, best first. */
    List<InetAddress> local() throws ConfigurationException, ServiceException {
        return local == null ? LocalAddress.towards(target()) : List.of(Addresses.parse("local", local));
    }
}
