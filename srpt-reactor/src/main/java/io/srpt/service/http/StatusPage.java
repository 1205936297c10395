package io.srpt.service.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * The page at {@code /} and its style and script: three files of the jar, which ask nobody but this service. Any thread.
 */
enum StatusPage {
    HTML("/", "status.html", "text/html; charset=utf-8"),
    STYLE("/status.css", "status.css", "text/css; charset=utf-8"),
    SCRIPT("/status.js", "status.js", "text/javascript; charset=utf-8");

    /** The browser may load nothing from elsewhere, and nobody may put the page into a frame. */
    static final String SECURITY_POLICY = "default-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'";

    private final String path;
    private final String type;
    private final byte[] content;

    StatusPage(String path, String file, String type) {
        this.path = path;
        this.type = type;
        this.content = read(file);
    }

    String path() {
        return path;
    }

    String type() {
        return type;
    }

    ByteBuf content() {
        return Unpooled.wrappedBuffer(content);
    }

    static List<StatusPage> all() {
        return List.of(values());
    }

    private static byte[] read(String file) {
        try (InputStream in = StatusPage.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("the jar has no " + file);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
