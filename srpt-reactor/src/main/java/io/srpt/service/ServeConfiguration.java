package io.srpt.service;

import io.srpt.reactor.fault.FaultRule;
import io.srpt.roce.net.FaultSpec;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All that {@code serve} needs to know, checked.
 *
 * @param luns the disks
 * @param listen our addresses
 * @param rdmaCmPort port number of the RDMA/CM service id
 * @param serviceGuid the service GUID if it was given, else it is kept in {@code stateDirectory}
 * @param stateDirectory where to keep what must survive a restart
 * @param pcap file for all packets, or null
 * @param faults what to break on the network on purpose
 * @param inject what to do wrong with commands and management replies on purpose
 * @param statsFile file for counters, or null
 * @param mtu largest path MTU in bytes, 0 for the interface's
 * @param access who may log in
 * @param openByDefault whether {@code access} is open only because nothing was said about it
 * @param target what the target grants
 * @param runtime how the service runs
 */
public record ServeConfiguration(
        List<LunConfiguration> luns,
        List<InetAddress> listen,
        int rdmaCmPort,
        OptionalLong serviceGuid,
        Path stateDirectory,
        @Nullable Path pcap,
        FaultSpec faults,
        List<FaultRule> inject,
        @Nullable Path statsFile,
        int mtu,
        AccessPolicy access,
        boolean openByDefault,
        TargetSettings target,
        RuntimeSettings runtime) {
    /** The default of {@code --rdma-cm-port}. */
    public static final int DEFAULT_RDMA_CM_PORT = 5555;

    /** Copies the lists. */
    public ServeConfiguration {
        luns = List.copyOf(luns);
        listen = List.copyOf(listen);
        inject = List.copyOf(inject);
    }

    /** The same with other addresses. */
    ServeConfiguration withListen(List<InetAddress> addresses) {
        return new ServeConfiguration(
                luns,
                addresses,
                rdmaCmPort,
                serviceGuid,
                stateDirectory,
                pcap,
                faults,
                inject,
                statsFile,
                mtu,
                access,
                openByDefault,
                target,
                runtime);
    }

    /** Whether the target port groups of both are the same, but for states and for addresses and disks that come or go. */
    boolean hasGroupsOf(ServeConfiguration other) {
        List<InetAddress> addresses =
                listen.stream().filter(other.listen::contains).toList();
        Set<Integer> disks = numbers();
        disks.retainAll(other.numbers());
        return target.alua().fixed(addresses, disks).equals(other.target.alua().fixed(addresses, disks));
    }

    private Set<Integer> numbers() {
        return luns.stream().map(LunConfiguration::lun).collect(Collectors.toCollection(HashSet::new));
    }

    /**
     * The same with what a running target can take over from {@code other}: all but what it needs a restart for.
     *
     * @param disks what becomes of the disks
     */
    ServeConfiguration changedTo(ServeConfiguration other, List<LunConfiguration> disks) {
        TargetSettings newTarget = other.target;
        RuntimeSettings newRuntime = other.runtime;
        return new ServeConfiguration(
                disks,
                other.listen,
                other.rdmaCmPort,
                serviceGuid,
                stateDirectory,
                pcap,
                faults,
                inject,
                statsFile,
                mtu,
                other.access,
                other.openByDefault,
                new TargetSettings(
                        target.maxRequestLength(),
                        target.sharedReceiveQueueSize(),
                        newTarget.attributes(),
                        target.asyncEvents(),
                        target.targetLogout(),
                        newTarget.identification(),
                        newTarget.ports(),
                        hasGroupsOf(other) ? newTarget.alua() : target.alua()),
                new RuntimeSettings(
                        runtime.provider(),
                        runtime.http(),
                        runtime.httpRequired(),
                        runtime.logFormat(),
                        runtime.pollSpin(),
                        runtime.metricsInitiators(),
                        newRuntime.drainTimeout(),
                        newRuntime.token()));
    }
}
