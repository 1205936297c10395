package io.srpt.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * The YAML file of {@code serve --config}. Its keys are the names of the options, and {@code acls}:
 *
 * <pre>
 *   lun: [memory:64MiB, file:/srv/disk0:10GiB]
 *   listen: 192.0.2.1
 *   acls: any            # or a list of initiator port ids; without it nobody may log in
 * </pre>
 */
final class ConfigurationFile {
    private static final List<String> KEYS = List.of(
            "acls",
            "faults",
            "listen",
            "lun",
            "mtu",
            "pcap",
            "rdma-cm-port",
            "service-guid",
            "state-dir",
            "stats-file");

    private final Path file;

    ConfigurationFile(Path file) {
        this.file = file;
    }

    ServeSettings read() throws ConfigurationException {
        JsonNode root = parse();
        if (root.isMissingNode() || root.isNull()) {
            return ServeSettings.NOTHING;
        }
        if (!root.isObject()) {
            throw wrong("the file must consist of lines 'key: value'");
        }
        for (Map.Entry<String, JsonNode> property : root.properties()) {
            checkKey(property.getKey());
        }
        return new ServeSettings(
                list(root, "lun"),
                list(root, "listen"),
                text(root, "rdma-cm-port"),
                text(root, "service-guid"),
                text(root, "state-dir"),
                text(root, "pcap"),
                text(root, "faults"),
                text(root, "stats-file"),
                text(root, "mtu"),
                root.has("acls") ? list(root, "acls") : null);
    }

    private JsonNode parse() throws ConfigurationException {
        try {
            YAMLMapper mapper = YAMLMapper.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build();
            return mapper.readTree(Files.readString(file));
        } catch (NoSuchFileException e) {
            throw new ConfigurationException("there is no file " + file, e);
        } catch (IOException e) {
            throw new ConfigurationException("cannot read " + file + ": " + e, e);
        } catch (JacksonException e) {
            TokenStreamLocation location = e.getLocation();
            String where = location == null ? "" : "line " + location.getLineNr() + ": ";
            throw new ConfigurationException(file + ": " + where + firstLine(e.getOriginalMessage()), e);
        }
    }

    private void checkKey(String key) throws ConfigurationException {
        if (KEYS.contains(key)) {
            return;
        }
        String near = nearest(key);
        String hint = near == null ? "known keys are " + String.join(", ", KEYS) : "did you mean '" + near + "'?";
        throw wrong("unknown key '" + key + "'; " + hint);
    }

    private @Nullable String text(JsonNode root, String key) throws ConfigurationException {
        JsonNode value = root.get(key);
        if (value == null || value.isNull()) {
            return null;
        }
        return scalar(key, value);
    }

    private List<String> list(JsonNode root, String key) throws ConfigurationException {
        JsonNode value = root.get(key);
        if (value == null || value.isNull()) {
            return List.of();
        }
        if (!value.isArray()) {
            return List.of(scalar(key, value));
        }
        List<String> texts = new ArrayList<>();
        for (JsonNode element : value) {
            texts.add(scalar(key, element));
        }
        return texts;
    }

    private String scalar(String key, JsonNode value) throws ConfigurationException {
        if (!value.isValueNode() || value.isNull()) {
            throw wrong(key + ": a single value is wanted");
        }
        return value.asString();
    }

    private ConfigurationException wrong(String message) {
        return new ConfigurationException(file + ": " + message);
    }

    private static String firstLine(String message) {
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end);
    }

    /** The known key that differs least, if it is close enough to be a slip. */
    private static @Nullable String nearest(String key) {
        String best = null;
        int bestDistance = 3;
        for (String known : KEYS) {
            int distance = distance(key.replace('_', '-'), known);
            if (distance < bestDistance) {
                bestDistance = distance;
                best = known;
            }
        }
        return best;
    }

    /** Levenshtein's distance. */
    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int column = 0; column <= to.length(); column++) {
            row[column] = column;
        }
        for (int line = 1; line <= from.length(); line++) {
            int diagonal = row[0];
            row[0] = line;
            for (int column = 1; column <= to.length(); column++) {
                int change = diagonal + (from.charAt(line - 1) == to.charAt(column - 1) ? 0 : 1);
                diagonal = row[column];
                row[column] = Math.min(change, 1 + Math.min(row[column], row[column - 1]));
            }
        }
        return row[to.length()];
    }
}
