package io.srpt.service;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/** Something that can say what it counted. Any thread. */
@FunctionalInterface
interface Statistics {
    /** Tells {@code each} of every counter: a name without spaces, and its value. */
    void forEach(BiConsumer<String, Long> each);

    /** One line {@code name value} for each, in order; values of one name are summed. */
    default String text() {
        Map<String, Long> sums = new LinkedHashMap<>();
        forEach((name, value) -> sums.merge(name, value, Long::sum));
        StringBuilder text = new StringBuilder();
        sums.forEach(
                (name, value) -> text.append(name).append(' ').append(value).append('\n'));
        return text.toString();
    }
}
