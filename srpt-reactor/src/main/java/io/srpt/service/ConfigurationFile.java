package io.srpt.service;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * The YAML file of {@code serve --config}. Its keys are the names of the options, and {@code acls}:
 *
 * <pre>
 *   lun:
 *     - memory:64MiB
 *     - {lun: 5, store: file:/srv/disk5.img, serial: S5, block-size: 4096, read-only: true}
 *   listen: 192.0.2.1
 *   acls:                # or: any; without it nobody may log in
 *     - 192.0.2.0/24
 *     - {initiator: 0x505400fffe5a0115, name: host-a, luns: [0, {lun: 5, as: 1, read-only: true}]}
 * </pre>
 */
final class ConfigurationFile {
    private final Path file;

    ConfigurationFile(Path file) {
        this.file = file;
    }

    /** Reads it; what is wrong is named by file, line, column and key. */
    ServeSettings read() throws ConfigurationException {
        return parsed(text());
    }

    /** Its text. */
    String text() throws ConfigurationException {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new ConfigurationException("there is no file " + file, e);
        } catch (MalformedInputException e) {
            throw new ConfigurationException(file + ": it is not in UTF-8", e);
        } catch (IOException e) {
            throw new ConfigurationException("cannot read " + file + ": " + e, e);
        }
    }

    /** What {@code text} would say as this file. */
    ServeSettings parsed(String text) throws ConfigurationException {
        Node root = node(text);
        if (root == null || root.getTag().equals(Tag.NULL)) {
            return ServeSettings.NOTHING;
        }
        if (!(root instanceof MappingNode mapping)) {
            throw wrong(root, "the file must consist of lines 'key: value'");
        }
        Map<SettingKey, List<Setting>> values = new EnumMap<>(SettingKey.class);
        for (NodeTuple entry : mapping.getValue()) {
            SettingKey key = key(entry.getKeyNode());
            if (values.put(key, values(key, entry.getValueNode())) != null) {
                throw wrong(entry.getKeyNode(), key.key() + ": the key is there twice");
            }
        }
        return new ServeSettings(values);
    }

    private @Nullable Node node(String text) throws ConfigurationException {
        try {
            LoadSettings settings =
                    LoadSettings.builder().setLabel(file.toString()).build();
            return new Compose(settings).composeString(text).orElse(null);
        } catch (MarkedYamlEngineException e) {
            String where = place(e.getProblemMark().or(e::getContextMark));
            throw new ConfigurationException(where + ": " + e.getProblem(), e);
        } catch (YamlEngineException e) {
            throw new ConfigurationException(file + ": " + firstLine(String.valueOf(e.getMessage())), e);
        }
    }

    private SettingKey key(Node node) throws ConfigurationException {
        if (!(node instanceof ScalarNode scalar)) {
            throw wrong(node, "a key is wanted");
        }
        SettingKey key = SettingKey.of(scalar.getValue());
        if (key != null) {
            return key;
        }
        throw wrong(
                node,
                "unknown key '" + scalar.getValue() + "'; " + Spelling.hint(scalar.getValue(), SettingKey.keys()));
    }

    private List<Setting> values(SettingKey key, Node node) throws ConfigurationException {
        if (node.getTag().equals(Tag.NULL)) {
            return List.of();
        }
        if (!key.isList() || !(node instanceof SequenceNode sequence)) {
            return List.of(value(key, key.key(), node));
        }
        List<Setting> settings = new ArrayList<>();
        for (Node element : sequence.getValue()) {
            settings.add(value(key, key.key() + "[" + settings.size() + "]", element));
        }
        return settings;
    }

    private Setting value(SettingKey key, String path, Node node) throws ConfigurationException {
        return key.hasFields() && node instanceof MappingNode mapping ? fields(path, mapping) : scalar(path, node);
    }

    /** A value such as {@code {lun: 5, store: memory:64MiB}}; a field has one value or a list, again with fields or without. */
    private Setting fields(String path, MappingNode mapping) throws ConfigurationException {
        Map<String, List<Setting>> fields = new LinkedHashMap<>();
        for (NodeTuple entry : mapping.getValue()) {
            if (!(entry.getKeyNode() instanceof ScalarNode name)) {
                throw wrong(entry.getKeyNode(), path + ": a key is wanted");
            }
            String at = path + "." + name.getValue();
            List<Setting> values = new ArrayList<>();
            if (entry.getValueNode() instanceof SequenceNode sequence) {
                for (Node element : sequence.getValue()) {
                    String place = at + "[" + values.size() + "]";
                    values.add(element instanceof MappingNode nested ? fields(place, nested) : scalar(place, element));
                }
            } else {
                values.add(scalar(at, entry.getValueNode()));
            }
            if (fields.put(name.getValue(), values) != null) {
                throw wrong(entry.getKeyNode(), at + ": the key is there twice");
            }
        }
        return new Setting("", place(mapping.getStartMark()), path, fields);
    }

    private Setting scalar(String path, Node node) throws ConfigurationException {
        if (node instanceof ScalarNode scalar && !node.getTag().equals(Tag.NULL)) {
            return new Setting(scalar.getValue(), place(node.getStartMark()), path);
        }
        throw wrong(node, path + ": a single value is wanted");
    }

    private ConfigurationException wrong(Node at, String message) {
        return new ConfigurationException(place(at.getStartMark()) + ": " + message);
    }

    /** {@code FILE:LINE:COLUMN}, counted from 1. */
    private String place(Optional<Mark> mark) {
        return mark.map(at -> file + ":" + (at.getLine() + 1) + ":" + (at.getColumn() + 1))
                .orElse(file.toString());
    }

    private static String firstLine(String message) {
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end);
    }
}
