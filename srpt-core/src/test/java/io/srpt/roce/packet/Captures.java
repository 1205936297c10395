package io.srpt.roce.packet;

import io.srpt.roce.packet.PcapReader.Datagram;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The captures among the test resources: Linux rxe over IPv4 and IPv6, and one of a hardware adapter. */
final class Captures {

    static final String HARDWARE = "rocev2-rc-hardware.pcap";

    static final List<String> FILES = List.of(
            "dm-v4.pcap",
            "dm-v6.pcap",
            "host-probe-v4.pcap",
            "srp-login-io.pcap",
            "srp-login-io-v6.pcap",
            "srp-login-reject-v4.pcap",
            "srp-login-reject-v6.pcap",
            "srp-mtu9000.pcap",
            HARDWARE);

    private Captures() {}

    static List<Datagram> all() throws IOException {
        List<Datagram> all = new ArrayList<>();
        for (String file : FILES) {
            all.addAll(PcapReader.roce(file));
        }
        return all;
    }
}
