package io.srpt.service;

import io.srpt.mad.dm.IoControllerProfile;
import io.srpt.target.ChannelAttributes;
import io.srpt.target.TargetConfig;
import io.srpt.target.TargetPortGroup;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what a target grants, {@code srp}, what is special about its ports, {@code ports}, and {@code alua}. */
final class SrpSettings {
    static final List<String> FIELDS = List.of(
            "async-events",
            "identification",
            "max-rdma-size",
            "max-req-size",
            "max-rsp-size",
            "sq-size",
            "srq-size",
            "target-logout",
            "use-srq");
    static final List<String> PORT_FIELDS = List.of("address", "enabled", "groups");
    static final List<String> GROUP_FIELDS = List.of("acls", "enabled", "name");
    private static final int MAX_REQUEST_LENGTH = 1 << 20;

    private SrpSettings() {}

    /**
     * Reads them.
     *
     * @param listen our addresses
     * @param luns the numbers of the disks that there are
     */
    static TargetSettings of(
            @Nullable Setting srp,
            List<Setting> ports,
            @Nullable Setting alua,
            List<InetAddress> listen,
            Set<Integer> luns)
            throws ConfigurationException {
        Setting fields = srp == null ? new Setting("", "", "srp", Map.of()) : withFields(srp);
        fields.fields(FIELDS);
        TargetSettings defaults = TargetSettings.DEFAULT;
        ChannelAttributes attributes = defaults.attributes();
        return new TargetSettings(
                Values.number(
                        fields.field("max-req-size"),
                        defaults.maxRequestLength(),
                        TargetConfig.MIN_REQUEST_LENGTH,
                        MAX_REQUEST_LENGTH),
                Values.number(
                        fields.field("srq-size"),
                        defaults.sharedReceiveQueueSize(),
                        TargetConfig.MIN_SHARED_RECEIVES,
                        TargetConfig.MAX_SHARED_RECEIVES),
                new ChannelAttributes(
                        Values.number(
                                fields.field("max-rdma-size"),
                                attributes.maxRdmaLength(),
                                ChannelAttributes.MIN_RDMA_LENGTH,
                                ChannelAttributes.MAX_RDMA_LENGTH),
                        Values.number(
                                fields.field("max-rsp-size"),
                                attributes.maxResponseLength(),
                                ChannelAttributes.MIN_RESPONSE_LENGTH,
                                ChannelAttributes.MAX_RESPONSE_LENGTH),
                        Values.number(
                                fields.field("sq-size"),
                                attributes.sendQueueSize(),
                                ChannelAttributes.MIN_SEND_QUEUE_SIZE,
                                ChannelAttributes.MAX_SEND_QUEUE_SIZE),
                        Values.flag(fields.field("use-srq"), attributes.sharedReceives())),
                Values.flag(fields.field("async-events"), defaults.asyncEvents()),
                Values.flag(fields.field("target-logout"), defaults.targetLogout()),
                identification(fields.field("identification"), defaults.identification()),
                ports(ports, listen, luns),
                AluaSettings.of(alua, listen, luns));
    }

    /** As an option it is a text: {@code use-srq=true,sq-size=256}. */
    private static Setting withFields(Setting srp) throws ConfigurationException {
        if (srp.fields() != null) {
            return srp;
        }
        Map<String, List<Setting>> fields = new LinkedHashMap<>();
        for (String pair : srp.text().split(",")) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw srp.wrong("'" + pair + "' is not KEY=VALUE; known keys are " + String.join(", ", FIELDS));
            }
            String name = pair.substring(0, equals);
            Setting value = new Setting(pair.substring(equals + 1), srp.where(), srp.path() + "." + name);
            if (fields.put(name, List.of(value)) != null) {
                throw srp.wrong(name + " is given twice");
            }
        }
        return new Setting("", srp.where(), srp.path(), fields);
    }

    private static String identification(@Nullable Setting setting, String otherwise) throws ConfigurationException {
        if (setting == null) {
            return otherwise;
        }
        int length = setting.text().getBytes(StandardCharsets.UTF_8).length;
        if (length == 0 || length > IoControllerProfile.MAX_ID_LENGTH) {
            throw setting.wrong("'" + setting.text() + "' has " + length + " bytes, which may be 1 to "
                    + IoControllerProfile.MAX_ID_LENGTH);
        }
        return setting.text();
    }

    private static List<PortSettings> ports(List<Setting> settings, List<InetAddress> listen, Set<Integer> luns)
            throws ConfigurationException {
        List<PortSettings> ports = new ArrayList<>();
        Set<InetAddress> seen = new HashSet<>();
        for (Setting setting : settings) {
            Map<String, List<Setting>> fields = setting.fields(PORT_FIELDS);
            Setting address = setting.field("address");
            if (address == null) {
                throw setting.wrong("the address is missing, such as {address: 192.0.2.1, enabled: false}");
            }
            InetAddress ours = Addresses.parse(address);
            if (!listen.contains(ours)) {
                throw address.wrong(address.text() + " is not among the addresses of 'listen'");
            }
            if (!seen.add(ours)) {
                throw address.wrong(address.text() + " is there twice");
            }
            ports.add(new PortSettings(
                    ours,
                    Values.flag(setting.field("enabled"), true),
                    groups(fields.getOrDefault("groups", List.of()), luns)));
        }
        return ports;
    }

    private static List<PortSettings.Group> groups(List<Setting> settings, Set<Integer> luns)
            throws ConfigurationException {
        List<PortSettings.Group> groups = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (Setting setting : settings) {
            Map<String, List<Setting>> fields = setting.fields(GROUP_FIELDS);
            Setting name = setting.field("name");
            if (name == null) {
                throw setting.wrong("the name is missing, such as {name: backup, acls: [192.0.2.0/24]}");
            }
            if (name.text().equals(TargetPortGroup.DEFAULT_NAME) || !seen.add(name.text())) {
                throw name.wrong("there is a group '" + name.text() + "' already");
            }
            groups.add(new PortSettings.Group(
                    name.text(),
                    Values.flag(setting.field("enabled"), true),
                    AccessSettings.of(fields.getOrDefault("acls", List.of()), luns)));
        }
        return groups;
    }
}
