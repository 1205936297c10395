/**
 * What observers see: immutable values in sealed families, one for each stream. Nothing here refers to a buffer or to an
 * object that a loop owns.
 *
 * <pre>
 *   SrptEvent ─┬─ ChannelEvent        ChannelStateChanged, ChannelReleased, QueuePairIncident, ConnectionIncident
 *              ├─ LoginEvent          LoginAccepted, LoginRejected
 *              ├─ CommandEvent        CommandCompleted
 *              ├─ TaskManagementEvent TaskManagementDone
 *              ├─ PortEvent           PortIncident
 *              ├─ TransportEvent      TransportIncident
 *              ├─ StallEvent          LoopStalled
 *              └─ MadEvent            MadSent, MadArrived
 *   EventsMissed belongs to all of them: it stands where an observer was too slow
 * </pre>
 */
@NullMarked
package io.srpt.reactor.event;

import org.jspecify.annotations.NullMarked;
