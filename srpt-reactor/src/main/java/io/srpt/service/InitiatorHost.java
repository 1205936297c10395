package io.srpt.service;

import io.srpt.initiator.BlockingSrpClient;
import io.srpt.initiator.DiscoveredTarget;
import io.srpt.initiator.SrpException;
import io.srpt.initiator.SrpSessionConfiguration;
import io.srpt.initiator.SrpTargetDiscovery;
import io.srpt.loop.RdmaEventLoop;
import io.srpt.loop.RdmaEventLoops;
import io.srpt.loop.RdmaLoopSettings;
import io.srpt.mad.MadPort;
import io.srpt.verbs.ConnectionManager;
import io.srpt.verbs.Gid;
import io.srpt.verbs.RdmaDevice;
import io.srpt.verbs.RdmaPort;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Our side of {@code discover}, {@code bench} and {@code demo}: a loop and a device on one address.
 *
 * <p>Threads: any but the loop.
 */
final class InitiatorHost implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final long CLOSE_SECONDS = 5;

    private final RdmaEventLoops loops;
    private final RdmaEventLoop loop;
    private final RdmaDevice device;

    private InitiatorHost(RdmaEventLoops loops, RdmaEventLoop loop, RdmaDevice device) {
        this.loops = loops;
        this.loop = loop;
        this.device = device;
    }

    /** Opens a device on {@code local}. */
    private static InitiatorHost open(InetAddress local, DeviceFactory devices) throws ServiceException {
        InterfaceAddresses group =
                InterfaceAddresses.group(List.of(local), devices).getFirst();
        RdmaEventLoops loops = new RdmaEventLoops(1, "srpt-initiator", RdmaLoopSettings.DEFAULTS);
        try {
            RdmaEventLoop loop = loops.loops().getFirst();
            return new InitiatorHost(loops, loop, devices.open(loop, group, DeviceFactory.Extras.NONE));
        } catch (ServiceException | RuntimeException e) {
            loops.close();
            throw e;
        }
    }

    /** Opens a device on the first of {@code candidates} that can be bound. */
    static InitiatorHost openFirst(List<InetAddress> candidates, DeviceFactory devices) throws ServiceException {
        ServiceException failure = null;
        for (InetAddress candidate : candidates) {
            try {
                return open(candidate, devices);
            } catch (ServiceException e) {
                failure = e;
            }
        }
        throw failure == null ? new ServiceException("there is no address to send from") : failure;
    }

    /** Our address. */
    InetAddress address() {
        return port().gids().getFirst().toInetAddress();
    }

    /** The port that we talk through. */
    RdmaPort port() {
        return device.ports().getFirst();
    }

    /** The targets that {@code address} tells of. */
    List<DiscoveredTarget> discover(InetAddress address) throws ServiceException {
        if (!(port() instanceof MadPort madPort) || !madPort.mads().takesResponses()) {
            throw new ServiceException(
                    device.name() + " cannot ask: answers come to queue pair 1, which is the kernel's;"
                            + " `ibsrpdm` can, and bench takes --ioc-guid");
        }
        CompletableFuture<List<DiscoveredTarget>> found = SrpTargetDiscovery.discover(madPort, 0, Gid.of(address));
        try {
            return found.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new ServiceException(Addresses.plain(address) + " did not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServiceException("interrupted", e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new ServiceException(String.valueOf(cause.getMessage()), cause);
        }
    }

    /** The first target that {@code address} tells of. */
    DiscoveredTarget discoverOne(InetAddress address) throws ServiceException {
        List<DiscoveredTarget> found = discover(address);
        if (found.isEmpty()) {
            throw new ServiceException(Addresses.plain(address) + " has no SRP target");
        }
        return found.getFirst();
    }

    /** What a session to {@code target} at {@code address}, over RDMA/CM, starts from. */
    SrpSessionConfiguration.Builder session(InetAddress address, int rdmaCmPort, DiscoveredTarget target) {
        return SrpSessionConfiguration.builder()
                .path(0, Gid.of(address))
                .serviceId(ConnectionManager.rdmaCmServiceId(rdmaCmPort))
                .initiatorPort(0, device.attributes().nodeGuid())
                .targetPort(target.idExtension(), target.iocGuid());
    }

    /** Logs in. */
    BlockingSrpClient login(SrpSessionConfiguration configuration) throws SrpException, InterruptedIOException {
        return BlockingSrpClient.connect(port(), configuration, TIMEOUT);
    }

    /** Frees everything; sessions must have been closed. */
    @Override
    public void close() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        loop.execute(() -> {
            device.close();
            done.complete(null);
        });
        done.completeOnTimeout(null, CLOSE_SECONDS, TimeUnit.SECONDS).join();
        loops.close();
    }
}
