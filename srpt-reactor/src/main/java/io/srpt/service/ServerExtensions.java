package io.srpt.service;

import io.srpt.reactor.SrptTargetRuntime;
import io.srpt.reactor.fault.FaultInjection;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a program adds to a server beside its configuration.
 *
 * @param luns disks behind those of the configuration
 * @param runtime sets handlers
 * @param faults what goes wrong on purpose, null for nothing
 */
record ServerExtensions(
        List<LunSource> luns,
        UnaryOperator<SrptTargetRuntime.Builder> runtime,
        @Nullable FaultInjection faults) {
    ServerExtensions {
        luns = List.copyOf(luns);
    }

    /** Those that a configuration asks for. */
    static ServerExtensions of(ServeConfiguration configuration) {
        FaultInjection faults =
                configuration.inject().isEmpty() ? null : FaultInjection.ofRules(configuration.inject());
        return new ServerExtensions(List.of(), UnaryOperator.identity(), faults);
    }
}
