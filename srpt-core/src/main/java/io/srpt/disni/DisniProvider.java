package io.srpt.disni;

import io.srpt.loop.RdmaEventLoop;
import io.srpt.verbs.Gid;
import io.srpt.verbs.RdmaDevice;
import io.srpt.verbs.VerbsException;
import java.util.List;

/** What the provider's class loader gives out. */
public interface DisniProvider {
    /** Names of the RDMA devices of this machine. Any thread. */
    List<String> deviceNames();

    /** The addresses of a device's first port. Any thread. */
    List<Gid> addresses(String device) throws VerbsException;

    /** Opens a device on {@code loop}, which must be the current one. */
    RdmaDevice open(RdmaEventLoop loop, DisniSettings settings) throws VerbsException;
}
