package io.srpt.roce;

import io.srpt.counter.Counter;
import java.util.Arrays;

/** What the software RoCEv2 provider counts. Written on the device's loop, read from any thread. */
public final class RoceCounters {
    private static final int OPCODES = 256;
    private static final DropCause[] CAUSES = DropCause.values();

    private final Counter[] sent = counters(OPCODES);
    private final Counter[] received = counters(OPCODES);
    private final Counter[] dropped = counters(CAUSES.length);
    private final Counter retransmits = new Counter();
    private final Counter[] retransmitsByCause = counters(RetransmitCause.values().length);
    private final Counter timeouts = new Counter();
    private final Counter duplicates = new Counter();
    private final Counter outOfSequence = new Counter();
    private final Counter readGaps = new Counter();
    private final Counter naksSent = new Counter();
    private final Counter naksReceived = new Counter();
    private final Counter rnrNaksSent = new Counter();
    private final Counter rnrNaksReceived = new Counter();
    private final Counter queuePairs = new Counter();
    private final Counter addressHandles = new Counter();
    private final Counter doubleReleases = new Counter();

    private static Counter[] counters(int count) {
        Counter[] counters = new Counter[count];
        Arrays.setAll(counters, i -> new Counter());
        return counters;
    }

    /** Packets sent with an opcode. */
    public Counter sent(int opcode) {
        return sent[opcode];
    }

    /** Packets received with an opcode and a right ICRC. */
    public Counter received(int opcode) {
        return received[opcode];
    }

    /** Packets dropped for a cause. */
    public Counter dropped(DropCause cause) {
        return dropped[cause.ordinal()];
    }

    /** Request packets that were sent again. */
    public Counter retransmits() {
        return retransmits;
    }

    /** Request packets that were sent again for a cause. */
    public Counter retransmits(RetransmitCause cause) {
        return retransmitsByCause[cause.ordinal()];
    }

    void retransmit(RetransmitCause cause) {
        retransmits.increment();
        retransmitsByCause[cause.ordinal()].increment();
    }

    /** Expiries of the local ACK timer, early probes included. */
    public Counter timeouts() {
        return timeouts;
    }

    /** Request packets that were received before. */
    public Counter duplicates() {
        return duplicates;
    }

    /** Request packets that came before one that is missing. */
    public Counter outOfSequence() {
        return outOfSequence;
    }

    /** RDMA READ responses missing, each answered by asking again from the gap. */
    public Counter readGaps() {
        return readGaps;
    }

    /** NAKs sent, RNR NAKs aside. */
    public Counter naksSent() {
        return naksSent;
    }

    /** NAKs received, RNR NAKs aside. */
    public Counter naksReceived() {
        return naksReceived;
    }

    /** RNR NAKs sent. */
    public Counter rnrNaksSent() {
        return rnrNaksSent;
    }

    /** RNR NAKs received. */
    public Counter rnrNaksReceived() {
        return rnrNaksReceived;
    }

    /** Queue pairs that exist now. */
    public Counter queuePairs() {
        return queuePairs;
    }

    /** Address handles that exist now. */
    public Counter addressHandles() {
        return addressHandles;
    }

    /** Releases of what was released before: bugs. */
    public Counter doubleReleases() {
        return doubleReleases;
    }

    void drop(DropCause cause) {
        dropped[cause.ordinal()].increment();
    }
}
