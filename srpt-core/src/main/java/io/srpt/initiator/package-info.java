/**
 * An SRP initiator in user space over the verbs contract: it finds targets, logs in, moves data and logs out.
 *
 * <pre>
 *   SrpTargetDiscovery ──▶ mad.dm (Device Management queries)
 *
 *   BlockingSrpClient ─┐
 *                      ├─▶ SrpSession ─┬─ CommandSlots ──▶ InitiatorCommand (tag, IU, data buffer)
 *   SrpBench ──────────┘      ▲        ├─ CreditWindow     (request limit)
 *                             │        └─ ReceiveRing      (answers and requests of the target)
 *                             │
 *                        verbs (queue pair, connection manager of a port)
 * </pre>
 *
 * <p>A session and all that belongs to it live on the loop of the port that it was made on. Only
 * {@link io.srpt.initiator.BlockingSrpClient} may be used from other threads. After login no object is made per command.
 *
 * <p>Sources: T10 SRP r16a, SRP-2 (immediate data).
 */
@NullMarked
package io.srpt.initiator;

import org.jspecify.annotations.NullMarked;
