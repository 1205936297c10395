package io.srpt.target;

import io.srpt.verbs.ConnectionManager;
import io.srpt.verbs.ConnectionManager.ConnectionRequestHandler;
import io.srpt.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/** The service ids on which a port takes logins: of RDMA/CM, and the service GUID of plain IB/CM. Loop of the port. */
final class PortListeners {
    private final ConnectionManager manager;
    private final ConnectionRequestHandler logins;
    private int rdmaCmPort;
    private ConnectionManager.@Nullable Listener rdmaCm;
    private ConnectionManager.@Nullable Listener ibCm;

    PortListeners(ConnectionManager manager, ConnectionRequestHandler logins) {
        this.manager = manager;
        this.logins = logins;
    }

    /** Listens as {@code config} says; all or nothing. */
    void open(TargetConfig config) throws VerbsException {
        try {
            rdmaCmPort(config.rdmaCmPort());
            if (config.ibCm()) {
                ibCm = manager.listen(config.serviceGuid(), logins);
            }
        } catch (VerbsException e) {
            close();
            throw e;
        }
    }

    /** Listens on another RDMA/CM port, 0 for none; on an exception still on the one before. Connections stay. */
    void rdmaCmPort(int number) throws VerbsException {
        if (number == rdmaCmPort) {
            return;
        }
        ConnectionManager.Listener before = rdmaCm;
        rdmaCm = number == 0 ? null : manager.listen(ConnectionManager.rdmaCmServiceId(number), logins);
        rdmaCmPort = number;
        if (before != null) {
            before.close();
        }
    }

    void close() {
        if (rdmaCm != null) {
            rdmaCm.close();
        }
        if (ibCm != null) {
            ibCm.close();
        }
        rdmaCm = null;
        ibCm = null;
        rdmaCmPort = 0;
    }
}
