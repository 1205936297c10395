package io.srpt.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.srpt.loop.LoopCounters;
import io.srpt.loop.RdmaEventLoop;
import java.util.List;
import java.util.Map;

/** What event loops do with their time, and what their polls bring. */
public final class LoopMetrics implements MeterBinder {
    private static final double NANOS_PER_SECOND = 1e9;

    private final List<RdmaEventLoop> loops;

    public LoopMetrics(List<RdmaEventLoop> loops) {
        this.loops = List.copyOf(loops);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Meters meters = new Meters(registry);
        for (RdmaEventLoop loop : loops) {
            LoopCounters counters = loop.counters();
            String name = loop.name();
            meters.counter(Metric.CQ_POLLS, counters.emptyPolls::get, name, "empty");
            meters.counter(Metric.CQ_POLLS, counters.nonemptyPolls::get, name, "nonempty");
            meters.seconds(Metric.LOOP_SECONDS, counters.busyNanos::get, name, "busy");
            meters.seconds(Metric.LOOP_SECONDS, counters.pollingNanos::get, name, "polling");
            meters.seconds(Metric.LOOP_SECONDS, counters.idleNanos::get, name, "idle");
            meters.gauge(
                    Metric.LOOP_CYCLE_MAX, () -> counters.cycleNanos.get(System.nanoTime()) / NANOS_PER_SECOND, name);
        }
        meters.counter(
                Metric.HANDLER_ERRORS,
                () -> loops.stream()
                        .mapToLong(loop -> loop.handlerErrors().get())
                        .sum(),
                "loop");
        meters.histograms(
                Metric.CQ_BATCH_SIZE,
                Map.of(
                        "",
                        loops.stream().map(loop -> loop.counters().batchSizes).toList()));
    }
}
