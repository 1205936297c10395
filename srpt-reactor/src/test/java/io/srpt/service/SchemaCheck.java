package io.srpt.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/** Checks a document against a JSON schema; knows the words that ours uses, and fails at any other. */
final class SchemaCheck {
    private final Map<?, ?> root;

    SchemaCheck(Map<?, ?> root) {
        this.root = root;
    }

    /** What is wrong with {@code value}, nothing if it fits. */
    List<String> problems(Object value) {
        List<String> problems = new ArrayList<>();
        check(root, value, "", problems);
        return problems;
    }

    private void check(Map<?, ?> schema, Object value, String at, List<String> problems) {
        schema.forEach((word, rule) -> {
            if (!fits(String.valueOf(word), rule, schema, value, at, problems)) {
                problems.add(at + ": " + value + " does not fit " + word + " " + rule);
            }
        });
    }

    private boolean fits(String word, Object rule, Map<?, ?> schema, Object value, String at, List<String> problems) {
        return switch (word) {
            case "$schema", "$id", "title", "description", "$defs" -> true;
            case "$ref" -> {
                check(referred(String.valueOf(rule)), value, at, problems);
                yield true;
            }
            case "type" ->
                (rule instanceof List<?> all ? all : List.of(rule))
                        .stream().anyMatch(type -> isA(String.valueOf(type), value));
            case "const" -> rule.equals(value);
            case "enum" -> ((List<?>) rule).stream().anyMatch(each -> Objects.equals(text(each), text(value)));
            case "pattern" ->
                !(value instanceof String text)
                        || Pattern.compile(String.valueOf(rule)).matcher(text).find();
            case "minLength" -> !(value instanceof String text) || text.length() >= number(rule);
            case "maxLength" -> !(value instanceof String text) || text.length() <= number(rule);
            case "minimum" -> !(value instanceof Number) || number(value) >= number(rule);
            case "maximum" -> !(value instanceof Number) || number(value) <= number(rule);
            case "anyOf" -> ((List<?>) rule).stream().anyMatch(each -> fits((Map<?, ?>) each, value));
            case "items" -> {
                if (value instanceof List<?> list) {
                    list.forEach(each -> check((Map<?, ?>) rule, each, at + "[]", problems));
                }
                yield true;
            }
            case "required" -> !(value instanceof Map<?, ?> map) || map.keySet().containsAll((List<?>) rule);
            case "properties" -> {
                if (value instanceof Map<?, ?> map) {
                    ((Map<?, ?>) rule).forEach((name, of) -> {
                        if (map.containsKey(name)) {
                            check((Map<?, ?>) of, map.get(name), at + "." + name, problems);
                        }
                    });
                }
                yield true;
            }
            case "additionalProperties" ->
                !(value instanceof Map<?, ?> map)
                        || ((Map<?, ?>) schema.get("properties")).keySet().containsAll(map.keySet());
            default -> throw new AssertionError("an unknown word in the schema: " + word);
        };
    }

    private boolean fits(Map<?, ?> schema, Object value) {
        List<String> problems = new ArrayList<>();
        check(schema, value, "", problems);
        return problems.isEmpty();
    }

    private Map<?, ?> referred(String reference) {
        Object found = root;
        for (String part : reference.substring(2).split("/")) {
            found = ((Map<?, ?>) found).get(part);
        }
        return (Map<?, ?>) Objects.requireNonNull(found, reference);
    }

    private static boolean isA(String type, Object value) {
        return switch (type) {
            case "object" -> value instanceof Map;
            case "array" -> value instanceof List;
            case "string" -> value instanceof String;
            case "integer" ->
                value instanceof Integer || value instanceof Long || value instanceof java.math.BigInteger;
            case "boolean" -> value instanceof Boolean;
            case "null" -> value == null;
            default -> throw new AssertionError(type);
        };
    }

    private static String text(Object value) {
        return String.valueOf(value);
    }

    private static double number(Object value) {
        return ((Number) value).doubleValue();
    }
}
