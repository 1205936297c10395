package io.srpt.service.http;

import java.util.LinkedHashMap;
import java.util.Map;

/** Why a request is refused: the status, and a small JSON body of RFC 9457 for whoever asked. */
public final class Problem extends Exception {
    /** The media type of the body. */
    static final String TYPE = "application/problem+json";

    private static final long serialVersionUID = 1L;

    private final Status status;

    /** The kinds of problems. */
    public enum Status {
        BAD_REQUEST(400, "The request cannot be understood"),
        UNAUTHORIZED(401, "The token is missing or wrong"),
        FORBIDDEN(403, "Changes are switched off"),
        NOT_FOUND(404, "There is no such thing"),
        METHOD_NOT_ALLOWED(405, "That cannot be done with it"),
        TOO_SLOW(408, "The request came too slowly"),
        CONFLICT(409, "It cannot be done now"),
        TOO_LARGE(413, "The body is too long"),
        INVALID(422, "The configuration would not be valid"),
        FAILED(500, "It failed"),
        UNAVAILABLE(503, "The service is busy, starts or stops");

        private final int code;
        private final String title;

        Status(int code, String title) {
            this.code = code;
            this.title = title;
        }

        /** Of HTTP. */
        public int code() {
            return code;
        }
    }

    /** {@code detail} says what to do about it. */
    public Problem(Status status, String detail) {
        super(detail);
        this.status = status;
    }

    Status status() {
        return status;
    }

    Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("title", status.title);
        document.put("status", status.code);
        document.put("detail", String.valueOf(getMessage()));
        return document;
    }
}
