/**
 * The verbs contract on DiSNI's objects, and on natives of our own for what DiSNI has no call for.
 *
 * <pre>
 *   DisniDevice ─┬─ DisniPort ─┬─ DisniConnectionManager ── RdmaEventChannel ─▶ loop
 *                │             └─ MadService ── UserMadTransport ─▶ umad (in), queue pair (out)
 *                ├─ DisniProtectionDomain ── IbvPd, IbvMr, address handles, shared receive queues
 *                └─ DisniCompletionQueue ── IbvCQ, SVCPollCq ─▶ DisniQueuePair (SVCPostSend, SVCPostRecv) ─▶ listener
 * </pre>
 *
 * Work requests are numbered by the queue pair ({@link io.srpt.disni.provider.WorkRequestNumber}), since the number is all
 * that a failed completion says.
 */
@NullMarked
package io.srpt.disni.provider;

import org.jspecify.annotations.NullMarked;
