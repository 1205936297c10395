package io.srpt.roce.cm;

import io.srpt.verbs.Gid;

/** What the connection manager asks about addresses that peers name. */
final class Gids {
    private Gids() {}

    /** Neither unspecified, nor multicast, nor IPv4 broadcast. */
    static boolean isUnicast(Gid gid) {
        if (gid.isIpv4Mapped()) {
            int firstByte = gid.ipv4() >>> 24;
            return firstByte != 0 && firstByte < 224;
        }
        return !gid.isZero() && gid.high() >>> 56 != 0xFF;
    }

    /** Whether a path can have these ends: both IPv4, or neither. */
    static boolean areOfOneFamily(Gid a, Gid b) {
        return a.isIpv4Mapped() == b.isIpv4Mapped();
    }
}
