package io.srpt.service;

import io.srpt.service.http.Api;
import io.srpt.service.http.Problem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What {@code /api/v1/} can change of a running service. */
final class ServerApi implements Api {
    private final Reload reload;

    /** Reads the configuration file again. */
    @FunctionalInterface
    interface Reload {
        Reconfiguration.Outcome run() throws ConfigurationException, ServiceException;
    }

    ServerApi(Reload reload) {
        this.reload = reload;
    }

    @Override
    public Reply change(Request request) throws Problem {
        try {
            return switch (request.path().getFirst()) {
                case "reload" -> reload(request);
                default -> throw new Problem(Problem.Status.NOT_FOUND, "there is no such thing to change");
            };
        } catch (ConfigurationException e) {
            throw new Problem(Problem.Status.INVALID, String.valueOf(e.getMessage()));
        } catch (ServiceException e) {
            throw new Problem(Problem.Status.CONFLICT, String.valueOf(e.getMessage()));
        }
    }

    private Reply reload(Request request) throws Problem, ConfigurationException, ServiceException {
        require(request, "POST", request.path().size() == 1);
        return Reply.done(document(reload.run()));
    }

    private static void require(Request request, String method, boolean known) throws Problem {
        if (!known) {
            throw new Problem(Problem.Status.NOT_FOUND, "there is no such thing to change");
        }
        if (!request.method().equals(method)) {
            throw new Problem(Problem.Status.METHOD_NOT_ALLOWED, "use " + method);
        }
    }

    private static Map<String, Object> document(Reconfiguration.Outcome outcome) throws Problem {
        if (!outcome.failures().isEmpty()) {
            throw new Problem(Problem.Status.FAILED, String.join("; ", outcome.failures()));
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("changes", List.copyOf(outcome.changes()));
        document.put("needs_restart", List.copyOf(outcome.needsRestart()));
        return document;
    }
}
