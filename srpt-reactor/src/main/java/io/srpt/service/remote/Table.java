package io.srpt.service.remote;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Prints the objects of a list in columns. */
final class Table {
    private static final String GAP = "  ";

    private final String list;
    private final Map<String, Function<Map<?, ?>, @Nullable Object>> columns = new LinkedHashMap<>();

    /** Of the list with this name in an answer. */
    Table(String list) {
        this.list = list;
    }

    /** A column with a field of the objects. */
    Table column(String title, String field) {
        return column(title, object -> object.get(field));
    }

    /** A column with what {@code value} makes of an object. */
    Table column(String title, Function<Map<?, ?>, @Nullable Object> value) {
        columns.put(title, value);
        return this;
    }

    void print(PrintWriter out, Map<String, Object> answer) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.copyOf(columns.keySet()));
        if (answer.get(list) instanceof List<?> objects) {
            for (Object object : objects) {
                if (object instanceof Map<?, ?> fields) {
                    rows.add(columns.values().stream()
                            .map(column -> text(column.apply(fields)))
                            .toList());
                }
            }
        }
        int[] widths = new int[columns.size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        rows.forEach(row -> out.println(line(row, widths)));
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            line.append(row.get(i)).repeat(' ', widths[i] - row.get(i).length()).append(GAP);
        }
        return line.toString().stripTrailing();
    }

    private static String text(@Nullable Object value) {
        if (value == null) {
            return "-";
        }
        return value instanceof List<?> list
                ? list.stream().map(String::valueOf).collect(Collectors.joining(","))
                : String.valueOf(value);
    }
}
