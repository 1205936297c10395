package io.srpt.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.srpt.counter.Histogram;
import io.srpt.mad.MadBufferPool;
import io.srpt.mad.MadPort;
import io.srpt.scsi.OperationKind;
import io.srpt.srp.CommandCheck;
import io.srpt.srp.LoginRejectReason;
import io.srpt.target.SrptPort;
import io.srpt.target.TargetCounters;
import io.srpt.target.TaskManagementFunction;
import io.srpt.verbs.WorkCompletionOpcode;
import io.srpt.verbs.WorkCompletionStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/** Logins, commands and buffers of a target's ports. Sessions and channels are {@link SessionMetrics}. */
public final class TargetMetrics implements MeterBinder {
    private final List<SrptPort> ports;

    public TargetMetrics(List<SrptPort> ports) {
        this.ports = List.copyOf(ports);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Meters meters = new Meters(registry);
        for (SrptPort port : ports) {
            TargetCounters counters = port.counters();
            meters.counter(Metric.LOGINS, counters.loginsAccepted::get, port.name(), "accepted");
            meters.counter(Metric.LOGINS, () -> rejected(counters), port.name(), "rejected");
        }
        for (LoginRejectReason reason : LoginRejectReason.values()) {
            meters.counter(
                    Metric.LOGIN_REJECTS,
                    sum(counters -> counters.loginsRejected(reason).get()),
                    Meters.label(reason));
        }
        commands(meters);
        workErrors(meters);
        buffers(meters);
    }

    private static long rejected(TargetCounters counters) {
        long rejected = 0;
        for (LoginRejectReason reason : LoginRejectReason.values()) {
            rejected += counters.loginsRejected(reason).get();
        }
        return rejected;
    }

    private void commands(Meters meters) {
        Map<String, List<Histogram>> durations = new LinkedHashMap<>();
        for (OperationKind kind : OperationKind.values()) {
            durations.put(
                    Meters.label(kind),
                    ports.stream().map(port -> port.counters().commandNanos(kind)).toList());
        }
        meters.histograms(Metric.COMMAND_DURATION, durations);
        for (CommandCheck check : CommandCheck.values()) {
            if (!check.isGood()) {
                meters.counter(
                        Metric.COMMAND_REJECTS,
                        sum(counters -> counters.commandChecks(check).get()),
                        Meters.label(check));
            }
        }
        for (TaskManagementFunction function : TaskManagementFunction.values()) {
            for (TaskManagementFunction.Response response : TaskManagementFunction.Response.values()) {
                meters.counter(
                        Metric.TASK_MANAGEMENT,
                        sum(counters -> counters.taskManagement(function, response).get()),
                        Meters.label(function),
                        Meters.label(response));
            }
        }
    }

    private void workErrors(Meters meters) {
        for (WorkCompletionOpcode opcode : WorkCompletionOpcode.values()) {
            for (WorkCompletionStatus status : WorkCompletionStatus.values()) {
                if (status != WorkCompletionStatus.SUCCESS && status != WorkCompletionStatus.RESPONSE_TIMEOUT) {
                    meters.counter(
                            Metric.WC_ERRORS,
                            sum(counters -> counters.workErrors(opcode, status).get()),
                            Meters.label(opcode),
                            Meters.label(status));
                }
            }
        }
    }

    private void buffers(Meters meters) {
        LongSupplier chunks = sum(counters -> counters.dataBufferBytes.get() / TargetCounters.DATA_CHUNK_BYTES);
        LongSupplier chunksInUse = sum(counters -> counters.chunksInUse.get());
        LongSupplier receives = sum(counters -> counters.receivesInUse.get());
        meters.gauge(Metric.BUFFERS, chunksInUse::getAsLong, "data", "used");
        meters.gauge(
                Metric.BUFFERS, () -> Math.max(0, chunks.getAsLong() - chunksInUse.getAsLong()), "data", "free");
        meters.gauge(Metric.BUFFERS, receives::getAsLong, "receive", "posted");
        List<MadBufferPool> pools = ports.stream()
                .map(SrptPort::rdmaPort)
                .filter(MadPort.class::isInstance)
                .map(port -> ((MadPort) port).mads().pool())
                .toList();
        meters.gauge(
                Metric.BUFFERS,
                () -> pools.stream().mapToLong(pool -> pool.inUse().get()).sum(),
                "mad",
                "used");
        meters.gauge(
                Metric.BUFFERS,
                () -> pools.stream()
                        .mapToLong(pool -> pool.capacity() - pool.inUse().get())
                        .sum(),
                "mad",
                "free");
    }

    private LongSupplier sum(ToLongFunction<TargetCounters> part) {
        return () -> ports.stream().map(SrptPort::counters).mapToLong(part).sum();
    }
}
