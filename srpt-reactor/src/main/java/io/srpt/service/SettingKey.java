package io.srpt.service;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The settings of {@code serve}: as option {@code --rdma-cm-port}, in the file {@code rdma-cm-port}, in the environment {@code SRPT_RDMA_CM_PORT}. */
enum SettingKey {
    ACLS(true),
    ALUA(false),
    DEVICE(false),
    DRAIN_TIMEOUT(false),
    FAULTS(false),
    HTTP(false),
    /** In the file or the environment only: options can be seen by everybody on the machine. */
    HTTP_TOKEN(false),
    HTTP_TOKEN_FILE(false),
    INJECT(true),
    LISTEN(true),
    LOG_FORMAT(false),
    LUN(true),
    MAD_SEND(false),
    METRICS_INITIATORS(false),
    MTU(false),
    PCAP(false),
    POLL_SPIN(false),
    PORTS(true),
    PROVIDER(false),
    RDMA_CM_PORT(false),
    SERVICE_GUID(false),
    SRP(false),
    STATE_DIR(false),
    STATS_FILE(false);

    private static final String ENVIRONMENT_PREFIX = "SRPT_";

    private final boolean list;

    SettingKey(boolean list) {
        this.list = list;
    }

    /** Whether it may have several values. */
    boolean isList() {
        return list;
    }

    /** Whether a value may consist of fields. */
    boolean hasFields() {
        return this == LUN || this == ACLS || this == ALUA || this == PORTS || this == SRP;
    }

    /** Its name in the file, and after two dashes as an option. */
    String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Its environment variable. */
    String environmentVariable() {
        return ENVIRONMENT_PREFIX + name();
    }

    /** The setting with the name {@code key} in the file, null if there is none. */
    static @Nullable SettingKey of(String key) {
        return Arrays.stream(values())
                .filter(each -> each.key().equals(key))
                .findFirst()
                .orElse(null);
    }

    /** All names. */
    static List<String> keys() {
        return Arrays.stream(values()).map(SettingKey::key).toList();
    }
}
