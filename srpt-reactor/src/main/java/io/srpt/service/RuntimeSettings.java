package io.srpt.service;

import io.srpt.service.http.BearerToken;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the service runs, apart from what it serves.
 *
 * @param provider whose RDMA devices it runs on
 * @param http where metrics, health and status are, null for nowhere
 * @param httpRequired whether it is an error if that address cannot be had
 * @param logFormat how log lines look
 * @param pollSpin how long an idle loop polls before it sleeps, null for as long as it pays
 * @param metricsInitiators how many initiators have series of their own, 0 for none
 * @param drainTimeout how long to wait for commands in hand before initiators are logged out
 * @param token what a request over HTTP that changes something must carry, null if there are to be none
 */
public record RuntimeSettings(
        ProviderChoice provider,
        @Nullable InetSocketAddress http,
        boolean httpRequired,
        LogFormat logFormat,
        @Nullable Duration pollSpin,
        int metricsInitiators,
        Duration drainTimeout,
        @Nullable BearerToken token) {
    /** The default of {@code --http}. */
    public static final int DEFAULT_HTTP_PORT = 9464;

    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(3);

    /** Without a token. */
    public RuntimeSettings(
            ProviderChoice provider,
            @Nullable InetSocketAddress http,
            boolean httpRequired,
            LogFormat logFormat,
            @Nullable Duration pollSpin,
            int metricsInitiators,
            Duration drainTimeout) {
        this(provider, http, httpRequired, logFormat, pollSpin, metricsInitiators, drainTimeout, null);
    }

    /** Without HTTP, and all else by default. */
    public static RuntimeSettings withoutHttp() {
        return new RuntimeSettings(ProviderChoice.SOFTWARE, null, false, LogFormat.TEXT, null, 0, DRAIN_TIMEOUT);
    }

    /** How log lines look. */
    public enum LogFormat {
        TEXT,
        /** One JSON object a line. */
        JSON
    }
}
