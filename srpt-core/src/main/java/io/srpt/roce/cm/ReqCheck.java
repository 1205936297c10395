package io.srpt.roce.cm;

import io.srpt.verbs.ConnectionManager;
import io.srpt.verbs.Gid;
import io.srpt.verbs.RdmaPort;
import io.srpt.verbs.RejectReason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks at what a REQ asks for, before a consumer sees it. Nothing that a peer can write makes it throw. */
final class ReqCheck {
    private static final int TRANSPORT_RC = 0;
    private static final int LAST_SPECIAL_QUEUE_PAIR = 1;
    private static final int MULTICAST_QUEUE_PAIR = 0xFF_FFFF;
    private static final byte[] NOTHING = {};

    private ReqCheck() {}

    /**
     * A refusal.
     *
     * @param info additional reject information
     */
    record Refusal(RejectReason reason, byte[] info) {
        static Refusal of(RejectReason reason) {
            return new Refusal(reason, NOTHING);
        }
    }

    /**
     * Why {@code req} is refused, {@code null} if it is not. A peer that names another address than the one that it sends from,
     * {@code source}, is refused: what the connection sends would go to somebody else, and who may log in is decided by it.
     */
    static @Nullable Refusal check(ReqMessage req, Gid source, RdmaPort port) {
        if (req.transportType() != TRANSPORT_RC) {
            return Refusal.of(RejectReason.INVALID_TRANSPORT_TYPE);
        }
        List<Gid> gids = port.gids();
        if (!isOurs(req.primaryRemoteGid(), gids)) {
            byte[] acceptable = gids.stream()
                    .filter(gid -> !gid.isZero())
                    .findFirst()
                    .map(Gid::toBytes)
                    .orElse(NOTHING);
            return new Refusal(RejectReason.PRIMARY_REMOTE_GID_REJECTED, acceptable);
        }
        Gid peer = req.primaryLocalGid();
        int queuePair = req.localQueuePair();
        if (!Gids.isUnicast(peer)
                || !Gids.areOfOneFamily(peer, req.primaryRemoteGid())
                || queuePair <= LAST_SPECIAL_QUEUE_PAIR
                || queuePair == MULTICAST_QUEUE_PAIR) {
            return Refusal.of(RejectReason.UNSUPPORTED_REQUEST);
        }
        if (!PathMtu.isValid(req.pathMtuCode()) || PathMtu.bytes(req.pathMtuCode()) > port.activeMtu()) {
            return Refusal.of(RejectReason.INVALID_PATH_MTU);
        }
        if (!peer.equals(source)) {
            return Refusal.of(RejectReason.UNSUPPORTED_REQUEST);
        }
        if (ConnectionManager.isRdmaCmServiceId(req.serviceId()) && !hasGoodRdmaCmHeader(req, gids)) {
            return Refusal.of(RejectReason.CONSUMER);
        }
        return null;
    }

    private static boolean hasGoodRdmaCmHeader(ReqMessage req, List<Gid> gids) {
        byte[] header = req.getBytes(ReqMessage.PRIVATE_DATA_OFFSET, RdmaCmPrivateData.LENGTH);
        return RdmaCmPrivateData.check(header) == RdmaCmPrivateData.Validity.OK
                && RdmaCmPrivateData.read(header).source().equals(req.primaryLocalGid())
                && isOurs(RdmaCmPrivateData.read(header).destination(), gids);
    }

    private static boolean isOurs(Gid gid, List<Gid> gids) {
        return !gid.isZero() && gids.contains(gid);
    }
}
