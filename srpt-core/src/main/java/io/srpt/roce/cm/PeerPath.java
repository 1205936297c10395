package io.srpt.roce.cm;

import io.srpt.mad.MadAddress;
import io.srpt.verbs.Gid;

/**
 * How a connection's two ends reach each other, and the peer's times.
 *
 * @param peer where the peer's connection manager listens
 * @param localGid our address
 * @param remoteGid the peer's address
 * @param repeatNanos time between repetitions of a message that is not answered
 * @param maxRetries how many repetitions
 * @param timeWaitNanos how long the numbers stay reserved afterwards
 */
record PeerPath(MadAddress peer, Gid localGid, Gid remoteGid, long repeatNanos, int maxRetries, long timeWaitNanos) {}
