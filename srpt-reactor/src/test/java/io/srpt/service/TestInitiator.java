package io.srpt.service;

import io.srpt.initiator.BlockingSrpClient;
import io.srpt.initiator.DiscoveredTarget;
import io.srpt.initiator.SrpException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.util.List;

/** The built-in initiator for tests of other packages. */
public final class TestInitiator implements AutoCloseable {
    private final InitiatorHost host;

    private TestInitiator(InitiatorHost host) {
        this.host = host;
    }

    /** One that sends from {@code address}. */
    public static TestInitiator open(String address) throws ServiceException {
        return new TestInitiator(InitiatorHost.openFirst(List.of(InetAddress.ofLiteral(address)), new RoceDevices()));
    }

    /** Discovers the target at {@code address} and logs in to it. */
    public BlockingSrpClient login(String address) throws ServiceException, SrpException, InterruptedIOException {
        InetAddress target = InetAddress.ofLiteral(address);
        DiscoveredTarget found = host.discoverOne(target);
        return host.login(host.session(target, ServeConfiguration.DEFAULT_RDMA_CM_PORT, found)
                .build());
    }

    @Override
    public void close() {
        host.close();
    }
}
