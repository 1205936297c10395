package io.srpt.soak;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What a test holds on to, more with each call, to show that the soak test notices. Gives all back when closed. */
interface Leak extends AutoCloseable {
    /** Takes one more. */
    void more() throws Exception;

    @Override
    void close() throws Exception;

    /** The leak of that name: {@code connections}, or empty for none. */
    static Leak of(String name, URI http) {
        return switch (name) {
            case "" -> new None();
            case "connections" -> new Connections(http);
            default -> throw new IllegalArgumentException("srpt.soak.leak: " + name);
        };
    }

    /** Holds nothing. */
    record None() implements Leak {
        @Override
        public void more() {}

        @Override
        public void close() {}
    }

    /** HTTP connections that stay open because each asks something now and then: file descriptors of the target. */
    record Connections(URI http, List<Socket> open) implements Leak {
        private static final byte[] QUESTION =
                "GET /healthz HTTP/1.1\r\nHost: soak\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

        Connections(URI http) {
            this(http, new ArrayList<>());
        }

        @Override
        public void more() throws IOException {
            open.add(new Socket(http.getHost(), http.getPort()));
            for (Socket socket : open) {
                socket.getOutputStream().write(QUESTION);
            }
        }

        @Override
        public void close() throws IOException {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }
}
