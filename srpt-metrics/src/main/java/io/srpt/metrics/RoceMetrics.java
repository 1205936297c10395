package io.srpt.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.srpt.roce.DropCause;
import io.srpt.roce.RetransmitCause;
import io.srpt.roce.RoceCounters;
import io.srpt.roce.RoceDevice;
import io.srpt.roce.packet.Opcode;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/** The packets of software RoCEv2 devices, summed over them. */
public final class RoceMetrics implements MeterBinder {
    private static final int OPCODES = 256;

    private final List<RoceDevice> devices;

    public RoceMetrics(List<RoceDevice> devices) {
        this.devices = List.copyOf(devices);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Meters meters = new Meters(registry);
        packets(meters);
        for (RetransmitCause cause : RetransmitCause.values()) {
            meters.counter(
                    Metric.ROCE_RETRANSMITS,
                    sum(counters -> counters.retransmits(cause).get()),
                    Meters.label(cause));
        }
        for (DropCause cause : DropCause.values()) {
            meters.counter(
                    Metric.ROCE_DROPS, sum(counters -> counters.dropped(cause).get()), Meters.label(cause));
        }
        meters.counter(
                Metric.ROCE_ICRC_ERRORS,
                sum(counters -> counters.dropped(DropCause.ICRC).get()));
        meters.counter(
                Metric.ROCE_RNR_NAKS, sum(counters -> counters.rnrNaksSent().get()), "sent");
        meters.counter(
                Metric.ROCE_RNR_NAKS, sum(counters -> counters.rnrNaksReceived().get()), "received");
        meters.counter(
                Metric.ROCE_SEQUENCE_ERRORS,
                sum(counters -> counters.outOfSequence().get()));
        meters.counter(
                Metric.ROCE_DUPLICATES, sum(counters -> counters.duplicates().get()));
    }

    private void packets(Meters meters) {
        for (int code = 0; code < OPCODES; code++) {
            if (Opcode.isKnown(code)) {
                int opcode = code;
                String name = Opcode.name(opcode).toLowerCase(Locale.ROOT);
                meters.counter(
                        Metric.ROCE_PACKETS,
                        sum(counters -> counters.sent(opcode).get()),
                        "sent",
                        name);
                meters.counter(
                        Metric.ROCE_PACKETS,
                        sum(counters -> counters.received(opcode).get()),
                        "received",
                        name);
            }
        }
    }

    private LongSupplier sum(ToLongFunction<RoceCounters> part) {
        return () -> devices.stream().map(RoceDevice::counters).mapToLong(part).sum();
    }
}
