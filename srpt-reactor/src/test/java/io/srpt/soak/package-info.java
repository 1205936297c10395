/**
 * Long runs of a target in a process of its own: does it hold more and more of anything?
 *
 * <pre>
 *   SoakInitiator --RoCEv2--> srpt.jar serve <--/proc, /metrics-- TargetProbe --> Trend
 * </pre>
 */
@NullMarked
package io.srpt.soak;

import org.jspecify.annotations.NullMarked;
