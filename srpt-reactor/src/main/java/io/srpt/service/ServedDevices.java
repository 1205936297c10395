package io.srpt.service;

import io.srpt.target.SrptPort;
import io.srpt.verbs.RdmaDevice;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The devices on which a target is served, one for each network interface: from the beginning, added and taken away while it
 * runs ({@code srpt_add_one}, {@code srpt_remove_one} of the Linux driver), and what becomes of their addresses.
 *
 * <p>Threads: any but the loops.
 */
final class ServedDevices {
    private static final Logger LOG = LoggerFactory.getLogger(ServedDevices.class);

    private final ServedDevice.Site site;
    private final List<ServedDevice> served = new CopyOnWriteArrayList<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    /** What is wrong with an address since the last look. */
    private final Map<InetAddress, String> complaints = new HashMap<>();

    private volatile String identification;
    private boolean closed;

    ServedDevices(ServedDevice.Site site, TargetSettings settings) {
        this.site = site;
        identification = settings.identification();
    }

    /** Calls {@code listener} after devices came or went. */
    void onChange(Runnable listener) {
        listeners.add(listener);
    }

    /** Calls those listeners. */
    void changed() {
        listeners.forEach(Runnable::run);
    }

    /** Serves on {@code addresses}, in their order, as {@code settings} say of their ports. */
    synchronized void open(List<InetAddress> addresses, TargetSettings settings) throws ServiceException {
        for (InterfaceAddresses shared : InterfaceAddresses.group(addresses, site.devices())) {
            served.add(ServedDevice.open(site, shared, identification, settings.port(shared.addresses())));
        }
    }

    /** Serves on {@code address} too: a new one of a device that is there, or on a new device. */
    synchronized void add(InetAddress address, TargetSettings settings) throws ServiceException {
        if (closed) {
            throw new ServiceException("the target stops");
        }
        if (addresses().contains(address)) {
            throw new ServiceException(Addresses.plain(address) + " is served already");
        }
        serve(address, InterfaceAddresses.of(address, site.devices()), settings);
    }

    private void serve(InetAddress address, InterfaceAddresses found, TargetSettings settings) throws ServiceException {
        for (ServedDevice device : served) {
            if (device.interfaceName().equals(found.name())) {
                device.attach(address);
                LOG.info("{} serves {} too", device.device().name(), Addresses.plain(address));
                return;
            }
        }
        ServedDevice added = ServedDevice.open(site, found, identification, settings.port(found.addresses()));
        served.add(added);
        LOG.info("{} serves {}", added.device().name(), Addresses.plain(address));
        changed();
    }

    /**
     * Serves on {@code address} no more. With the last address of a device the initiators on it are logged out and the device is
     * closed; else their connections end by their time-outs.
     */
    synchronized void remove(InetAddress address) throws ServiceException {
        ServedDevice device = find(address);
        if (device.addresses().size() > 1) {
            device.detach(address, true);
            LOG.info("{} serves {} no more", device.device().name(), Addresses.plain(address));
        } else {
            close(device);
        }
    }

    private void close(ServedDevice device) {
        device.close();
        served.remove(device);
        LOG.info("{} serves no more", device.device().name());
        changed();
    }

    /** Has the ports of each device as {@code settings} say of its addresses; completes with the sessions that end by it. */
    synchronized void configurePorts(TargetSettings settings) throws ServiceException {
        for (ServedDevice device : served) {
            device.configurePorts(settings.port(device.addresses()));
        }
    }

    private ServedDevice find(InetAddress address) throws ServiceException {
        for (ServedDevice device : served) {
            if (device.addresses().contains(address)) {
                return device;
            }
        }
        throw new ServiceException(Addresses.plain(address) + " is not served");
    }

    /**
     * Looks whether addresses of this machine have gone, come back, or moved to another interface, and takes them away from
     * their devices and gives them back; one that moved is served by the device of its interface now, as {@code settings} say.
     * Belongs to be called now and then: what fails is tried again then.
     */
    synchronized void lookAtAddresses(TargetSettings settings) {
        for (ServedDevice device : served) {
            for (InetAddress address : device.addresses()) {
                try {
                    lookAt(device, address, settings);
                    complaints.remove(address);
                } catch (ServiceException e) {
                    complain(address, String.valueOf(e.getMessage()));
                }
            }
        }
    }

    private void lookAt(ServedDevice device, InetAddress address, TargetSettings settings) throws ServiceException {
        InterfaceAddresses now = site.devices().interfaceOf(address);
        boolean itsOwn = now != null && now.name().equals(device.interfaceName());
        boolean attached = device.isAttached(address);
        if (itsOwn && !attached) {
            device.attach(address);
            LOG.info("{} is an address of this machine again", Addresses.plain(address));
        } else if (!itsOwn && attached) {
            device.detach(address, false);
            LOG.warn("{} is no address of {} any more", Addresses.plain(address), device.interfaceName());
        }
        if (now != null && !itsOwn) {
            serve(address, now, settings);
            device.forget(address);
            if (device.addresses().isEmpty()) {
                close(device);
            }
            warnOfGroups(settings.alua());
        }
    }

    /** An address that has moved may be in other target port groups than the port that it has now. */
    private void warnOfGroups(AluaSettings alua) throws ServiceException {
        try {
            AluaInterfaces.of(alua, addresses(), site.devices()).check(null);
        } catch (ConfigurationException e) {
            LOG.warn("{}; until then they are reached as the first", e.getMessage());
        }
    }

    /** Says what is wrong once, not at each look. */
    private void complain(InetAddress address, String what) {
        if (what.equals(complaints.put(address, what))) {
            LOG.debug("{}: {}", Addresses.plain(address), what);
        } else {
            LOG.warn("{} is looked at again: {}", Addresses.plain(address), what);
        }
    }

    /** Tells discovery what the target grants now. */
    void describe() {
        served.forEach(device -> device.describe(identification));
    }

    /** What discovery shows to humans from now on. */
    void identification(String text) {
        identification = text;
        describe();
    }

    List<RdmaDevice> devices() {
        return served.stream().map(ServedDevice::device).toList();
    }

    /** The addresses that are served, those that are away included. */
    List<InetAddress> addresses() {
        List<InetAddress> all = new ArrayList<>();
        served.forEach(device -> all.addAll(device.addresses()));
        return all;
    }

    /** The addresses of the device with a port that {@code which} is about; empty if there is none. */
    List<InetAddress> addressesOf(Predicate<SrptPort> which) {
        return served.stream()
                .filter(device -> device.ports().stream().anyMatch(which))
                .findFirst()
                .map(ServedDevice::addresses)
                .orElse(List.of());
    }

    /** All initiators are logged out, then all devices are freed. */
    synchronized void close() {
        closed = true;
        try {
            Blocking.await("logging initiators out", site.target().close());
        } catch (ServiceException e) {
            LOG.warn("While stopping: {}", e.getMessage());
        }
        served.forEach(ServedDevice::close);
        served.clear();
    }
}
