package io.srpt.service.manual;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The man page of configuration files, {@code srpt.yaml(5)}, from their JSON schema: every key with what it takes and what it means,
 * and the keys of its fields, where it has such, below it.
 */
public final class ConfigurationPage {
    /** Where file formats are. */
    public static final int SECTION = 5;

    private static final String NAME = "srpt.yaml";
    private static final String REFERENCE = "#/$defs/";

    private final Map<?, ?> schema;
    private final Roff page = new Roff();

    private ConfigurationPage(Map<?, ?> schema) {
        this.schema = schema;
    }

    /** The name of the file. */
    public static String fileName() {
        return NAME + "." + SECTION;
    }

    /**
     * The page.
     *
     * @param schema as JSON says it: objects are maps, arrays are lists
     * @param example a file, in lines
     */
    public static String of(Map<?, ?> schema, String example, String version) {
        return new ConfigurationPage(schema).write(example, version);
    }

    private String write(String example, String version) {
        page.request(
                        "TH",
                        NAME.toUpperCase(Locale.ROOT),
                        Integer.toString(SECTION),
                        "",
                        "srpt " + version,
                        "SRP target")
                .request("SH", "NAME")
                .text(NAME + " - configuration of srpt serve")
                .request("SH", "DESCRIPTION")
                .text("The YAML file of srpt serve --config; the Debian package has it in /etc/srpt/srpt.yaml.")
                .text("Options of the command line win over it, and so do variables such as SRPT_LISTEN.")
                .text(
                        "A key that is not known is an error; srpt check-config says what a file means, or where it is wrong.")
                .text("SIGHUP and srpt config reload have a running service follow a changed file.")
                .request("SH", "KEYS");
        fields(schema);
        page.request("SH", "EXAMPLE").request("nf");
        example.lines().forEach(line -> page.line(line.isBlank() ? "" : "\\&" + Roff.escape(line)));
        page.request("fi")
                .request("SH", "SEE ALSO")
                .line(Roff.bold("srpt-serve") + "(8), " + Roff.bold("srpt-check-config") + "(8), "
                        + Roff.bold("srpt-config") + "(8)");
        return page.toString();
    }

    private void fields(Map<?, ?> object) {
        List<?> required = object.get("required") instanceof List<?> list ? list : List.of();
        map(object.get("properties")).forEach((key, value) -> {
            Map<?, ?> property = map(value);
            String needed = required.contains(key) ? ", needed" : "";
            page.request("TP").line(Roff.bold(key + ":") + " " + Roff.escape(form(property) + needed));
            page.text(description(property));
            Map<?, ?> below = object(property);
            if (!below.isEmpty()) {
                page.request("RS");
                fields(below);
                page.request("RE");
            }
        });
    }

    private String description(Map<?, ?> property) {
        Object own = property.get("description");
        Object general = resolve(property).get("description");
        if (own == null) {
            return String.valueOf(general == null ? "" : general);
        }
        boolean both = general != null && !general.equals(own);
        return both ? own + " " + general : String.valueOf(own);
    }

    /** What a value looks like, in a few words. */
    private String form(Map<?, ?> property) {
        Map<?, ?> type = resolve(property);
        if (type.get("const") != null) {
            return String.valueOf(type.get("const"));
        }
        if (type.get("enum") instanceof List<?> values) {
            return values.stream().map(String::valueOf).collect(Collectors.joining(" | "));
        }
        if (type.get("anyOf") instanceof List<?> choices) {
            return choices(choices);
        }
        if (type.get("type") instanceof List<?>) {
            return "text";
        }
        return switch (String.valueOf(type.get("type"))) {
            case "integer" -> type.get("minimum") + " to " + type.get("maximum");
            case "boolean" -> "true | false";
            case "array" -> "list of " + form(map(type.get("items")));
            case "object" -> "fields";
            default -> "text";
        };
    }

    private String choices(List<?> choices) {
        List<String> forms = new ArrayList<>();
        boolean many = false;
        for (Object choice : choices) {
            Map<?, ?> type = resolve(map(choice));
            if ("array".equals(type.get("type"))) {
                many = true;
            } else if (!"null".equals(type.get("type"))) {
                String form = form(type);
                if (!forms.contains(form)) {
                    forms.add(form);
                }
            }
        }
        return String.join(" or ", forms) + (many ? ", or a list of such" : "");
    }

    /** The object that a value, or an element of it, may be; empty if none. */
    private Map<?, ?> object(Map<?, ?> property) {
        Map<?, ?> type = resolve(property);
        if (type.get("properties") != null) {
            return type;
        }
        if (type.get("items") != null) {
            return object(map(type.get("items")));
        }
        if (type.get("anyOf") instanceof List<?> choices) {
            for (Object choice : choices) {
                Map<?, ?> found = object(map(choice));
                if (!found.isEmpty()) {
                    return found;
                }
            }
        }
        return Map.of();
    }

    private Map<?, ?> resolve(Map<?, ?> property) {
        return property.get("$ref") instanceof String reference
                ? map(map(schema.get("$defs")).get(reference.substring(REFERENCE.length())))
                : property;
    }

    private static Map<?, ?> map(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }
}
