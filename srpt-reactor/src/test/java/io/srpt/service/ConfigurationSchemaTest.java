package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.json.JsonMapper;

/** The JSON schema says what the parser of configuration files does. */
class ConfigurationSchemaTest {
    private static final Path README = Path.of("../README.md");

    private Map<?, ?> schema;

    @TempDir
    private Path directory;

    @BeforeEach
    void read() throws Exception {
        try (InputStream in = SrptCommand.class.getResourceAsStream("remote/configuration.schema.json")) {
            schema = JsonMapper.shared().readValue(in.readAllBytes(), Map.class);
        }
    }

    @Test
    void knowsTheKeysThatTheParserKnows() {
        assertThat(properties(schema)).hasSameElementsAs(SettingKey.keys());
        assertThat(properties(at("$defs", "lun", "anyOf", 1))).hasSameElementsAs(LunSettings.FIELDS);
        assertThat(properties(at("$defs", "acl", "anyOf", 1))).hasSameElementsAs(AccessSettings.FIELDS);
        assertThat(properties(at("$defs", "mappedLun", "anyOf", 1))).hasSameElementsAs(AccessSettings.LUN_FIELDS);
        assertThat(properties(at("properties", "srp", "anyOf", 1))).hasSameElementsAs(SrpSettings.FIELDS);
        Map<?, ?> port = at("properties", "ports", "anyOf", 0);
        assertThat(properties(port)).hasSameElementsAs(SrpSettings.PORT_FIELDS);
        assertThat(properties(at(port, "properties", "groups", "anyOf", 0)))
                .hasSameElementsAs(SrpSettings.GROUP_FIELDS);
        Map<?, ?> alua = at("properties", "alua");
        assertThat(properties(alua)).hasSameElementsAs(AluaSettings.FIELDS);
        assertThat(properties(at(alua, "properties", "groups", "items"))).hasSameElementsAs(AluaSettings.GROUP_FIELDS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lun: memory:1MiB\n",
                "lun: memory:1MiB\nacls: any\nlisten:\nhttp: none\n",
                "lun: [memory:1MiB, {lun: 5, store: 'file:/srv/a:1GiB,direct', serial: 5, thin: false}]\nacls: []\n",
                "lun: memory:1MiB\nacls: [192.0.2.0/24, {initiator: 505400fffe5a0115, name: a, luns: [{lun: 0, as: 3}]}]\n",
                "lun: null:1MiB\nacls:\nsrp: {use-srq: true, srq-size: 4}\nmtu: 1024\npoll-spin: 50us\n",
                "lun: null:1MiB\nlisten: 127.0.0.1\nports: [{address: 127.0.0.1, groups: [{name: a, acls: any}]}]\n",
                "lun: null:1MiB\nlisten: 127.0.0.1\nalua: {groups: [{ports: [127.0.0.1], state: standby, luns: [0]}]}\n",
                "lun: null:1MiB\nhttp-token: correct-horse-battery\nprovider: roce\nlog-format: json\n"
            })
    void acceptsWhatTheParserAccepts(String text) throws Exception {
        parse(text);
        assertThat(problems(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lun: memory:1MiB\nlissen: 127.0.0.1\n",
                "lun: [{lun: 5}]\n",
                "lun: [{lun: 70000, store: memory:1MiB}]\n",
                "lun: tape:1MiB\n",
                "lun: [{store: memory:1MiB, block-size: 100}]\n",
                "lun: memory:1MiB\nmtu: 1000\n",
                "lun: memory:1MiB\npoll-spin: 50\n",
                "lun: memory:1MiB\nhttp-token: short\n",
                "lun: memory:1MiB\nsrp: {sq-size: 1}\n",
                "lun: memory:1MiB\nports: [{enabled: false}]\n",
                "lun: memory:1MiB\nacls: [{name: a}]\n",
                "lun: memory:1MiB\nlog-format: xml\n"
            })
    void refusesWhatTheParserRefuses(String text) {
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> parse(text)))
                .isInstanceOf(ConfigurationException.class);
        assertThat(problems(text)).isNotEmpty();
    }

    @Test
    void acceptsTheExamplesOfTheReadme() throws Exception {
        String readme = Files.readString(README);
        int begin = readme.indexOf("```yaml\nlisten:") + "```yaml\n".length();
        String example = readme.substring(begin, readme.indexOf("```", begin));
        assertThat(problems(example)).isEmpty();
        parse(example);
    }

    @Test
    void acceptsTheExampleOfTheManPage() throws Exception {
        try (InputStream in = SrptCommand.class.getResourceAsStream(ManualCommand.EXAMPLE)) {
            String example = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(problems(example)).isEmpty();
            String token = Files.writeString(directory.resolve("token"), "a-token-of-this-test")
                    .toString();
            Files.setPosixFilePermissions(Path.of(token), PosixFilePermissions.fromString("rw-------"));
            parse(example.replace("/etc/srpt/token", token));
        }
    }

    private void parse(String text) throws Exception {
        Path file = Files.writeString(directory.resolve("a.yaml"), text);
        ServeConfigurations.of(ServeSettings.NOTHING, new ConfigurationFile(file).read(), directory);
    }

    private List<String> problems(String text) {
        Object document = new Load(LoadSettings.builder().build()).loadFromString(text);
        return new SchemaCheck(schema).problems(document);
    }

    private static List<String> properties(Map<?, ?> object) {
        return ((Map<?, ?>) object.get("properties"))
                .keySet().stream().map(String::valueOf).toList();
    }

    private Map<?, ?> at(Object... path) {
        return at(schema, path);
    }

    private static Map<?, ?> at(Map<?, ?> from, Object... path) {
        Object found = from;
        for (Object step : path) {
            found = step instanceof Integer index ? ((List<?>) found).get(index) : ((Map<?, ?>) found).get(step);
        }
        return (Map<?, ?>) found;
    }
}
