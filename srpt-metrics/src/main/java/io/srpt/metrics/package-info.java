/**
 * Micrometer meters of what the core counts.
 *
 * <pre>
 *   Counter, Histogram (written on the loops) ──read──▶ FunctionCounter, Gauge, HistogramSnapshot ──▶ MeterRegistry
 * </pre>
 *
 * <p>The loops never call a meter: a meter reads a counter when the registry is read. No threads, no HTTP.
 */
@NullMarked
package io.srpt.metrics;

import org.jspecify.annotations.NullMarked;
