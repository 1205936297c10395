package io.srpt.roce.cm;

/**
 * States of a connection (InfiniBand Architecture Specification, volume 1, section 12.9).
 *
 * <p>Passive side. Before accept the connection is a {@link PendingRequest}, in REQ_RECEIVED or MRA_SENT:
 *
 * <table>
 *   <caption>Passive side until it is established</caption>
 *   <tr><th>state</th><th>event</th><th>action</th><th>next</th></tr>
 *   <tr><td>-</td><td>REQ</td><td>ask the consumer, or REJ</td><td>REQ_RECEIVED, -</td></tr>
 *   <tr><td>REQ_RECEIVED, MRA_SENT</td><td>the same REQ</td><td>MRA</td><td>MRA_SENT</td></tr>
 *   <tr><td></td><td>accept</td><td>move the queue pair, REP</td><td>REP_SENT</td></tr>
 *   <tr><td></td><td>reject, or the consumer took too long</td><td>REJ</td><td>-</td></tr>
 *   <tr><td></td><td>REJ</td><td>withdrawn</td><td>-</td></tr>
 *   <tr><td>REP_SENT</td><td>the same REQ</td><td>none: the timer repeats REP</td><td>REP_SENT</td></tr>
 *   <tr><td></td><td>timer</td><td>the same REP again</td><td>REP_SENT</td></tr>
 *   <tr><td></td><td>timer, no retries left</td><td>REJ 4, onUnreachable</td><td>TIME_WAIT</td></tr>
 *   <tr><td></td><td>MRA</td><td>wait longer</td><td>REP_SENT</td></tr>
 *   <tr><td></td><td>RTU or first packet</td><td>onEstablished</td><td>ESTABLISHED</td></tr>
 *   <tr><td></td><td>REJ</td><td>onRejected</td><td>TIME_WAIT</td></tr>
 *   <tr><td></td><td>DREQ (the peer had REP)</td><td>onEstablished, then as ESTABLISHED</td><td>TIME_WAIT</td></tr>
 *   <tr><td></td><td>disconnect</td><td>REJ 28, onDisconnected</td><td>TIME_WAIT</td></tr>
 * </table>
 *
 * <table>
 *   <caption>Active side until it is established</caption>
 *   <tr><th>state</th><th>event</th><th>action</th><th>next</th></tr>
 *   <tr><td>-</td><td>connect</td><td>REQ</td><td>REQ_SENT</td></tr>
 *   <tr><td>REQ_SENT</td><td>timer</td><td>the same REQ again</td><td>REQ_SENT</td></tr>
 *   <tr><td></td><td>timer, no retries left</td><td>onUnreachable</td><td>CLOSED</td></tr>
 *   <tr><td></td><td>MRA</td><td>wait longer</td><td>REQ_SENT</td></tr>
 *   <tr><td></td><td>REP</td><td>move the queue pair, RTU, onEstablished</td><td>ESTABLISHED</td></tr>
 *   <tr><td></td><td>REP with a queue pair that is still known</td><td>REJ 10, onRejected</td><td>CLOSED</td></tr>
 *   <tr><td></td><td>REJ</td><td>onRejected</td><td>CLOSED</td></tr>
 *   <tr><td></td><td>disconnect</td><td>REJ 4, onDisconnected</td><td>CLOSED</td></tr>
 *   <tr><td>ESTABLISHED</td><td>the same REP</td><td>RTU</td><td>ESTABLISHED</td></tr>
 * </table>
 *
 * <table>
 *   <caption>Both sides from then on</caption>
 *   <tr><th>state</th><th>event</th><th>action</th><th>next</th></tr>
 *   <tr><td>ESTABLISHED</td><td>DREQ</td><td>onDisconnected, then DREP</td><td>DREQ_RECEIVED, TIME_WAIT</td></tr>
 *   <tr><td></td><td>REJ</td><td>onDisconnected</td><td>TIME_WAIT</td></tr>
 *   <tr><td></td><td>disconnect, or a REQ with its queue pair</td><td>DREQ</td><td>DREQ_SENT</td></tr>
 *   <tr><td>DREQ_SENT</td><td>DREP, REJ</td><td>onDisconnected</td><td>TIME_WAIT</td></tr>
 *   <tr><td></td><td>DREQ (they crossed)</td><td>onDisconnected, then DREP</td><td>TIME_WAIT</td></tr>
 *   <tr><td></td><td>timer</td><td>the same DREQ again</td><td>DREQ_SENT</td></tr>
 *   <tr><td></td><td>timer, no retries left</td><td>onDisconnected</td><td>TIME_WAIT</td></tr>
 *   <tr><td>TIME_WAIT</td><td>DREQ</td><td>DREP</td><td>TIME_WAIT</td></tr>
 *   <tr><td></td><td>the same REQ, or one with its queue pair</td><td>REJ 10</td><td>TIME_WAIT</td></tr>
 *   <tr><td></td><td>timer</td><td>onTimeWaitExit</td><td>CLOSED</td></tr>
 * </table>
 *
 * <p>What is not listed changes nothing. A DREQ that names another queue pair than ours is ignored in every state.
 */
enum CmState {
    REQ_RECEIVED,
    MRA_SENT,
    REQ_SENT,
    REP_SENT,
    ESTABLISHED,
    DREQ_RECEIVED,
    DREQ_SENT,
    TIME_WAIT,
    CLOSED
}
