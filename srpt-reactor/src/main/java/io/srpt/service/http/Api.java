package io.srpt.service.http;

import java.util.List;
import java.util.Map;

/** What {@code /api/v1/} can change. */
@FunctionalInterface
public interface Api {
    /** What is said while there is nothing to change yet. */
    Api STARTING = request -> {
        throw new Problem(Problem.Status.UNAVAILABLE, "the target starts");
    };

    /** Does what is asked and tells of it; may take its time, and is never called by two threads at once. */
    Reply change(Request request) throws Problem;

    /**
     * A request that carried the token.
     *
     * @param method {@code POST} or {@code DELETE}, for instance
     * @param path behind {@code /api/v1/}, decoded and cut at the slashes
     * @param query what is behind the question mark
     * @param body an object, empty if there was none
     */
    record Request(String method, List<String> path, Map<String, String> query, Map<String, Object> body) {
        public Request {
            path = List.copyOf(path);
            query = Map.copyOf(query);
        }
    }

    /**
     * That it was done.
     *
     * @param created whether there is something new
     * @param document of maps, lists, texts and numbers
     */
    record Reply(boolean created, Map<String, Object> document) {
        /** That it was done, and nothing is new. */
        public static Reply done(Map<String, Object> document) {
            return new Reply(false, document);
        }
    }
}
