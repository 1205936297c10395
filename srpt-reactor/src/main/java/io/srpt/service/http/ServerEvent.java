package io.srpt.service.http;

/**
 * One server-sent event.
 *
 * @param name the event's type
 * @param data one line, as a rule JSON
 */
public record ServerEvent(String name, String data) {
    /** As it goes over the wire. */
    String text() {
        return "event: " + name + "\ndata: " + data + "\n\n";
    }
}
