package io.srpt.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.srpt.scsi.LogicalUnit;
import io.srpt.scsi.LogicalUnitCounters;
import io.srpt.scsi.OperationKind;
import io.srpt.scsi.ScsiStatus;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What disks were asked and how they answered. The number of series is bounded by the configuration. */
public final class UnitMetrics implements MeterBinder {
    /** The {@code lun} label of commands for LUNs that do not exist. */
    public static final String NO_LUN = "none";

    private static final String ABORTED = "aborted";
    /** Statuses that no command of this target ends with. */
    private static final Set<ScsiStatus> UNUSED = EnumSet.of(ScsiStatus.CONDITION_MET, ScsiStatus.ACA_ACTIVE);

    private final Map<Integer, LogicalUnit> units;
    private final LogicalUnitCounters withoutUnit;

    /** Of {@code units} by LUN, and of what was asked of LUNs that do not exist. */
    public UnitMetrics(Map<Integer, LogicalUnit> units, LogicalUnitCounters withoutUnit) {
        this.units = new TreeMap<>(units);
        this.withoutUnit = withoutUnit;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Meters meters = new Meters(registry);
        units.forEach((number, unit) -> {
            String lun = Integer.toString(number);
            LogicalUnitCounters counters = unit.counters();
            commands(meters, lun, counters);
            meters.counter(Metric.BYTES, counters.readBytes::get, lun, "read");
            meters.counter(Metric.BYTES, counters.writtenBytes::get, lun, "write");
            for (OperationKind kind : OperationKind.values()) {
                meters.seconds(Metric.LUN_COMMAND_SECONDS, counters.nanos(kind)::get, lun, Meters.label(kind));
            }
            meters.counter(Metric.STORE_ERRORS, counters.storeErrors::get, lun);
            meters.gauge(Metric.LUN_CAPACITY, () -> unit.store().sizeBytes(), lun);
        });
        commands(meters, NO_LUN, withoutUnit);
    }

    private static void commands(Meters meters, String lun, LogicalUnitCounters counters) {
        for (OperationKind kind : OperationKind.values()) {
            String operation = Meters.label(kind);
            for (ScsiStatus status : ScsiStatus.values()) {
                if (!UNUSED.contains(status)) {
                    meters.counter(
                            Metric.COMMANDS, counters.ended(kind, status)::get, lun, operation, Meters.label(status));
                }
            }
            meters.counter(Metric.COMMANDS, counters.aborted(kind)::get, lun, operation, ABORTED);
        }
    }
}
