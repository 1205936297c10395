package io.srpt.roce.cm;

/**
 * Times and bounds of a connection manager.
 *
 * @param responseTimeout exponent told in REQ: 4.096 us times 2 to it; also how often REQ is repeated
 * @param maxRetries repetitions of REQ, REP and DREQ, 0 to 15
 * @param maxHalfOpen requests that wait for the consumer or for RTU; more are refused with REJ 3
 * @param maxTimeWait connections in TimeWait; the oldest leaves early when there are more
 * @param minRnrTimer RNR timer code of the queue pairs (12 is 0.64 ms)
 */
public record CmSettings(int responseTimeout, int maxRetries, int maxHalfOpen, int maxTimeWait, int minRnrTimer) {
    /** As Linux: an answer within 4 s, 15 repetitions. */
    public static final CmSettings DEFAULT = new CmSettings(20, 15, 256, 4096, 12);
}
