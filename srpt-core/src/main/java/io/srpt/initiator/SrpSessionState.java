package io.srpt.initiator;

/**
 * States of a {@link SrpSession}; it only moves down this list.
 *
 * <table>
 *   <caption>Events</caption>
 *   <tr><th>state</th><th>event</th><th>next</th></tr>
 *   <tr><td>CONNECTING</td><td>REP with LOGIN_RSP</td><td>LIVE, {@code onLoggedIn}</td></tr>
 *   <tr><td>CONNECTING</td><td>REJ, no answer, malformed LOGIN_RSP, {@code close()}</td>
 *       <td>CLOSED, {@code onLoginFailed}</td></tr>
 *   <tr><td>LIVE</td><td>{@code logout()}, failed work, T_LOGOUT, command timeout, malformed message</td>
 *       <td>DISCONNECTING: DREQ sent, commands ended with SESSION_LOST</td></tr>
 *   <tr><td>LIVE, DISCONNECTING</td><td>DREQ or DREP came, DREQ unanswered</td><td>CLOSED, {@code onClosed}</td></tr>
 * </table>
 */
public enum SrpSessionState {
    CONNECTING,
    LIVE,
    DISCONNECTING,
    CLOSED
}
