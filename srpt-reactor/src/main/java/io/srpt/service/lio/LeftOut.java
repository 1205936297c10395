package io.srpt.service.lio;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import tools.jackson.databind.JsonNode;

/** Collects what has no counterpart, so that nothing is dropped silently. */
final class LeftOut {
    private final List<String> lines = new ArrayList<>();

    void add(String line) {
        if (!lines.contains(line)) {
            lines.add(line);
        }
    }

    /** Notes every field of {@code object} that {@code known} does not take. */
    void fields(String where, JsonNode object, BiPredicate<String, String> known) {
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            String value = field.getValue().asString(field.getValue().toString());
            if (!known.test(field.getKey(), value)) {
                add(where + " " + field.getKey() + " = " + value);
            }
        }
    }

    List<String> lines() {
        return List.copyOf(lines);
    }
}
