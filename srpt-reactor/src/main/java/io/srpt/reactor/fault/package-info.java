/**
 * Fault injection for those who test initiators: operators on the stream of commands, and on that of management replies,
 * decide what goes wrong.
 *
 * <pre>
 *   loop:  SrptPort ─▶ FaultInjection ─▶ Pipeline (a user's operators) ─▶ decision ─▶ SrptPort delays, drops, fails, kills
 *          MadService ─▶ ┘                     (no decision: it passes)               └▶ MadService delays, drops
 * </pre>
 */
@NullMarked
package io.srpt.reactor.fault;

import org.jspecify.annotations.NullMarked;
