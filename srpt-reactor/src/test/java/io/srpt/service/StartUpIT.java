package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.Needed;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long {@code serve} takes from its start until it takes logins, as it is packaged: on its own runtime, with the AOT
 * cache. Skipped where the build left that out.
 */
class StartUpIT {
    /** A quiet machine with two cores needs less than 0.6 s; the tests run on loaded ones, too. */
    private static final Duration LIMIT = Duration.ofSeconds(3);

    private static final int STARTS = 7;
    private static final String TARGET = TestAddresses.ofThisProcess(9);

    @TempDir
    private Path directory;

    @Test
    void listensSoonAfterItsStart() throws Exception {
        Path program = Path.of(System.getProperty("srpt.dist", "target/dist")).resolve("lib/srpt/bin/srpt");
        Needed.isThere(Files.isExecutable(program), "there is no " + program + ": the build left it out");
        List<Duration> packaged = starts(List.of(program.toString()));
        List<Duration> plain = starts(
                List.of(System.getProperty("java.home") + "/bin/java", "-jar", System.getProperty("srpt.jar", "")));
        System.out.println("start to the ready line, packaged: " + packaged + ", java -jar srpt.jar: " + plain);
        assertThat(Collections.min(packaged)).isLessThan(LIMIT).isLessThan(Collections.min(plain));
    }

    private List<Duration> starts(List<String> program) throws Exception {
        List<Duration> took = new ArrayList<>();
        for (int i = 0; i < STARTS; i++) {
            took.add(start(program));
        }
        return took.stream().sorted().toList();
    }

    private Duration start(List<String> program) throws Exception {
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of("serve", "--lun", "memory:64MiB", "--listen", TARGET));
        command.addAll(List.of("--http", "127.0.0.1:" + ServeProcess.freePort(), "--state-dir", directory.toString()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectError(directory.resolve("err").toFile());
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        // It would else be silent about a cache that it cannot take, and only be slow.
        builder.environment().put("JDK_JAVA_OPTIONS", program.size() == 1 ? "-XX:AOTMode=on" : "");
        long start = System.nanoTime();
        Process process = builder.start();
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            String ready = out.readLine();
            Duration took = Duration.ofMillis((System.nanoTime() - start) / 1_000_000);
            assertThat(ready).as(Files.readString(directory.resolve("err"))).startsWith("id_ext=");
            process.destroy();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            return took;
        } finally {
            process.destroyForcibly();
        }
    }
}
