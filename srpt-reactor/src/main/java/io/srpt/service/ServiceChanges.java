package io.srpt.service;

import io.srpt.service.systemd.ServiceManager;
import io.srpt.srp.PortId;
import io.srpt.target.SrptPort;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All that somebody can change of a running service, one change at a time, and none once it stops; systemd is told. Any thread but
 * a loop.
 */
final class ServiceChanges {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceChanges.class);

    private final SrptServer server;
    private final LiveConfiguration configuration;
    private final ServiceManager manager;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean ended;

    ServiceChanges(SrptServer server, LiveConfiguration configuration, ServiceManager manager) {
        this.server = server;
        this.configuration = configuration;
        this.manager = manager;
    }

    /** Something that changes the service. */
    @FunctionalInterface
    interface Work<T> {
        T run(LiveConfiguration configuration) throws ConfigurationException, ServiceException;
    }

    /** Does one change; waits for the one that is under way. */
    <T> T make(Work<T> work) throws ConfigurationException, ServiceException {
        lock.lock();
        try {
            if (ended) {
                throw new ServiceException("the service stops");
            }
            T result = work.run(configuration);
            manager.status(status(server));
            return result;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the change that is under way; there are no more. */
    void end() {
        lock.lock();
        ended = true;
        lock.unlock();
    }

    /** Reads the configuration file again and follows it. */
    Reconfiguration.Outcome reload() throws ConfigurationException, ServiceException {
        return make(live -> {
            manager.reloading();
            try {
                return live.reload();
            } finally {
                manager.ready(status(server));
            }
        });
    }

    /** The same because of a signal. */
    void reloadAsTold() {
        try {
            reload();
        } catch (ConfigurationException | ServiceException e) {
            LOG.error("The configuration stays as it was: {}", e.getMessage());
        }
    }

    /**
     * Ends the session of an initiator.
     *
     * @param port name of the port, empty for all
     * @return how many channels it had
     */
    int closeSession(PortId initiator, String port) throws ConfigurationException, ServiceException {
        return make(live -> {
            int channels = 0;
            for (SrptPort each : server.target().ports()) {
                if (port.isEmpty() || each.name().equals(port)) {
                    channels += Blocking.await("closing the session", each.closeSession(initiator));
                }
            }
            return channels;
        });
    }

    /** The addresses of the port with a name, a GUID, a GID or an address; empty if there is none. */
    List<InetAddress> addressesOfPort(String name) {
        return server.served()
                .addressesOf(port -> port.name().equals(name)
                        || port.guidName().equals(name)
                        || port.gidName().equals(name)
                        || server.served().addressesOf(port::equals).stream()
                                .anyMatch(address -> Addresses.plain(address).equals(name)));
    }

    SrptServer server() {
        return server;
    }

    /** What systemd shows. */
    static String status(SrptServer server) {
        return "Serving " + server.units().size() + " LUNs on "
                + server.addresses().stream()
                        .map(line -> Addresses.plain(line.address()))
                        .collect(Collectors.joining(", "));
    }
}
