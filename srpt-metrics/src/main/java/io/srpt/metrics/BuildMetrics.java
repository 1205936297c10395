package io.srpt.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * What runs.
 *
 * @param version the build's
 * @param transport name of the provider
 */
public record BuildMetrics(String version, String transport) implements MeterBinder {
    @Override
    public void bindTo(MeterRegistry registry) {
        new Meters(registry).gauge(Metric.BUILD_INFO, () -> 1, version, transport);
    }
}
