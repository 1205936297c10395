/**
 * Management datagrams (MADs): buffers, the transport over queue pair 1, agents, and who releases what.
 *
 * <pre>
 *   RoceConnectionManager, dm.DeviceManagementAgent, dm.DeviceManagementClient
 *        │ send, reply                                  ▲ ReceivedMad (owned by the agent's handler)
 *        ▼                                              │
 *   MadAgent ───────────────▶ MadService ───────────────┘
 *        MadSendHandler ◀─────────│ each send completion exactly once, with the address handle and the buffer
 *                                 ▼
 *                            MadTransport ── QueuePair (GSI or UD), CompletionQueue, MadBufferPool
 * </pre>
 *
 * <p>Everything here belongs to the port's loop; only counters may be read from elsewhere.
 */
@NullMarked
package io.srpt.mad;

import org.jspecify.annotations.NullMarked;
