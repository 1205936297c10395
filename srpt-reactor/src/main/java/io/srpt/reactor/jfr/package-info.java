/**
 * Flight recorder events: the twins of what observers see of logins, channels, slow commands and stalled loops.
 *
 * <pre>
 *   TargetEvents, CommandListener, StallListener ─▶ JfrEvents ─▶ the recording, if one is on
 * </pre>
 */
@NullMarked
package io.srpt.reactor.jfr;

import org.jspecify.annotations.NullMarked;
