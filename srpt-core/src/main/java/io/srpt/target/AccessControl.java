package io.srpt.target;

import io.srpt.scsi.LunView;
import io.srpt.srp.PortId;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** Decides who may log in, and what he sees then. */
@FunctionalInterface
public interface AccessControl {
    /**
     * What {@code initiator} gets, null if he may not log in. Called on the loop of the port for each login that passed all
     * earlier checks; must not block.
     */
    @Nullable
    Grant admit(Initiator initiator);

    /** Lets every initiator in. */
    static AccessControl any() {
        return initiator -> Grant.EVERYTHING;
    }

    /** Lets nobody in. */
    static AccessControl nobody() {
        return initiator -> null;
    }

    /**
     * What somebody gets.
     *
     * @param view the units that he sees
     * @param rule what let him in, for the log
     */
    record Grant(LunView view, String rule) {
        /** All units, because nobody said otherwise. */
        public static final Grant EVERYTHING = new Grant(LunView.ALL, "every initiator");
    }

    /**
     * Who asks.
     *
     * @param port the initiator port identifier of the login
     * @param address its IP address, from RDMA/CM's header or from its GID
     * @param nodeGuid the node GUID of its connection request
     */
    record Initiator(PortId port, InetAddress address, long nodeGuid) {}
}
