package io.srpt.service;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One value of a setting, not yet checked, and where it was said.
 *
 * @param text the value; empty where there are fields
 * @param where {@code FILE:LINE:COLUMN}, or the environment variable; empty for an option
 * @param path the key, with the place in the list where it is one of several: {@code lun[1]}
 * @param fields of a value that consists of several, their values by name; null for a plain text
 */
record Setting(
        String text, String where, String path, @Nullable Map<String, List<Setting>> fields) {
    Setting(String text, String where, String path) {
        this(text, where, path, null);
    }

    /** From the command line. */
    static Setting ofOption(SettingKey key, String text) {
        return new Setting(text, "", key.key());
    }

    /** From the environment. */
    static Setting ofEnvironment(SettingKey key, String text) {
        return new Setting(text, key.environmentVariable(), key.key());
    }

    /** A field for it, said at the same place. */
    Setting part(String name, String value) {
        return new Setting(value, where, path + "." + name);
    }

    /** What a request says: fields whose values are texts, numbers, flags, or lists of such. */
    static Setting ofRequest(String path, Map<String, Object> object) throws ConfigurationException {
        Map<String, List<Setting>> fields = new LinkedHashMap<>();
        for (Map.Entry<String, Object> entry : object.entrySet()) {
            String at = path + "." + entry.getKey();
            List<Setting> values = new ArrayList<>();
            for (Object value : entry.getValue() instanceof List<?> list ? list : Arrays.asList(entry.getValue())) {
                if (!(value instanceof String || value instanceof Number || value instanceof Boolean)) {
                    throw new ConfigurationException(at + ": a text, a number, true or false is wanted");
                }
                values.add(new Setting(value.toString(), "", at));
            }
            fields.put(entry.getKey(), values);
        }
        return new Setting("", "", path, fields);
    }

    /** Its fields, of which all must be among {@code known}. */
    Map<String, List<Setting>> fields(List<String> known) throws ConfigurationException {
        Map<String, List<Setting>> all = fields == null ? Map.of() : fields;
        TreeSet<String> unknown = new TreeSet<>(all.keySet());
        known.forEach(unknown::remove);
        if (!unknown.isEmpty()) {
            List<Setting> values = all.getOrDefault(unknown.first(), List.of());
            Setting place = values.isEmpty() ? this : values.getFirst();
            throw place.wrong("unknown key '" + unknown.first() + "'; " + Spelling.hint(unknown.first(), known));
        }
        return all;
    }

    /** The one value of a field, null without it. */
    @Nullable
    Setting field(String name) throws ConfigurationException {
        List<Setting> values = fields == null ? List.of() : fields.getOrDefault(name, List.of());
        if (values.size() > 1) {
            throw values.get(1).wrong("a single value is wanted");
        }
        return values.isEmpty() ? null : values.getFirst();
    }

    /** That it is wrong, and why. */
    ConfigurationException wrong(String problem) {
        return new ConfigurationException(place() + path + ": " + problem);
    }

    /** That it is wrong, and why; {@code message} may begin with the key already. */
    ConfigurationException wrong(SettingKey key, Exception cause) {
        String message = String.valueOf(cause.getMessage());
        String prefix = key.key() + ": ";
        String problem = message.startsWith(prefix) ? message.substring(prefix.length()) : message;
        return new ConfigurationException(place() + path + ": " + problem, cause);
    }

    private String place() {
        return where.isEmpty() ? "" : where + ": ";
    }
}
