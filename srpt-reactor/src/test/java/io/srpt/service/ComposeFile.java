package io.srpt.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** {@code docker/compose.yaml}, as {@code docker compose} would read it. */
final class ComposeFile {
    static final Path FOLDER = Path.of("../docker");

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)(?::([-?])([^}]*))?}");
    /** The example that takes the place of the service {@code srpt}, a comment. */
    private static final Pattern COMMENTED = Pattern.compile("(?m)^ {2}# (srpt:\\n(?: {2}#.*\\n)+)");

    private final Map<?, ?> file;

    private ComposeFile(Map<?, ?> file) {
        this.file = file;
    }

    static ComposeFile read() throws IOException {
        return new ComposeFile(yaml(Files.readString(FOLDER.resolve("compose.yaml"))));
    }

    /** The commented service for RDMA hardware. */
    static Service commented() throws IOException {
        Matcher example = COMMENTED.matcher(Files.readString(FOLDER.resolve("compose.yaml")));
        if (!example.find()) {
            throw new AssertionError("there is no commented service");
        }
        return new Service((Map<?, ?>)
                yaml(example.group(1).replaceAll("(?m)^ {2}# ?", "")).get("srpt"));
    }

    static Map<?, ?> yaml(String text) {
        return (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(text);
    }

    Map<String, Service> services() {
        Map<String, Service> services = new LinkedHashMap<>();
        ((Map<?, ?>) file.get("services"))
                .forEach((name, service) -> services.put(String.valueOf(name), new Service((Map<?, ?>) service)));
        return services;
    }

    Service service(String name) {
        return Objects.requireNonNull(services().get(name), name);
    }

    /** Names of the volumes that Docker keeps. */
    List<String> volumes() {
        return ((Map<?, ?>) file.get("volumes"))
                .keySet().stream().map(String::valueOf).toList();
    }

    /** A file or folder of this repository, or a volume, and where a container sees it. */
    record Mount(String source, String target) {
        boolean ofRepository() {
            return source.startsWith(".");
        }

        Path path() {
            return FOLDER.resolve(source).normalize();
        }
    }

    /** One container. */
    record Service(Map<?, ?> says) {
        /** The command's words, with these variables and with the defaults of others. */
        List<String> command(Map<String, String> variables) {
            return ((List<?>) says.get("command"))
                    .stream()
                            .map(word -> interpolated(String.valueOf(word), variables))
                            .toList();
        }

        List<Mount> mounts() {
            return ((List<?>) says.get("volumes"))
                    .stream()
                            .map(mount -> String.valueOf(mount).split(":", -1))
                            .map(parts -> new Mount(parts[0], parts[1]))
                            .toList();
        }

        /** The file or folder of the repository that the container has at this path. */
        Optional<Path> seenAt(String path) {
            return mounts().stream()
                    .filter(Mount::ofRepository)
                    .filter(mount -> Path.of(path).startsWith(mount.target()))
                    .map(mount -> mount.path().resolve(Path.of(mount.target()).relativize(Path.of(path))))
                    .map(Path::normalize)
                    .filter(Files::exists)
                    .findFirst();
        }

        /** The value of an option {@code name=value} of the command. */
        String option(String name) {
            return command(Map.of()).stream()
                    .filter(word -> word.startsWith(name + "="))
                    .map(word -> word.substring(name.length() + 1))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no " + name + " in " + says));
        }

        String environment(String name) {
            return String.valueOf(((Map<?, ?>) says.get("environment")).get(name));
        }

        Map<?, ?> build() {
            return (Map<?, ?>) says.get("build");
        }

        boolean onTheNetworkOfTheHost() {
            return "host".equals(says.get("network_mode"));
        }
    }

    private static String interpolated(String word, Map<String, String> variables) {
        return VARIABLE.matcher(word).replaceAll(variable -> {
            String value = variables.get(variable.group(1));
            if (value == null && !"-".equals(variable.group(2))) {
                throw new AssertionError(variable.group() + " has no value");
            }
            return Matcher.quoteReplacement(value == null ? variable.group(3) : value);
        });
    }
}
