package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The status page in a real browser, while an initiator comes, works and goes. Skipped where Debian's package
 * {@code chromium} is not installed, unless {@code -Dsrpt.chromium=required}. Screenshots stay in
 * {@code target/screenshots}.
 */
class StatusPageIT {
    private static final String TARGET = "127.44.5.1";
    private static final Path SCREENSHOTS = Path.of("target/screenshots");
    private static final int TAB = 9;
    private static final int SPACE = 32;

    @TempDir
    private Path directory;

    @BeforeEach
    void needChromium() throws Exception {
        String mode = System.getProperty("srpt.chromium", "auto");
        assumeTrue(!mode.equals("off"), "switched off by -Dsrpt.chromium=off");
        if (!mode.equals("required")) {
            assumeTrue(Files.isExecutable(Chromium.PROGRAM), "Debian's package chromium is not installed");
        }
        Files.createDirectories(SCREENSHOTS);
    }

    @Test
    void showsSessionsAndThroughputAsTheyComeAndGo() throws Exception {
        int port = ServeProcess.freePort();
        try (ServeProcess serve = serve(port);
                Chromium page = new Chromium(directory, "http://127.0.0.1:" + port + "/")) {
            page.size(1280, 1000, false);
            page.await("document.getElementById('health').textContent === 'ready'");
            page.await("document.getElementById('sessions-count').textContent === '0'");
            page.await("document.getElementById('sessions').textContent.includes('Nobody is logged in')");
            assertThat(page.evaluate("document.querySelectorAll('#luns tr').length")
                            .asInt())
                    .isEqualTo(2);

            try (ServeProcess bench = bench()) {
                page.await("document.getElementById('sessions-count').textContent === '1'");
                page.await("document.getElementById('sessions').textContent.includes('127.44.5.2')");
                page.await("Number(document.getElementById('iops').textContent.replaceAll(',', '')) > 100");
                page.await("document.getElementById('throughput').textContent.includes('MiB/s')");
                page.await("document.getElementById('read-latency').textContent.includes('/')");
                page.await("document.querySelectorAll('#throughput-chart polyline').length === 2");
                page.await("document.getElementById('events').textContent.includes('login accepted')");
                page.screenshot(SCREENSHOTS.resolve("status-desktop.png"));
                assertThat(fits(page)).isTrue();
                page.size(390, 844, true);
                page.await("window.innerWidth === 390");
                assertThat(fits(page)).isTrue();
                page.screenshot(SCREENSHOTS.resolve("status-phone.png"));
                assertThat(bench.exitCode()).as(bench.err()).isZero();
            }
            page.await("document.getElementById('sessions-count').textContent === '0'");
            page.await("document.getElementById('iops').textContent === '0'");
            worksWithTheKeyboard(page);
            assertThat(page.complaints()).isEmpty();

            serve.terminate();
            page.await("document.getElementById('health').className === 'bad'");
            assertThat(serve.exitCode()).isZero();
        }
    }

    /** Whether nothing is wider than the window, nor a table than its place. */
    private static boolean fits(Chromium page) throws Exception {
        return page.evaluate("[document.documentElement, ...document.querySelectorAll('.scroll')]"
                        + ".every(each => each.scrollWidth <= each.clientWidth)")
                .asBoolean();
    }

    /** Tab reaches the button, and the space bar presses it. */
    private static void worksWithTheKeyboard(Chromium page) throws Exception {
        for (int steps = 0; steps < 10; steps++) {
            page.press("Tab", TAB);
            if (page.evaluate("document.activeElement.id").asString("").equals("pause")) {
                break;
            }
        }
        assertThat(page.evaluate("document.activeElement.id").asString()).isEqualTo("pause");
        page.press(" ", SPACE);
        page.await("document.getElementById('pause').getAttribute('aria-pressed') === 'true'");
    }

    private ServeProcess serve(int port) throws Exception {
        ServeProcess serve = ServeProcess.srpt(
                directory,
                "serve",
                List.of(
                        "serve",
                        "--lun",
                        "memory:16MiB",
                        "--lun",
                        "file:" + directory.resolve("disk.img") + ":64MiB",
                        "--listen",
                        TARGET,
                        "--http",
                        "127.0.0.1:" + port,
                        "--state-dir",
                        directory.toString()));
        serve.await("ready", () -> serve.out().contains("id_ext="));
        return serve;
    }

    private ServeProcess bench() throws Exception {
        return ServeProcess.srpt(
                directory,
                "bench",
                List.of("bench", TARGET, "--local", "127.44.5.2", "--mix", "70", "--warmup", "1", "--seconds", "12"));
    }
}
