package io.srpt.guest;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a script or a target's statistics file says: one {@code name value} a line; other lines are only text.
 *
 * @param text all of it, for messages
 * @param values by name; the last one counts
 */
record Report(String text, Map<String, String> values) {
    static Report parse(String text) {
        Map<String, String> values = new HashMap<>();
        for (String line : text.lines().toList()) {
            int space = line.indexOf(' ');
            if (space > 0 && line.indexOf(' ', space + 1) < 0) {
                values.put(line.substring(0, space), line.substring(space + 1));
            }
        }
        return new Report(text, Map.copyOf(values));
    }

    String value(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new AssertionError("no " + name + " in:\n" + text);
        }
        return value;
    }

    /** The number of that name; an error where there is none. */
    long number(String name) {
        return Long.parseLong(value(name));
    }

    /** The number of that name, 0 where there is none. */
    long count(String name) {
        return values.containsKey(name) ? number(name) : 0;
    }

    List<String> lines() {
        return text.lines().toList();
    }
}
