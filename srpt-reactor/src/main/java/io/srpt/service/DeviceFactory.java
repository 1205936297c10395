package io.srpt.service;

import io.srpt.loop.RdmaEventLoop;
import io.srpt.roce.net.FaultSpec;
import io.srpt.roce.packet.PcapWriter;
import io.srpt.verbs.RdmaDevice;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/** Opens the RDMA devices that the service runs on: the one place that knows the provider. */
@FunctionalInterface
interface DeviceFactory {
    /**
     * Opens a device with one port for the addresses of one network interface. Not on the loop; the result answers.
     *
     * @throws ServiceException with a message for the operator, for a port in use too
     */
    RdmaDevice open(RdmaEventLoop loop, InterfaceAddresses addresses, Extras extras) throws ServiceException;

    /** The network interface of this machine that has {@code address} now, null if none has. */
    default @Nullable InterfaceAddresses interfaceOf(InetAddress address) throws ServiceException {
        return InterfaceAddresses.find(address);
    }

    /**
     * Adds an address of its interface to a device that {@link #open} gave. Not on the loop.
     *
     * @throws ServiceException with a message for the operator; always, if the provider cannot
     */
    default void attach(RdmaDevice device, RdmaEventLoop loop, InetAddress address, Extras extras)
            throws ServiceException {
        throw new ServiceException("cannot serve " + Addresses.plain(address) + " too: " + device.name()
                + " takes no more addresses while it runs; restart srpt for that");
    }

    /** Takes an address away from a device that {@link #open} gave; connections over it end by their time-outs. Not on the loop. */
    default void detach(RdmaDevice device, RdmaEventLoop loop, InetAddress address) throws ServiceException {
        throw new ServiceException("cannot leave " + Addresses.plain(address) + ": " + device.name()
                + " keeps its addresses while it runs; restart srpt for that");
    }

    /**
     * What is special about it.
     *
     * @param mtu largest path MTU, 0 for the interface's
     * @param capture takes all packets, or null
     * @param faults what to break on purpose
     */
    record Extras(int mtu, @Nullable PcapWriter capture, FaultSpec faults) {
        /** Nothing is. */
        static final Extras NONE = new Extras(0, null, FaultSpec.NONE);
    }
}
