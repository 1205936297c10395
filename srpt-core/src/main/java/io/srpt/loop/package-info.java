/**
 * Event loops that own verbs objects: they poll completion queues, fire deadlines and run tasks.
 *
 * <pre>
 *   CompletionQueue ──poll──▶ loop ──▶ CompletionListener (MAD service, channel)
 *   Deadline ─────────fire──▶   │
 *   other threads ──execute──▶  └─ end of turn ──▶ TurnEndListener (flush of a batch)
 * </pre>
 *
 * <p>{@link io.srpt.loop.VirtualLoop} is the one in virtual time, for simulations.
 */
@NullMarked
package io.srpt.loop;

import org.jspecify.annotations.NullMarked;
