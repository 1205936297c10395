package io.srpt.service;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a running target follow another configuration: all that can change while it runs, or, if a part of it fails, nothing. Not on
 * a loop, one at a time.
 */
final class Reconfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(Reconfiguration.class);

    private final SrptServer server;

    Reconfiguration(SrptServer server) {
        this.server = server;
    }

    /**
     * What came of it.
     *
     * @param changes what is different now
     * @param needsRestart what is not, because it cannot change while it runs
     * @param failures what should be and is not; nothing of it is expected
     */
    record Outcome(List<String> changes, List<String> needsRestart, List<String> failures) {
        Outcome {
            changes = List.copyOf(changes);
            needsRestart = List.copyOf(needsRestart);
            failures = List.copyOf(failures);
        }

        /** Fails if something that was to be changed is not. */
        void orThrow() throws ServiceException {
            if (!failures.isEmpty()) {
                throw new ServiceException(String.join("; ", failures));
            }
        }
    }

    /** Follows {@code after}; with an exception nothing has changed, but for disks that have grown, which the message says then. */
    Outcome to(ServeConfiguration after) throws ServiceException {
        Differences differences = Differences.of(server.configuration(), after, server.units());
        prepare(differences.changes());
        List<String> changes = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        for (Change change : differences.changes()) {
            try {
                change.apply().on(server);
                changes.add(change.text());
                LOG.info("{}", change.text());
            } catch (ServiceException e) {
                failures.add(change.text() + ": " + e.getMessage());
                LOG.error("{}: {}", change.text(), e.getMessage());
            }
        }
        server.configuration(differences.result());
        server.served().changed();
        return new Outcome(changes, differences.needsRestart(), failures);
    }

    private void prepare(List<Change> changes) throws ServiceException {
        List<Change> prepared = new ArrayList<>();
        for (Change change : changes) {
            try {
                change.prepare().on(server);
                prepared.add(change);
            } catch (ServiceException e) {
                undo(prepared);
                throw new ServiceException(e.getMessage() + rest(prepared), e);
            } catch (RuntimeException e) {
                undo(prepared);
                throw e;
            }
        }
    }

    private static String rest(List<Change> prepared) {
        List<String> kept =
                prepared.stream().filter(Change::isForGood).map(Change::text).toList();
        return kept.isEmpty() ? "; nothing was changed" : "; nothing was changed but: " + String.join(", ", kept);
    }

    private void undo(List<Change> prepared) {
        for (Change change : prepared.reversed()) {
            try {
                change.undo().on(server);
            } catch (ServiceException e) {
                LOG.error("While taking back '{}': {}", change.text(), e.getMessage());
            }
        }
    }
}
