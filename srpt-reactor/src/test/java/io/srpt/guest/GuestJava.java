package io.srpt.guest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How a JVM is started in a guest. The guest's root is the host's, so JDK and jar are those of this run, under the same
 * paths. What takes long on an emulated machine is loading classes and compiling: one compiler has to do, and most classes
 * come ready from a cache that the host's JVM makes of the same jar with the same flags.
 */
final class GuestJava {
    static final Path JAR =
            Path.of(System.getProperty("srpt.jar", "target/srpt.jar")).toAbsolutePath();

    private static final String JAVA = System.getProperty("java.home") + "/bin/java";
    /** The JVM refuses a cache that was made with others. */
    private static final List<String> FLAGS =
            List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xmx256m", "-ea");

    private static final Duration LIMIT = Duration.ofSeconds(90);

    private final Path cache;

    private GuestJava(Path cache) {
        this.cache = cache;
    }

    /** With a cache made now: the JVM notes which classes a target and an initiator of ours need on the host. */
    static GuestJava prepare(GuestTool tool) {
        Path cache = tool.directory().resolve("srpt.aot");
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", tool.network()));
        command.addAll(List.of("env", "-u", "JAVA_TOOL_OPTIONS", "STATE_DIRECTORY=" + tool.directory(), JAVA));
        command.addAll(FLAGS);
        command.addAll(List.of("-XX:AOTCacheOutput=" + cache, "-jar", JAR.toString(), "demo", "--once"));
        try {
            Files.deleteIfExists(cache);
            String output = tool.execute(LIMIT, command).orFail("srpt demo").output();
            if (!Files.exists(cache)) {
                throw new AssertionError("the JVM made no class cache:\n" + output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new GuestJava(cache);
    }

    /** Runs {@code srpt} with these variables on the host side of the wire; answers what it prints. */
    static String onHost(GuestTool tool, List<String> variables, String... arguments) {
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", tool.network()));
        command.addAll(List.of("env", "-u", "JAVA_TOOL_OPTIONS"));
        command.addAll(variables);
        command.add(JAVA);
        command.addAll(FLAGS);
        command.addAll(List.of("-jar", JAR.toString()));
        command.addAll(List.of(arguments));
        return tool.execute(LIMIT, command)
                .orFail("srpt " + String.join(" ", arguments))
                .output();
    }

    /** The bash command for {@code srpt} with these arguments. */
    String srpt(String arguments) {
        return java() + " -XX:AOTCache=" + cache + " -jar " + JAR + " " + arguments;
    }

    /** The bash command for another main class. */
    String run(List<String> classPath, String options, String mainClass) {
        return java() + " " + options + " -cp " + String.join(":", classPath) + " " + mainClass;
    }

    private static String java() {
        return JAVA + " " + String.join(" ", FLAGS);
    }
}
