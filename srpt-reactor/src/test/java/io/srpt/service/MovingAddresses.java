package io.srpt.service;

import io.srpt.loop.RdmaEventLoop;
import io.srpt.verbs.RdmaDevice;
import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The software provider on a machine whose addresses are where a test says. */
final class MovingAddresses implements DeviceFactory {
    static final String NOWHERE = "";

    private final DeviceFactory roce = new RoceDevices();
    private final Map<InetAddress, String> interfaces = new ConcurrentHashMap<>();

    void move(String address, String interfaceName) {
        interfaces.put(InetAddress.ofLiteral(address), interfaceName);
    }

    @Override
    public @Nullable InterfaceAddresses interfaceOf(InetAddress address) throws ServiceException {
        InterfaceAddresses real = InterfaceAddresses.of(address, roce);
        String name = interfaces.getOrDefault(address, real.name());
        return name.equals(NOWHERE) ? null : new InterfaceAddresses(name, real.mtu(), real.addresses());
    }

    @Override
    public RdmaDevice open(RdmaEventLoop loop, InterfaceAddresses addresses, Extras extras) throws ServiceException {
        return roce.open(loop, addresses, extras);
    }

    @Override
    public void attach(RdmaDevice device, RdmaEventLoop loop, InetAddress address, Extras extras)
            throws ServiceException {
        roce.attach(device, loop, address, extras);
    }

    @Override
    public void detach(RdmaDevice device, RdmaEventLoop loop, InetAddress address) throws ServiceException {
        roce.detach(device, loop, address);
    }
}
