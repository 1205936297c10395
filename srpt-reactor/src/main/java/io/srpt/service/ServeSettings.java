package io.srpt.service;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one source (the options, or the configuration file) says, as text and not yet checked; null or empty where it says
 * nothing. The keys of the file are the names of the options.
 */
record ServeSettings(
        List<String> lun,
        List<String> listen,
        @Nullable String rdmaCmPort,
        @Nullable String serviceGuid,
        @Nullable String stateDir,
        @Nullable String pcap,
        @Nullable String faults,
        @Nullable String statsFile,
        @Nullable String mtu,
        @Nullable List<String> acls) {
    /** A source that says nothing. */
    static final ServeSettings NOTHING =
            new ServeSettings(List.of(), List.of(), null, null, null, null, null, null, null, null);

    /** These settings, and where they say nothing those of {@code fallback}. */
    ServeSettings orElse(ServeSettings fallback) {
        return new ServeSettings(
                lun.isEmpty() ? fallback.lun : lun,
                listen.isEmpty() ? fallback.listen : listen,
                rdmaCmPort != null ? rdmaCmPort : fallback.rdmaCmPort,
                serviceGuid != null ? serviceGuid : fallback.serviceGuid,
                stateDir != null ? stateDir : fallback.stateDir,
                pcap != null ? pcap : fallback.pcap,
                faults != null ? faults : fallback.faults,
                statsFile != null ? statsFile : fallback.statsFile,
                mtu != null ? mtu : fallback.mtu,
                acls != null ? acls : fallback.acls);
    }
}
