package io.srpt.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.service.TestAddresses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Builds and tests somebody else's project with the artefacts of this build, as Maven installs them, and the coordinates of the
 * README. The local repository of this build is its only remote one, so that it needs no network.
 */
class ExternalProjectIT {
    private static final Path MODULE =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    private static final Path ROOT = MODULE.getParent();
    private static final Path PROJECT = MODULE.resolve("src/test/projects/embedded-target");
    private static final String VERSION = property("srpt.version");
    private static final String PLACE = "<!-- The README's dependency comes here. -->";
    private static final long LIMIT_SECONDS = 180;

    @TempDir
    private Path directory;

    @Test
    void aProjectEmbedsTheTargetWithTheCoordinatesOfTheReadme() throws Exception {
        Path repository = directory.resolve("repository");
        install(repository, "srpt-parent", ROOT.resolve("pom.xml"), null);
        for (String module : List.of("srpt-core", "srpt-metrics", "srpt-reactor")) {
            install(repository, module, ROOT.resolve(module).resolve("pom.xml"), jar(module));
        }
        Path project = directory.resolve("project");
        copy(PROJECT, project);
        String pom = Files.readString(project.resolve("pom.xml"));
        assertThat(pom).contains(PLACE);
        Files.writeString(project.resolve("pom.xml"), pom.replace(PLACE, readmeDependency()));

        Path log = directory.resolve("log");
        Process maven = maven(project, repository, log);
        boolean ended = maven.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
        maven.destroyForcibly();

        assertThat(ended).as(Files.readString(log)).isTrue();
        assertThat(maven.exitValue()).as(Files.readString(log)).isZero();
        assertThat(project.resolve("target/surefire-reports/com.example.storage.StorageTest.txt"))
                .content()
                .contains("Tests run: 1, Failures: 0, Errors: 0, Skipped: 0");
        assertThat(project.resolve("target/surefire-reports/com.example.storage.ArrayStoreTest.txt"))
                .content()
                .contains("Failures: 0, Errors: 0, Skipped: 0");
    }

    /** As {@code mvn install} lays it out. */
    private static void install(Path repository, String artifact, Path pom, @Nullable Path jar) throws IOException {
        Path place = Files.createDirectories(
                repository.resolve("io/srpt").resolve(artifact).resolve(VERSION));
        String name = artifact + "-" + VERSION;
        Files.copy(pom, place.resolve(name + ".pom"));
        if (jar != null) {
            Files.copy(jar, place.resolve(name + ".jar"));
        }
    }

    /** The jar of this build: in the same place of each module. */
    private static Path jar(String module) {
        Path build = MODULE.relativize(Path.of(property("srpt.build.directory")));
        return ROOT.resolve(module).resolve(build).resolve(module + "-" + VERSION + ".jar");
    }

    private static String readmeDependency() throws IOException {
        String readme = Files.readString(ROOT.resolve("README.md"));
        int from = readme.indexOf("<dependency>");
        int to = readme.indexOf("</dependency>", from) + "</dependency>".length();
        assertThat(from).as("the README tells the coordinates").isPositive();
        return readme.substring(from, to);
    }

    private Process maven(Path project, Path repository, Path log) throws IOException {
        Path settings = Files.writeString(directory.resolve("settings.xml"), """
                <settings>
                  <localRepository>%s</localRepository>
                  <mirrors>
                    <mirror><id>build</id><mirrorOf>*</mirrorOf><url>%s</url></mirror>
                  </mirrors>
                </settings>
                """.formatted(
                        repository, Path.of(property("srpt.maven.repository")).toUri()));
        List<String> command = new ArrayList<>(
                List.of(property("srpt.maven.home") + "/bin/mvn", "-B", "-ntp", "-s", settings.toString(), "test"));
        command.addAll(List.of(property("srpt.external.versions").split(" ")));
        command.add("-Dtarget=" + TestAddresses.ofThisProcess(13));
        command.add("-Dpeer=" + TestAddresses.ofThisProcess(14));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().keySet().removeAll(List.of("MAVEN_OPTS", "MAVEN_ARGS", "JAVA_TOOL_OPTIONS"));
        return builder.start();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private static String property(String name) {
        return Objects.requireNonNull(System.getProperty(name), name);
    }
}
