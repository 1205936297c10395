package io.srpt.verbs;

/**
 * Queue pair states (IBTA vol. 1 §10.3).
 *
 * <table>
 *   <caption>What each state does</caption>
 *   <tr><th>state</th><th>receives posted</th><th>packets in</th><th>sends posted</th></tr>
 *   <tr><td>RESET</td><td>refused</td><td>dropped</td><td>refused</td></tr>
 *   <tr><td>INIT</td><td>queued</td><td>dropped</td><td>refused</td></tr>
 *   <tr><td>RTR</td><td>queued</td><td>served</td><td>refused</td></tr>
 *   <tr><td>RTS</td><td>queued</td><td>served</td><td>sent</td></tr>
 *   <tr><td>SQE (UD only)</td><td>queued</td><td>served</td><td>flushed</td></tr>
 *   <tr><td>ERR</td><td>flushed</td><td>dropped</td><td>flushed</td></tr>
 * </table>
 */
public enum QueuePairState {
    RESET,
    INIT,
    RTR,
    RTS,
    SQE,
    ERR
}
