/**
 * Counters that one thread writes and any thread reads.
 *
 * <p>A leaf of the house: every other package may use it, it uses none. Event loops count here what the metrics module,
 * the log and the tests read.
 */
@NullMarked
package io.srpt.counter;

import org.jspecify.annotations.NullMarked;
