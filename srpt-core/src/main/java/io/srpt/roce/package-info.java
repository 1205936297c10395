/**
 * Software RoCEv2: the verbs contract over UDP datagrams, on any Linux machine, without RDMA hardware, kernel module or
 * privilege.
 *
 * <pre>
 *   postSend ─▶ SendQueue ─▶ Requester ─┐                                ┌─ Responder ─▶ memory, ReceiveQueue
 *                                       ├─▶ RoceEndpoint ◀── datagrams ──┤
 *   completions ◀─ RoceCompletionQueue  │     (one address: ICRC,        └─ Requester ─▶ SendQueue ─▶ completions
 *                                       │      QP lookup, one flush a
 *                    Responder (ACK) ───┘      loop turn)
 * </pre>
 *
 * <p>One loop owns a port and everything on it. Packets are parsed in place and answered in the same turn: queue pairs that
 * have something to send are pumped when the turn ends, so that one system call carries a batch and one ACK answers many
 * packets. All queue pairs that send to one address take turns kind by kind ({@link io.srpt.roce.SendPass}), so that a batch is
 * few messages to the system however many they are.
 */
@NullMarked
package io.srpt.roce;

import org.jspecify.annotations.NullMarked;
