package io.srpt.service;

import io.srpt.reactor.fault.FaultRule;
import io.srpt.roce.net.FaultSpec;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes a checked {@link ServeConfiguration} of what options and file say. */
final class ServeConfigurations {
    private static final int MAX_PORT = 65535;
    private static final int MIN_MTU = 256;
    private static final int MAX_MTU = 4096;
    private static final int MAX_METRICS_INITIATORS = 1000;
    private static final Duration MAX_SPIN = Duration.ofSeconds(1);
    private static final Duration MAX_DRAIN = Duration.ofMinutes(10);
    private static final List<Setting> DEFAULT_LISTEN = List.of(Setting.ofOption(SettingKey.LISTEN, "127.0.0.1"));
    private static final InetSocketAddress DEFAULT_HTTP =
            new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), RuntimeSettings.DEFAULT_HTTP_PORT);

    private ServeConfigurations() {}

    /**
     * Options come first, then the environment, then the file, then the defaults.
     *
     * @param said options and environment
     * @param file what the configuration file says, null if there is none: then every initiator may log in
     */
    static ServeConfiguration of(ServeSettings said, @Nullable ServeSettings file, Path defaultStateDirectory)
            throws ConfigurationException {
        ServeSettings all = file == null ? said : said.orElse(file);
        boolean openByDefault = file == null && !all.has(SettingKey.ACLS);
        Path stateDirectory = Values.path(all.one(SettingKey.STATE_DIR));
        List<LunConfiguration> luns = LunSettings.of(all.all(SettingKey.LUN));
        Set<Integer> numbers = luns.stream().map(LunConfiguration::lun).collect(Collectors.toSet());
        List<InetAddress> listen = listen(all.all(SettingKey.LISTEN));
        return new ServeConfiguration(
                luns,
                listen,
                Values.number(all.one(SettingKey.RDMA_CM_PORT), ServeConfiguration.DEFAULT_RDMA_CM_PORT, 1, MAX_PORT),
                serviceGuid(all.one(SettingKey.SERVICE_GUID)),
                stateDirectory == null ? defaultStateDirectory : stateDirectory,
                Values.path(all.one(SettingKey.PCAP)),
                faults(all.one(SettingKey.FAULTS)),
                inject(all.all(SettingKey.INJECT)),
                Values.path(all.one(SettingKey.STATS_FILE)),
                mtu(all.one(SettingKey.MTU)),
                openByDefault ? new AccessPolicy.Any() : AccessSettings.of(all.all(SettingKey.ACLS), numbers),
                openByDefault,
                SrpSettings.of(
                        all.one(SettingKey.SRP), all.all(SettingKey.PORTS), all.one(SettingKey.ALUA), listen, numbers),
                runtime(all));
    }

    private static RuntimeSettings runtime(ServeSettings all) throws ConfigurationException {
        Setting http = all.one(SettingKey.HTTP);
        InetSocketAddress address =
                http == null ? DEFAULT_HTTP : http.text().equals("none") ? null : Values.socketAddress(http);
        Setting spin = all.one(SettingKey.POLL_SPIN);
        RuntimeSettings defaults = RuntimeSettings.withoutHttp();
        return new RuntimeSettings(
                ProviderChoice.of(
                        all.one(SettingKey.PROVIDER), all.one(SettingKey.DEVICE), all.one(SettingKey.MAD_SEND)),
                address,
                http != null,
                Values.logFormat(all.one(SettingKey.LOG_FORMAT)),
                spin == null ? null : Values.duration(spin, Duration.ZERO, MAX_SPIN),
                Values.number(all.one(SettingKey.METRICS_INITIATORS), 0, 0, MAX_METRICS_INITIATORS),
                Values.duration(all.one(SettingKey.DRAIN_TIMEOUT), defaults.drainTimeout(), MAX_DRAIN),
                TokenSettings.of(all.one(SettingKey.HTTP_TOKEN), all.one(SettingKey.HTTP_TOKEN_FILE)));
    }

    private static List<InetAddress> listen(List<Setting> settings) throws ConfigurationException {
        List<InetAddress> addresses = new ArrayList<>();
        Set<InetAddress> seen = new HashSet<>();
        for (Setting setting : settings.isEmpty() ? DEFAULT_LISTEN : settings) {
            InetAddress address;
            try {
                address = Addresses.parse(SettingKey.LISTEN.key(), setting.text());
            } catch (ConfigurationException e) {
                throw setting.wrong(SettingKey.LISTEN, e);
            }
            if (!seen.add(address)) {
                throw setting.wrong(setting.text() + " is given twice");
            }
            addresses.add(address);
        }
        return addresses;
    }

    private static OptionalLong serviceGuid(@Nullable Setting setting) throws ConfigurationException {
        if (setting == null) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Guid.parse(setting.text()));
        } catch (ConfigurationException e) {
            throw setting.wrong(SettingKey.SERVICE_GUID, e);
        }
    }

    private static FaultSpec faults(@Nullable Setting setting) throws ConfigurationException {
        if (setting == null) {
            return FaultSpec.NONE;
        }
        try {
            return FaultOptions.parse(setting.text());
        } catch (ConfigurationException e) {
            throw setting.wrong(SettingKey.FAULTS, e);
        }
    }

    private static List<FaultRule> inject(List<Setting> settings) throws ConfigurationException {
        List<FaultRule> rules = new ArrayList<>();
        for (Setting setting : settings) {
            try {
                rules.add(FaultRule.parse(setting.text()));
            } catch (IllegalArgumentException e) {
                throw setting.wrong(SettingKey.INJECT, e);
            }
        }
        return rules;
    }

    private static int mtu(@Nullable Setting setting) throws ConfigurationException {
        int mtu = Values.number(setting, 0, 0, MAX_MTU);
        if (setting != null && mtu != 0 && (mtu < MIN_MTU || Integer.bitCount(mtu) != 1)) {
            throw setting.wrong(setting.text() + " is not 256, 512, 1024, 2048 or 4096");
        }
        return mtu;
    }
}
