package io.srpt.roce.cm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Finds connections and requests by the numbers that messages carry.
 *
 * <p>Bounds: requests are at most {@link CmSettings#maxHalfOpen}, connections in TimeWait at most {@link
 * CmSettings#maxTimeWait}, and an established connection costs its consumer a queue pair.
 *
 * <p>Threads: the port's loop.
 */
final class ConnectionTable {
    private final Map<Integer, CmConnection> byLocalId = new HashMap<>();
    private final Map<Integer, CmConnection> byQueuePair = new HashMap<>();
    private final Map<RemoteId, CmConnection> byRemoteId = new HashMap<>();
    private final Map<RemoteQueuePair, CmConnection> byRemoteQueuePair = new HashMap<>();
    private final Map<RemoteId, PendingRequest> requests = new HashMap<>();
    private final LinkedHashSet<CmConnection> timeWait = new LinkedHashSet<>();
    private final CmCounters counters;
    private final int maxTimeWait;
    private final int idMask;
    private int idCount;

    /** A peer's node and the communication id that it gave. */
    record RemoteId(long guid, int id) {}

    /** A peer's node and its queue pair. */
    record RemoteQueuePair(long guid, int number) {}

    ConnectionTable(CmCounters counters, int maxTimeWait, RandomGenerator random) {
        this.counters = counters;
        this.maxTimeWait = maxTimeWait;
        idMask = random.nextInt();
        idCount = random.nextInt();
    }

    /** A communication id that is not 0, and that was not given out before within 2^32 of them. */
    int newLocalId() {
        int id;
        do {
            id = ++idCount ^ idMask;
        } while (id == 0 || byLocalId.containsKey(id));
        return id;
    }

    void add(PendingRequest request) {
        requests.put(request.remoteId(), request);
    }

    void remove(PendingRequest request) {
        requests.remove(request.remoteId(), request);
    }

    /** Adds a passive connection, whose peer is known. */
    void addPassive(CmConnection connection) {
        addActive(connection);
        byRemoteId.put(remoteIdOf(connection), connection);
        onPeerKnown(connection);
    }

    /** Adds an active connection, whose peer is not known yet. */
    void addActive(CmConnection connection) {
        byLocalId.put(connection.localId, connection);
        byQueuePair.put(connection.queuePairNumber(), connection);
    }

    /** The peer's queue pair is known from now on. */
    void onPeerKnown(CmConnection connection) {
        byRemoteQueuePair.put(remoteQueuePairOf(connection), connection);
    }

    void remove(CmConnection connection) {
        byLocalId.remove(connection.localId, connection);
        byQueuePair.remove(connection.queuePairNumber(), connection);
        byRemoteId.remove(remoteIdOf(connection), connection);
        byRemoteQueuePair.remove(remoteQueuePairOf(connection), connection);
        if (timeWait.remove(connection)) {
            counters.timeWait.decrement();
        }
    }

    /** Keeps {@code connection} for TimeWait; the oldest one leaves when there are too many. */
    void enterTimeWait(CmConnection connection) {
        timeWait.add(connection);
        counters.timeWait.increment();
        if (timeWait.size() > maxTimeWait) {
            counters.timeWaitEvictions.increment();
            timeWait.getFirst().leaveTimeWait("too many in TimeWait");
        }
    }

    @Nullable
    CmConnection byLocalId(int id) {
        return byLocalId.get(id);
    }

    /** The connection whose ids at both ends a message names. */
    @Nullable
    CmConnection byIds(int localId, int remoteId) {
        CmConnection connection = byLocalId.get(localId);
        return connection != null && connection.remoteId() == remoteId ? connection : null;
    }

    @Nullable
    CmConnection byQueuePair(int number) {
        return byQueuePair.get(number);
    }

    @Nullable
    CmConnection byRemoteId(long guid, int id) {
        return byRemoteId.get(new RemoteId(guid, id));
    }

    @Nullable
    CmConnection byRemoteQueuePair(long guid, int number) {
        return byRemoteQueuePair.get(new RemoteQueuePair(guid, number));
    }

    @Nullable
    PendingRequest request(long guid, int id) {
        return requests.get(new RemoteId(guid, id));
    }

    /** Whether a request for this queue pair of the peer waits. */
    boolean hasRequestOf(long guid, int queuePair) {
        for (PendingRequest request : requests.values()) {
            if (request.hasRemoteQueuePair(guid, queuePair)) {
                return true;
            }
        }
        return false;
    }

    List<PendingRequest> requests() {
        return new ArrayList<>(requests.values());
    }

    List<CmConnection> connections() {
        return new ArrayList<>(byLocalId.values());
    }

    private static RemoteId remoteIdOf(CmConnection connection) {
        return new RemoteId(connection.remoteGuid(), connection.remoteId());
    }

    private static RemoteQueuePair remoteQueuePairOf(CmConnection connection) {
        return new RemoteQueuePair(connection.remoteGuid(), connection.remoteQueuePair());
    }
}
