package io.srpt.verbs;

/**
 * A path to a peer.
 *
 * @param sourceGidIndex index of our address in the port's GID table
 * @param destination the peer's GID
 * @param flowLabel 20 bits; also spreads UDP source ports on RoCEv2
 * @param hopLimit IP time to live
 * @param trafficClass IP type of service
 */
public record AddressVector(int sourceGidIndex, Gid destination, int flowLabel, int hopLimit, int trafficClass) {
    /** No path. */
    public static final AddressVector NONE = new AddressVector(0, new Gid(0, 0), 0, 0, 0);

    /** To {@code destination} from table entry {@code sourceGidIndex} with the usual 64 hops. */
    public static AddressVector to(int sourceGidIndex, Gid destination) {
        return new AddressVector(sourceGidIndex, destination, 0, 64, 0);
    }
}
