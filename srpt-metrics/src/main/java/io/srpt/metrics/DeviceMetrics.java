package io.srpt.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.srpt.verbs.DeviceResources;
import io.srpt.verbs.RdmaDevice;
import java.util.List;
import java.util.function.ToLongFunction;

/** What is in use of RDMA devices, summed over them. */
public final class DeviceMetrics implements MeterBinder {
    private final List<RdmaDevice> devices;

    public DeviceMetrics(List<RdmaDevice> devices) {
        this.devices = List.copyOf(devices);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Meters meters = new Meters(registry);
        meters.gauge(Metric.QUEUE_PAIRS, () -> sum(DeviceResources::queuePairs));
        meters.gauge(Metric.ADDRESS_HANDLES, () -> sum(DeviceResources::addressHandles));
        meters.gauge(Metric.MEMORY_REGIONS, () -> sum(DeviceResources::memoryRegions));
        meters.gauge(Metric.REGISTERED_MEMORY, () -> sum(DeviceResources::registeredBytes));
    }

    private long sum(ToLongFunction<DeviceResources> part) {
        return devices.stream().map(RdmaDevice::resources).mapToLong(part).sum();
    }
}
