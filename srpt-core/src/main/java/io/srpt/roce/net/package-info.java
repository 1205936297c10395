/**
 * Datagrams in and out of an address: the seam between the software RoCEv2 stack and whatever carries its packets.
 *
 * <pre>
 *   roce ──claim, send, flush──▶ DatagramPort ──sendmmsg──▶ UDP socket
 *   roce ◀──onDatagram───────── DatagramPort ◀──recvmmsg── UDP socket
 *
 *   EpollDatagramPort       a UDP socket on a Netty epoll loop, batched system calls
 *   SimulatedNetwork        ports in one process and virtual time, with seeded loss
 *   FaultyDatagramPort      a port in front of another that loses, repeats and reorders
 *   CapturingDatagramPort   a port in front of another that writes a pcap file
 * </pre>
 */
@NullMarked
package io.srpt.roce.net;

import org.jspecify.annotations.NullMarked;
