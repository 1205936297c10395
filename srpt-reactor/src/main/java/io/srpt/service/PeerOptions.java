package io.srpt.service;

import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Options of the commands that talk to a target. */
final class PeerOptions {
    @Parameters(paramLabel = "ADDR", description = "Address of the target.")
    private String address = "";

    @Option(
            names = "--local",
            paramLabel = "ADDR",
            description = "The initiator's own address. Default: the one on the way to the target; for a target on"
                    + " 127.0.0.0/8 the first free one from 127.0.0.2 on")
    private @Nullable String local;

    @Option(
            names = "--provider",
            paramLabel = "roce|disni",
            description = "Whose RDMA the initiator is: our own software RoCEv2, or an RDMA device. Default: roce")
    private @Nullable String provider;

    @Option(
            names = "--device",
            paramLabel = "NAME",
            description = "Provider disni: the device, such as mlx5_0. Default: the one that has the address")
    private @Nullable String device;

    /** What opens our device. */
    DeviceFactory devices(CommandContext context) throws ConfigurationException {
        return ProviderChoice.of(option(SettingKey.PROVIDER, provider), option(SettingKey.DEVICE, device), null)
                .factory(context.devices());
    }

    private static @Nullable Setting option(SettingKey key, @Nullable String text) {
        return text == null ? null : Setting.ofOption(key, text);
    }

    InetAddress target() throws ConfigurationException {
        return Addresses.parse("ADDR", address);
    }

    /** Addresses that we may send from, best first. */
    List<InetAddress> local() throws ConfigurationException, ServiceException {
        return local == null ? LocalAddress.towards(target()) : List.of(Addresses.parse("local", local));
    }
}
