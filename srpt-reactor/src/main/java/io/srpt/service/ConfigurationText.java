package io.srpt.service;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/** Writes settings as the YAML that {@link ConfigurationFile} reads. */
final class ConfigurationText {
    private static final Pattern NUMBER = Pattern.compile("0|[1-9]\\d{0,17}");

    private ConfigurationText() {}

    static String of(ServeSettings settings) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        for (SettingKey key : settings.keys()) {
            document.put(key.key(), key.isList() ? list(settings.all(key)) : single(settings.all(key)));
        }
        DumpSettings block =
                DumpSettings.builder().setDefaultFlowStyle(FlowStyle.BLOCK).build();
        return new Dump(block).dumpToString(document);
    }

    /** A single text stands for a list of it; anything else that is a list has to look like one. */
    private static @Nullable Object list(List<Setting> values) {
        boolean text = values.size() == 1 && values.getFirst().fields() == null;
        return text
                ? single(values)
                : values.stream().map(ConfigurationText::value).toList();
    }

    /** A key may have no value at all. */
    private static @Nullable Object single(List<Setting> values) {
        return values.isEmpty() ? null : value(values.getFirst());
    }

    private static Object value(Setting setting) {
        Map<String, List<Setting>> fields = setting.fields();
        if (fields == null) {
            return scalar(setting.text());
        }
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        fields.forEach((name, values) -> object.put(name, list(values)));
        return object;
    }

    /** So that it is written without quotes; all scalars are read as texts. */
    private static Object scalar(String text) {
        if (NUMBER.matcher(text).matches()) {
            return Long.valueOf(text);
        }
        return text.equals("true") || text.equals("false") ? Boolean.valueOf(text) : text;
    }
}
