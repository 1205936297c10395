package io.srpt.roce.net;

import io.netty.channel.unix.Socket;
import io.srpt.roce.packet.FlowHeader;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * A non-blocking UDP socket of one address family, set up so that the ICRC of what it sends can be computed and what rxe
 * and adapters send arrives: DF with IPv4 identification 0, and UDP checksum 0 accepted, since the ICRC covers the payload.
 * Without segmentation it is sent, too; the system cuts no message without checksums.
 */
final class UdpSocket extends Socket {
    private static final int IPPROTO_IP = 0;
    private static final int IP_MTU_DISCOVER = 10;
    private static final int IPPROTO_IPV6 = 41;
    private static final int IPV6_MTU_DISCOVER = 23;
    private static final int IPV6_V6ONLY = 26;
    private static final int IPPROTO_UDP = NativeDatagrams.IPPROTO_UDP;
    private static final int UDP_NO_CHECK6_TX = 101;
    private static final int UDP_NO_CHECK6_RX = 102;
    private static final int SOL_SOCKET = 1;
    private static final int SO_NO_CHECK = 11;
    /** Always DF, and not bound to the path MTU that was learnt: RoCE packets are never fragmented. */
    private static final int PMTUDISC_PROBE = 3;

    private UdpSocket(boolean useIpv6) {
        super(newSocketDgram0(useIpv6));
    }

    /** Binds {@code address}, port 4791, with buffers of up to {@code bufferBytes} as far as the system grants them. */
    static UdpSocket bind(InetAddress address, int bufferBytes, boolean segmenting) throws IOException {
        boolean v6 = address instanceof Inet6Address;
        UdpSocket socket = new UdpSocket(v6);
        try {
            if (v6) {
                socket.setIntOpt(IPPROTO_IPV6, IPV6_V6ONLY, 1);
                socket.setIntOpt(IPPROTO_IPV6, IPV6_MTU_DISCOVER, PMTUDISC_PROBE);
                socket.setIntOpt(IPPROTO_UDP, UDP_NO_CHECK6_TX, segmenting ? 0 : 1);
                socket.setIntOpt(IPPROTO_UDP, UDP_NO_CHECK6_RX, 1);
            } else {
                socket.setIntOpt(SOL_SOCKET, SO_NO_CHECK, segmenting ? 0 : 1);
                socket.setIntOpt(IPPROTO_IP, IP_MTU_DISCOVER, PMTUDISC_PROBE);
            }
            if (segmenting) {
                socket.setIntOpt(IPPROTO_UDP, NativeDatagrams.UDP_GRO, 1);
            }
            socket.setReceiveBufferSize(bufferBytes);
            socket.setSendBufferSize(bufferBytes);
            socket.bind(new InetSocketAddress(address, FlowHeader.ROCE_PORT));
            return socket;
        } catch (IOException e) {
            socket.close();
            throw new IOException(
                    "cannot bind UDP port " + FlowHeader.ROCE_PORT + " of " + address.getHostAddress() + ": "
                            + e.getMessage() + "; is the address of this machine and no other RoCE stack (another srpt,"
                            + " or the kernel's rdma_rxe) in this network namespace?",
                    e);
        }
    }
}
