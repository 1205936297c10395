package io.srpt.mad;

import io.srpt.verbs.AddressVector;
import io.srpt.verbs.Gid;

/**
 * The far end of a management datagram.
 *
 * @param gid the peer's GID
 * @param localGidIndex our address in the port's GID table
 * @param queuePair the peer's queue pair, {@link #GENERAL_SERVICES} as a rule
 * @param pkeyIndex index of the P_Key
 */
public record MadAddress(Gid gid, int localGidIndex, int queuePair, int pkeyIndex) {
    /** Queue pair 1, the general services interface. */
    public static final int GENERAL_SERVICES = 1;

    /** The Q_Key of queue pair 1. */
    public static final int QUEUE_KEY = 0x8001_0000;

    /** Queue pair 1 of {@code gid}, from our address {@code localGidIndex}, with the default P_Key. */
    public static MadAddress generalServices(int localGidIndex, Gid gid) {
        return new MadAddress(gid, localGidIndex, GENERAL_SERVICES, 0);
    }

    /** What an address handle for it is made of. */
    public AddressVector vector() {
        return AddressVector.to(localGidIndex, gid);
    }
}
