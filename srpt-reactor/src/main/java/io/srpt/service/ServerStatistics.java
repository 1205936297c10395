package io.srpt.service;

import io.srpt.counter.Counter;
import io.srpt.mad.MadCounters;
import io.srpt.mad.MadPort;
import io.srpt.roce.DropCause;
import io.srpt.roce.RoceCounters;
import io.srpt.roce.RoceDevice;
import io.srpt.srp.LoginRejectReason;
import io.srpt.target.SrptPort;
import io.srpt.target.SrptTarget;
import io.srpt.target.TargetCounters;
import io.srpt.verbs.RdmaDevice;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The counters of a target and its ports under names such as {@code target.commands} and {@code mad.received}; several
 * ports are summed. Public fields of the counter classes are found by reflection, so that a new counter shows up here.
 */
final class ServerStatistics implements Statistics {
    private static final Logger LOG = LoggerFactory.getLogger(ServerStatistics.class);

    private final SrptTarget target;
    private final List<RdmaDevice> devices;

    ServerStatistics(SrptTarget target, List<RdmaDevice> devices) {
        this.target = target;
        this.devices = List.copyOf(devices);
    }

    @Override
    public void forEach(BiConsumer<String, Long> each) {
        each.accept("target.ports", (long) target.ports().size());
        for (SrptPort port : target.ports()) {
            TargetCounters counters = port.counters();
            fields("target.", counters, each);
            for (LoginRejectReason reason : LoginRejectReason.values()) {
                String name = reason.name().toLowerCase(Locale.ROOT);
                each.accept("target.loginsRejected." + name, counters.loginsRejected(reason).get());
            }
            if (port.rdmaPort() instanceof MadPort madPort) {
                MadCounters mads = madPort.mads().counters();
                fields("mad.", mads, each);
                each.accept("mad.buffersInUse", madPort.mads().pool().inUse().get());
                each.accept("srpt_mad_buffers_in_use", mads.addressHandles.get() + mads.receivesHeld.get());
            }
            targetNames(counters, each);
        }
        for (RdmaDevice device : devices) {
            if (device instanceof RoceDevice roce) {
                roce(roce, each);
            }
        }
    }

    /** What a port counted, under the names that harnesses read. */
    private static void targetNames(TargetCounters counters, BiConsumer<String, Long> each) {
        long channels = counters.channelsInUse.get();
        each.accept("srpt_channels", channels);
        each.accept("srpt_logins", counters.loginsAccepted.get());
        each.accept("srpt_logouts", counters.loginsAccepted.get() - channels);
        each.accept("srpt_commands_direct", counters.directCommands.get());
        each.accept(
                "srpt_commands_indirect",
                counters.indirectCommands.get() + counters.singleIndirectCommands.get());
        each.accept("srpt_commands_immediate", counters.immediateCommands.get());
    }

    private static void roce(RoceDevice device, BiConsumer<String, Long> each) {
        RoceCounters counters = device.counters();
        each.accept("srpt_queue_pairs", counters.queuePairs().get());
        each.accept("srpt_memory_regions", device.memoryRegions());
        each.accept("srpt_address_handles", counters.addressHandles().get());
        each.accept("srpt_roce_retransmits", counters.retransmits().get());
        each.accept("srpt_roce_duplicates", counters.duplicates().get());
        each.accept("srpt_roce_out_of_sequence", counters.outOfSequence().get());
        each.accept("roce.memoryRegions", device.memoryRegions());
        each.accept("roce.queuePairs", counters.queuePairs().get());
        each.accept("roce.addressHandles", counters.addressHandles().get());
        each.accept("roce.retransmits", counters.retransmits().get());
        each.accept("roce.timeouts", counters.timeouts().get());
        each.accept("roce.duplicates", counters.duplicates().get());
        each.accept("roce.outOfSequence", counters.outOfSequence().get());
        each.accept("roce.readGaps", counters.readGaps().get());
        each.accept("roce.naksSent", counters.naksSent().get());
        each.accept("roce.naksReceived", counters.naksReceived().get());
        each.accept("roce.rnrNaksSent", counters.rnrNaksSent().get());
        each.accept("roce.rnrNaksReceived", counters.rnrNaksReceived().get());
        each.accept("roce.doubleReleases", counters.doubleReleases().get());
        for (DropCause cause : DropCause.values()) {
            each.accept("roce.dropped." + cause.name().toLowerCase(Locale.ROOT), counters.dropped(cause).get());
        }
    }

    /** Every public {@link Counter} field of {@code counters}. */
    static void fields(String prefix, Object counters, BiConsumer<String, Long> each) {
        for (Field field : counters.getClass().getFields()) {
            if (field.getType() == Counter.class && !Modifier.isStatic(field.getModifiers())) {
                try {
                    each.accept(prefix + field.getName(), ((Counter) field.get(counters)).get());
                } catch (IllegalAccessException e) {
                    LOG.debug("Counter {} cannot be read", field, e);
                }
            }
        }
    }
}
