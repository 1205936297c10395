package io.srpt.service;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads single values of settings. A null setting is one that was not given. */
final class Values {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(us|ms|s)");
    private static final Pattern SOCKET = Pattern.compile("(.+):(\\d{1,5})");
    private static final int MAX_PORT = 65535;

    private Values() {}

    static int number(@Nullable Setting setting, int otherwise, int min, int max) throws ConfigurationException {
        if (setting == null) {
            return otherwise;
        }
        int value;
        try {
            value = Integer.parseInt(setting.text());
        } catch (NumberFormatException e) {
            throw setting.wrong("'" + setting.text() + "' is no number from " + min + " to " + max);
        }
        if (value < min || value > max) {
            throw setting.wrong(setting.text() + " is not from " + min + " to " + max);
        }
        return value;
    }

    static boolean flag(@Nullable Setting setting, boolean otherwise) throws ConfigurationException {
        if (setting == null) {
            return otherwise;
        }
        return switch (setting.text()) {
            case "true" -> true;
            case "false" -> false;
            default -> throw setting.wrong("'" + setting.text() + "' is neither true nor false");
        };
    }

    static Duration duration(@Nullable Setting setting, Duration otherwise, Duration max)
            throws ConfigurationException {
        if (setting == null) {
            return otherwise;
        }
        Matcher matcher = DURATION.matcher(setting.text());
        if (!matcher.matches()) {
            throw setting.wrong("'" + setting.text() + "' is no time; write such as 50us, 2ms or 3s");
        }
        long count = Long.parseLong(matcher.group(1));
        Duration value = switch (matcher.group(2)) {
            case "us" -> Duration.ofNanos(Math.multiplyExact(count, 1_000L));
            case "ms" -> Duration.ofMillis(count);
            default -> Duration.ofSeconds(count);
        };
        if (value.compareTo(max) > 0) {
            throw setting.wrong(setting.text() + " is more than " + max.toMillis() + "ms");
        }
        return value;
    }

    static @Nullable Path path(@Nullable Setting setting) throws ConfigurationException {
        if (setting == null) {
            return null;
        }
        try {
            return Path.of(setting.text());
        } catch (InvalidPathException e) {
            throw setting.wrong("'" + setting.text() + "' is no path: " + e.getReason());
        }
    }

    /** {@code ADDR:PORT}, IPv6 in brackets. The address may be the one that stands for all. */
    static InetSocketAddress socketAddress(Setting setting) throws ConfigurationException {
        Matcher matcher = SOCKET.matcher(setting.text());
        if (matcher.matches()) {
            String host = matcher.group(1);
            boolean bracketed = host.startsWith("[") && host.endsWith("]");
            int port = Integer.parseInt(matcher.group(2));
            try {
                InetAddress address = InetAddress.ofLiteral(bracketed ? host.substring(1, host.length() - 1) : host);
                if (port <= MAX_PORT && bracketed == host.contains(":")) {
                    return new InetSocketAddress(address, port);
                }
            } catch (IllegalArgumentException e) {
                throw notASocketAddress(setting);
            }
        }
        throw notASocketAddress(setting);
    }

    private static ConfigurationException notASocketAddress(Setting setting) {
        return setting.wrong("'" + setting.text() + "' is neither 'none' nor an address and port; write such as"
                + " 127.0.0.1:9464 or [::1]:9464");
    }

    static RuntimeSettings.LogFormat logFormat(@Nullable Setting setting) throws ConfigurationException {
        if (setting == null) {
            return RuntimeSettings.LogFormat.TEXT;
        }
        for (RuntimeSettings.LogFormat format : RuntimeSettings.LogFormat.values()) {
            if (format.name().toLowerCase(Locale.ROOT).equals(setting.text())) {
                return format;
            }
        }
        throw setting.wrong("'" + setting.text() + "' is neither text nor json");
    }
}
