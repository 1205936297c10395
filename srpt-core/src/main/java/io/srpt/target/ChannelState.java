package io.srpt.target;

/**
 * The life of a channel. A state only ever grows; states may be skipped.
 *
 * <table>
 *   <caption>Channel states</caption>
 *   <tr><th>state</th><th>received units</th><th>left by</th></tr>
 *   <tr><td>CONNECTING</td><td>wait</td><td>RTU or the first message: LIVE; reject, unreachable: DRAINING</td></tr>
 *   <tr><td>LIVE</td><td>are served</td><td>logout, DREQ, error, disable: DISCONNECTING</td></tr>
 *   <tr><td>DISCONNECTING</td><td>are dropped</td><td>the queue pair is in ERR: DRAINING</td></tr>
 *   <tr><td>DRAINING</td><td>are dropped</td><td>the drain marker was flushed: DISCONNECTED</td></tr>
 *   <tr><td>DISCONNECTED</td><td>are dropped</td><td>the last task left the backend: released</td></tr>
 * </table>
 */
public enum ChannelState {
    CONNECTING,
    LIVE,
    DISCONNECTING,
    DRAINING,
    DISCONNECTED
}
