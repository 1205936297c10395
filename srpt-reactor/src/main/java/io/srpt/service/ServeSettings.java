package io.srpt.service;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one source (the options, the environment, or the configuration file) says, as text and not yet checked. Immutable.
 * A key with an empty list is one that was given without a value, which is not the same as one that was not given.
 */
final class ServeSettings {
    /** A source that says nothing. */
    static final ServeSettings NOTHING = new ServeSettings(Map.of());

    private static final Logger LOG = LoggerFactory.getLogger(ServeSettings.class);
    private static final String ENVIRONMENT_PREFIX = "SRPT_";
    /** For those commands that ask a running service. */
    private static final String URL_OF_COMMANDS = "SRPT_URL";

    private final Map<SettingKey, List<Setting>> values = new EnumMap<>(SettingKey.class);

    ServeSettings(Map<SettingKey, List<Setting>> values) {
        values.forEach((key, list) -> this.values.put(key, List.copyOf(list)));
    }

    /** What the environment says: {@code SRPT_} and the key; white space separates the values of a list. */
    static ServeSettings ofEnvironment(Map<String, String> environment) {
        Map<SettingKey, List<Setting>> found = new EnumMap<>(SettingKey.class);
        TreeSet<String> unknown = new TreeSet<>(environment.keySet());
        unknown.removeIf(name -> !name.startsWith(ENVIRONMENT_PREFIX) || name.equals(URL_OF_COMMANDS));
        for (SettingKey key : SettingKey.values()) {
            String text = environment.get(key.environmentVariable());
            unknown.remove(key.environmentVariable());
            if (text != null && !text.isBlank()) {
                Stream<String> texts = key.isList() ? Stream.of(text.strip().split("\\s+")) : Stream.of(text.strip());
                found.put(
                        key, texts.map(each -> Setting.ofEnvironment(key, each)).toList());
            }
        }
        if (!unknown.isEmpty()) {
            LOG.warn("Environment variables that are no settings: {}", String.join(", ", unknown));
        }
        return new ServeSettings(found);
    }

    /** These settings, and for the keys that they do not have those of {@code fallback}. */
    ServeSettings orElse(ServeSettings fallback) {
        Map<SettingKey, List<Setting>> all = new EnumMap<>(SettingKey.class);
        all.putAll(fallback.values);
        all.putAll(values);
        return new ServeSettings(all);
    }

    /** The same with other values for a key. */
    ServeSettings with(SettingKey key, List<Setting> list) {
        Map<SettingKey, List<Setting>> all = new EnumMap<>(SettingKey.class);
        all.putAll(values);
        all.put(key, list);
        return new ServeSettings(all);
    }

    /** The keys that it says something about. */
    Set<SettingKey> keys() {
        return Collections.unmodifiableSet(values.keySet());
    }

    boolean has(SettingKey key) {
        return values.containsKey(key);
    }

    /** All values of a key. */
    List<Setting> all(SettingKey key) {
        return values.getOrDefault(key, List.of());
    }

    /** The value of a key that has at most one, null without. */
    @Nullable
    Setting one(SettingKey key) {
        List<Setting> list = all(key);
        return list.isEmpty() ? null : list.getFirst();
    }

    /** Collects what the command line says. */
    static final class Options {
        private final Map<SettingKey, List<Setting>> values = new EnumMap<>(SettingKey.class);

        /** Adds an option; null, or no values, if it was not given. */
        Options add(SettingKey key, @Nullable String text) {
            return text == null ? this : add(key, List.of(text));
        }

        /** Adds an option that may repeat. */
        Options add(SettingKey key, List<String> texts) {
            if (!texts.isEmpty()) {
                values.put(
                        key,
                        texts.stream().map(text -> Setting.ofOption(key, text)).toList());
            }
            return this;
        }

        ServeSettings build() {
            return new ServeSettings(values);
        }
    }
}
