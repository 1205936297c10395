package io.srpt.service;

import io.srpt.roce.net.FaultSpec;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads what {@code --faults} says: faults that the transport injects, for tests, such as {@code
 * seed=1,loss=0.01,duplicate=0.5%,reorder=0.005}.
 */
final class FaultOptions {
    private static final List<String> KEYS = List.of("seed", "loss", "duplicate", "reorder");

    private FaultOptions() {}

    /** Reads {@code key=value} pairs with commas between; shares as fractions or with a per cent sign. */
    static FaultSpec parse(String text) throws ConfigurationException {
        FaultSpec faults = FaultSpec.NONE;
        Set<String> seen = new HashSet<>();
        for (String part : text.split(",", -1)) {
            int equals = part.indexOf('=');
            String key = equals < 0 ? part.strip() : part.substring(0, equals).strip();
            if (equals < 0 || !KEYS.contains(key)) {
                throw new ConfigurationException(
                        "faults: '" + part + "' is not one of " + String.join("=, ", KEYS) + "=");
            }
            if (!seen.add(key)) {
                throw new ConfigurationException("faults: " + key + " is given twice");
            }
            faults = with(faults, key, part.substring(equals + 1).strip());
        }
        return faults;
    }

    private static FaultSpec with(FaultSpec old, String key, String value) throws ConfigurationException {
        return switch (key) {
            case "seed" -> new FaultSpec(number(value), old.loss(), old.duplicate(), old.reorder(), old.delay());
            case "loss" -> new FaultSpec(old.seed(), share(key, value), old.duplicate(), old.reorder(), old.delay());
            case "duplicate" -> new FaultSpec(old.seed(), old.loss(), share(key, value), old.reorder(), old.delay());
            default -> new FaultSpec(old.seed(), old.loss(), old.duplicate(), share(key, value), old.delay());
        };
    }

    private static long number(String value) throws ConfigurationException {
        try {
            return Long.decode(value);
        } catch (NumberFormatException e) {
            throw new ConfigurationException("faults: seed '" + value + "' is no whole number", e);
        }
    }

    private static double share(String key, String value) throws ConfigurationException {
        boolean percent = value.endsWith("%");
        String digits = percent ? value.substring(0, value.length() - 1) : value;
        double share;
        try {
            share = Double.parseDouble(digits) / (percent ? 100 : 1);
        } catch (NumberFormatException e) {
            share = Double.NaN;
        }
        if (!(share >= 0 && share <= 1)) {
            throw new ConfigurationException(
                    "faults: " + key + " '" + value + "' is no share; write 0 to 1, or such as 1%");
        }
        return share;
    }
}
