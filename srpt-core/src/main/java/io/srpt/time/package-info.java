/**
 * Deadlines: one heap of timers a loop, in monotonic nanoseconds, without allocation per timer.
 *
 * <p>A leaf of the house. Queue pairs (ACK, RNR) and the connection manager (REP, DREQ, TimeWait) own
 * {@link io.srpt.time.Deadline} objects; the loop owns the {@link io.srpt.time.DeadlineQueue} and arms one timer for the
 * earliest.
 */
@NullMarked
package io.srpt.time;

import org.jspecify.annotations.NullMarked;
