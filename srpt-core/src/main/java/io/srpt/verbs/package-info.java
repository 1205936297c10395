/**
 * The verbs contract: what the target, the initiator and the MAD layer ask of an RDMA transport, and nothing of how one
 * does it.
 *
 * <pre>
 *   target, initiator, mad ──▶ verbs ◀── roce (software RoCEv2), disni (hardware)
 *
 *   RdmaDevice ─ RdmaPort ─ ConnectionManager ─ Connection
 *       │
 *       └─ ProtectionDomain ─ MemoryRegion, AddressHandle, SharedReceiveQueue, QueuePair ──▶ CompletionQueue
 *                                                                                               │ polled by the loop, each
 *                                                                                               │ turn or when it is ready
 *                                                                                               ▼
 *                                                                                        CompletionListener
 * </pre>
 *
 * <p>The semantics are those of InfiniBand verbs (IBTA vol. 1 ch. 10 and 11, and the manual pages of libibverbs): work
 * completes in order, exactly once, flushed work included. Addresses are 64-bit, keys are 32-bit.
 *
 * <p>Threads: every object belongs to the {@link io.srpt.verbs.RdmaLoop} that it was made for, for life. Unless a method
 * says otherwise it may be called on that loop only. Nothing here blocks.
 */
@NullMarked
package io.srpt.verbs;

import org.jspecify.annotations.NullMarked;
