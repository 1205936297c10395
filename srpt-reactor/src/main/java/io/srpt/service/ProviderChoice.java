package io.srpt.service;

import io.srpt.disni.DisniSettings.MadSendMode;
import org.jspecify.annotations.Nullable;

/**
 * Whose RDMA devices the service runs on.
 *
 * @param hardware the devices of this machine, through DiSNI; else our own software RoCEv2
 * @param device which of them, null for the one that has the address
 * @param madSend how replies to management datagrams leave such a device
 */
public record ProviderChoice(boolean hardware, @Nullable String device, MadSendMode madSend) {
    /** Software RoCEv2. */
    public static final ProviderChoice SOFTWARE = new ProviderChoice(false, null, MadSendMode.QUEUE_PAIR);

    static final String ROCE = "roce";
    static final String DISNI = "disni";

    /** What opens the devices: {@code software} unless hardware was chosen. */
    DeviceFactory factory(DeviceFactory software) {
        return hardware ? new DisniDevices(this) : software;
    }

    /** From settings. */
    static ProviderChoice of(@Nullable Setting provider, @Nullable Setting device, @Nullable Setting madSend)
            throws ConfigurationException {
        boolean hardware = isHardware(provider);
        if (device != null && !hardware) {
            throw device.wrong("a device is for provider disni");
        }
        return new ProviderChoice(hardware, device == null ? null : device.text(), madSend(madSend));
    }

    private static boolean isHardware(@Nullable Setting provider) throws ConfigurationException {
        if (provider == null || provider.text().equals(ROCE)) {
            return false;
        }
        if (provider.text().equals(DISNI)) {
            return true;
        }
        throw provider.wrong("'" + provider.text() + "' is neither roce (software) nor disni (RDMA hardware)");
    }

    private static MadSendMode madSend(@Nullable Setting setting) throws ConfigurationException {
        if (setting == null || setting.text().equals("udqp")) {
            return MadSendMode.QUEUE_PAIR;
        }
        if (setting.text().equals("umad")) {
            return MadSendMode.UMAD;
        }
        throw setting.wrong("'" + setting.text() + "' is neither udqp nor umad");
    }
}
