/**
 * The bytes of RoCEv2 packets: headers, opcodes, sequence numbers, the invariant CRC, and packet captures. No queue
 * pair, no socket, no time.
 *
 * <pre>
 *   queue pair  --&gt;  Bth + Reth | Aeth | Deth | AtomicEth | ImmDt | Ieth  --&gt;  payload, pad  --&gt;  Icrc.appendTo  --&gt;  socket
 *   queue pair  &lt;--  Opcode look-ups, flyweights over the datagram        &lt;--                     Icrc.verify    &lt;--  socket
 * </pre>
 *
 * <p>Everything that touches a packet works on a {@link java.nio.ByteBuffer} in big-endian order by absolute index and
 * allocates nothing. Instances belong to one event loop; the static look-ups may be used by any thread.
 */
@NullMarked
package io.srpt.roce.packet;

import org.jspecify.annotations.NullMarked;
