/**
 * Event loops that poll completion queues, on Netty's {@code IoHandler} SPI.
 *
 * <pre>
 *   one turn of a loop (one thread)
 *
 *   tasks ─▶ poll completion queues ─▶ deadlines ─▶ turn end (flush datagrams)
 *     │                                               │ nothing left to do
 *     │                                               ▼
 *     │      arm completion channels, poll once more, wait in epoll ─▶ sockets readable ─▶ poll, deadlines, turn end
 *     ▼
 *   LoopActivity ◀─ StallWatchdog (a thread of its own) ─▶ StallListener: which handler keeps the loop, and for how long
 * </pre>
 *
 * <p>The loop is Netty's own; only its I/O handler is ours: it wraps Netty's epoll handler, so that sockets and completion
 * queues share a thread.
 */
@NullMarked
package io.srpt.loop;

import org.jspecify.annotations.NullMarked;
