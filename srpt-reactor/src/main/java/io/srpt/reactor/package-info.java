/**
 * Completions and events of a target as Reactor streams, and the handlers that subscribe to them.
 *
 * <pre>
 *   loop                                                                    observer executor
 *   MadService ─▶ MadPortStreams ─▶ OwningStream ─▶ MadSendSubscriber, MadReceiveSubscriber, or a user
 *                      │ copies
 *                      ▼
 *   SrptTarget ─▶ TargetTap  ─▶ ┐
 *   SrptPort   ─▶ CommandTap ─▶ ├ EventStream ─▶ Observer's ring ─────────▶ EventHandlers, users
 *   RdmaDevice, RdmaEventLoops ▶┘ (one a kind)   (one each, bounded)
 * </pre>
 *
 * <p>{@link io.srpt.reactor.SrptTargetRuntime} puts it together; {@link io.srpt.reactor.SrptStreams} says what a subscriber
 * may expect.
 */
@NullMarked
package io.srpt.reactor;

import org.jspecify.annotations.NullMarked;
