package io.srpt.service;

import io.srpt.mad.MadCounters;
import io.srpt.mad.MadPort;
import io.srpt.roce.RoceCounters;
import io.srpt.roce.RoceDevice;
import io.srpt.srp.CommandCheck;
import io.srpt.target.SrptPort;
import io.srpt.target.TargetCounters;
import io.srpt.verbs.DeviceResources;
import io.srpt.verbs.RdmaDevice;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A few sums without labels, a line {@code name value} each with whole numbers, for scripts. Any thread. */
final class PlainStatistics {
    private final List<SrptPort> ports;
    private final List<RdmaDevice> devices;
    private final Map<String, Long> sums = new LinkedHashMap<>();

    private PlainStatistics(List<SrptPort> ports, List<RdmaDevice> devices) {
        this.ports = ports;
        this.devices = devices;
    }

    /** The lines of {@code ports} and {@code devices} now. */
    static String text(List<SrptPort> ports, List<RdmaDevice> devices) {
        PlainStatistics statistics = new PlainStatistics(ports, devices);
        statistics.sum();
        StringBuilder text = new StringBuilder();
        statistics.sums.forEach(
                (name, value) -> text.append(name).append(' ').append(value).append('\n'));
        return text.toString();
    }

    private void sum() {
        for (SrptPort port : ports) {
            target(port.counters());
            if (port.rdmaPort() instanceof MadPort madPort) {
                MadCounters mads = madPort.mads().counters();
                add(
                        "srpt_mad_buffers_in_use",
                        mads.addressHandles.get() + mads.received.get() - mads.receivesReleased.get());
            }
        }
        for (RdmaDevice device : devices) {
            resources(device.resources());
            if (device instanceof RoceDevice roce) {
                roce(roce);
            }
        }
    }

    private void target(TargetCounters counters) {
        long channels = counters.channelsInUse.get();
        add("srpt_channels", channels);
        add("srpt_logins", counters.loginsAccepted.get());
        add("srpt_logouts", counters.loginsAccepted.get() - channels);
        add("srpt_commands_direct", counters.directCommands.get());
        add("srpt_commands_indirect", counters.indirectCommands.get());
        add("srpt_commands_immediate", counters.immediateCommands.get());
        add(
                "srpt_commands_partial",
                counters.commandChecks(CommandCheck.PARTIAL_TABLE).get());
        add("srpt_table_reads", counters.tableReads.get());
    }

    private void resources(DeviceResources resources) {
        add("srpt_queue_pairs", resources.queuePairs());
        add("srpt_memory_regions", resources.memoryRegions());
        add("srpt_address_handles", resources.addressHandles());
    }

    private void roce(RoceDevice device) {
        RoceCounters counters = device.counters();
        add("srpt_roce_retransmits", counters.retransmits().get());
        add("srpt_roce_duplicates", counters.duplicates().get());
        add("srpt_roce_out_of_sequence", counters.outOfSequence().get());
    }

    private void add(String name, long value) {
        sums.merge(name, value, Long::sum);
    }
}
