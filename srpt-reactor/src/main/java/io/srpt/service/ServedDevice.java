package io.srpt.service;

import io.srpt.loop.RdmaEventLoop;
import io.srpt.mad.MadPort;
import io.srpt.mad.dm.DeviceManagementAgent;
import io.srpt.reactor.SrptTargetRuntime;
import io.srpt.reactor.fault.FaultInjection;
import io.srpt.target.SrptPort;
import io.srpt.target.SrptTarget;
import io.srpt.verbs.Gid;
import io.srpt.verbs.RdmaDevice;
import io.srpt.verbs.RdmaPort;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A device on which the target is served, and what hangs on it: streams, target ports, answers to discovery, faults. Made in
 * that order and taken apart in the opposite one. Not on the loop, one at a time.
 */
final class ServedDevice {
    private static final Logger LOG = LoggerFactory.getLogger(ServedDevice.class);

    private final Site site;
    private final RdmaDevice device;
    private final String interfaceName;
    private final List<InetAddress> addresses;
    private final List<ServedPort> ports = new ArrayList<>();
    private final List<DeviceManagementAgent> agents = new ArrayList<>();
    private final Deque<Step> steps = new ArrayDeque<>();

    /**
     * Where devices are served.
     *
     * @param faults what goes wrong on purpose, null for nothing
     */
    record Site(
            RdmaEventLoop loop,
            DeviceFactory devices,
            DeviceFactory.Extras extras,
            SrptTarget target,
            SrptTargetRuntime streams,
            ServedGroups groups,
            @Nullable FaultInjection faults) {}

    /** How to take one thing apart again. */
    @FunctionalInterface
    private interface Step {
        void undo() throws ServiceException;
    }

    private ServedDevice(Site site, RdmaDevice device, InterfaceAddresses addresses) {
        this.site = site;
        this.device = device;
        this.interfaceName = addresses.name();
        this.addresses = new ArrayList<>(addresses.addresses());
        steps.add(() -> Blocking.onLoop(site.loop(), "closing " + device.name(), device::close));
    }

    /**
     * Opens the device of these addresses and serves the target on it, or leaves nothing behind.
     *
     * @param settings what is special about its ports, null for nothing
     */
    static ServedDevice open(
            Site site, InterfaceAddresses addresses, String identification, @Nullable PortSettings settings)
            throws ServiceException {
        ServedDevice served =
                new ServedDevice(site, site.devices().open(site.loop(), addresses, site.extras()), addresses);
        try {
            served.serve(identification);
            served.configurePorts(settings);
        } catch (ServiceException | RuntimeException e) {
            served.close();
            throw e;
        }
        return served;
    }

    private void serve(String identification) throws ServiceException {
        SrptTargetRuntime streams = site.streams();
        Blocking.await("watching " + device.name(), streams.addDevice(device));
        steps.add(() -> Blocking.await("leaving " + device.name(), streams.removeDevice(device)));
        for (RdmaPort port : device.ports()) {
            serve(port, identification);
        }
    }

    /** The streams are there before the first completion, and the rules before the first login. */
    private void serve(RdmaPort port, String identification) throws ServiceException {
        SrptPort added = Blocking.await(
                "offering the target on " + device.name(), site.target().addPort(port));
        steps.add(() -> Blocking.await(
                "logging initiators out of " + device.name(), site.target().removePort(added)));
        DeviceManagementAgent discovery = port instanceof MadPort madPort ? discovery(madPort, identification) : null;
        Blocking.await(
                "handling completions on " + device.name(), site.streams().addPort(added, discovery));
        steps.add(() -> Blocking.await(
                "ending streams of " + device.name(), site.streams().removePort(added)));
        if (site.faults() != null) {
            Blocking.await("injecting faults on " + device.name(), site.faults().install(added));
        }
        ports.add(new ServedPort(added));
    }

    /** Has its ports as {@code settings} say, null for nothing special. */
    void configurePorts(@Nullable PortSettings settings) throws ServiceException {
        for (ServedPort port : ports) {
            port.configure(settings);
        }
    }

    private DeviceManagementAgent discovery(MadPort port, String identification) throws ServiceException {
        List<DeviceManagementAgent> made = new ArrayList<>();
        Blocking.onLoop(
                port.loop(),
                "answering discovery",
                () -> made.add(new DeviceManagementAgent(
                        port.mads(),
                        TargetSettings.describe(site.target().config(), identification, device.attributes()))));
        DeviceManagementAgent agent = made.getFirst();
        agents.add(agent);
        steps.add(() -> Blocking.onLoop(port.loop(), "ending discovery", agent::close));
        return agent;
    }

    /** Tells discovery what the target grants now. */
    void describe(String identification) {
        for (DeviceManagementAgent agent : agents) {
            site.loop()
                    .execute(() -> agent.description(
                            TargetSettings.describe(site.target().config(), identification, device.attributes())));
        }
    }

    void attach(InetAddress address) throws ServiceException {
        site.devices().attach(device, site.loop(), address, site.extras());
        if (!addresses.contains(address)) {
            addresses.add(address);
        }
    }

    /** Takes an address away: for good, or until it is attached again. */
    void detach(InetAddress address, boolean forGood) throws ServiceException {
        site.devices().detach(device, site.loop(), address);
        if (forGood) {
            forget(address);
        }
    }

    /** An address that was taken away does not come back here. */
    void forget(InetAddress address) throws ServiceException {
        addresses.remove(address);
        settleGroups();
    }

    /** Its ports are in the target port groups of the first of its addresses, which may be another one now. */
    private void settleGroups() throws ServiceException {
        if (!addresses.isEmpty()) {
            InetAddress first = addresses.getFirst();
            Blocking.onLoop(
                    site.loop(),
                    "joining target port groups",
                    () -> ports.forEach(port -> site.groups().settle(port.port(), first)));
        }
    }

    boolean isAttached(InetAddress address) {
        return device.ports().getFirst().gids().contains(Gid.of(address));
    }

    /** Stops discovery, logs initiators out and frees the device; each step has a bound. */
    void close() {
        for (Step step = steps.pollLast(); step != null; step = steps.pollLast()) {
            try {
                step.undo();
            } catch (ServiceException e) {
                LOG.warn("While stopping {}: {}", device.name(), e.getMessage());
            }
        }
    }

    RdmaDevice device() {
        return device;
    }

    String interfaceName() {
        return interfaceName;
    }

    List<InetAddress> addresses() {
        return List.copyOf(addresses);
    }

    List<SrptPort> ports() {
        return ports.stream().map(ServedPort::port).toList();
    }
}
