package io.srpt.service;

import io.srpt.roce.net.FaultSpec;
import io.srpt.srp.PortId;
import io.srpt.store.StoreException;
import io.srpt.store.StoreSpec;
import java.net.InetAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Makes a checked {@link ServeConfiguration} of what options and file say. */
final class ServeConfigurations {
    private static final int MAX_PORT = 65535;
    private static final int MIN_MTU = 256;
    private static final int MAX_MTU = 4096;
    private static final Pattern PORT_ID = Pattern.compile("[0-9a-fA-F]{32}");

    private ServeConfigurations() {}

    /**
     * Options come first, then the file, then the defaults.
     *
     * @param file what the configuration file says, null if there is none: then every initiator may log in
     */
    static ServeConfiguration of(ServeSettings options, @Nullable ServeSettings file, Path defaultStateDirectory)
            throws ConfigurationException {
        ServeSettings all = file == null ? options : options.orElse(file);
        List<String> acls = all.acls();
        AccessPolicy access = acls == null
                ? (file == null ? new AccessPolicy.Any() : new AccessPolicy.Listed(Set.of(), Set.of()))
                : policy(acls);
        String stateDir = all.stateDir();
        String guid = all.serviceGuid();
        return new ServeConfiguration(
                luns(all.lun()),
                listen(all.listen()),
                number("rdma-cm-port", all.rdmaCmPort(), ServeConfiguration.DEFAULT_RDMA_CM_PORT, 1, MAX_PORT),
                guid == null ? OptionalLong.empty() : OptionalLong.of(serviceGuid(guid)),
                stateDir == null ? defaultStateDirectory : path("state-dir", stateDir),
                optionalPath("pcap", all.pcap()),
                all.faults() == null ? FaultSpec.NONE : FaultOptions.parse(all.faults()),
                optionalPath("stats-file", all.statsFile()),
                mtu(all.mtu()),
                access,
                acls == null && file == null);
    }

    private static List<StoreSpec> luns(List<String> texts) throws ConfigurationException {
        if (texts.isEmpty()) {
            throw new ConfigurationException(
                    "there is no disk to serve; give at least one --lun, such as --lun memory:64MiB");
        }
        List<StoreSpec> luns = new ArrayList<>();
        for (String text : texts) {
            try {
                luns.add(StoreSpec.parse(text));
            } catch (StoreException e) {
                throw new ConfigurationException("lun: " + e.getMessage(), e);
            }
        }
        return luns;
    }

    private static List<InetAddress> listen(List<String> texts) throws ConfigurationException {
        List<InetAddress> addresses = new ArrayList<>();
        Set<InetAddress> seen = new HashSet<>();
        for (String text : texts.isEmpty() ? List.of("127.0.0.1") : texts) {
            InetAddress address = Addresses.parse("listen", text);
            if (!seen.add(address)) {
                throw new ConfigurationException("listen: " + text + " is given twice");
            }
            addresses.add(address);
        }
        return addresses;
    }

    private static AccessPolicy policy(List<String> acls) throws ConfigurationException {
        if (acls.equals(List.of("any"))) {
            return new AccessPolicy.Any();
        }
        Set<PortId> ports = new HashSet<>();
        Set<InetAddress> addresses = new HashSet<>();
        for (String acl : acls) {
            String digits = acl.replaceFirst("^0[xX]", "");
            if (PORT_ID.matcher(digits).matches()) {
                ports.add(new PortId(
                        HexFormat.fromHexDigitsToLong(digits, 0, 16), HexFormat.fromHexDigitsToLong(digits, 16, 32)));
            } else {
                addresses.add(aclAddress(acl));
            }
        }
        return new AccessPolicy.Listed(ports, addresses);
    }

    private static InetAddress aclAddress(String text) throws ConfigurationException {
        try {
            return Addresses.parse("acls", text);
        } catch (ConfigurationException e) {
            throw new ConfigurationException(
                    "acls: '" + text
                            + "' is neither 'any' nor an initiator port id of 32 hexadecimal digits nor an address",
                    e);
        }
    }

    private static long serviceGuid(String text) throws ConfigurationException {
        try {
            return Guid.parse(text);
        } catch (ConfigurationException e) {
            throw new ConfigurationException("service-guid: " + e.getMessage(), e);
        }
    }

    private static int mtu(@Nullable String text) throws ConfigurationException {
        int mtu = number("mtu", text, 0, 0, MAX_MTU);
        if (mtu != 0 && (mtu < MIN_MTU || Integer.bitCount(mtu) != 1)) {
            throw new ConfigurationException("mtu: " + text + " is not 256, 512, 1024, 2048 or 4096");
        }
        return mtu;
    }

    private static int number(String key, @Nullable String text, int otherwise, int min, int max)
            throws ConfigurationException {
        if (text == null) {
            return otherwise;
        }
        try {
            int value = Integer.parseInt(text);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new ConfigurationException(key + ": '" + text + "' is no number from " + min + " to " + max, e);
        }
        throw new ConfigurationException(key + ": " + text + " is not from " + min + " to " + max);
    }

    private static @Nullable Path optionalPath(String key, @Nullable String text) throws ConfigurationException {
        return text == null ? null : path(key, text);
    }

    private static Path path(String key, String text) throws ConfigurationException {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new ConfigurationException(key + ": '" + text + "' is no path: " + e.getReason(), e);
        }
    }
}
