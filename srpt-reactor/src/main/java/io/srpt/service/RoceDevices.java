package io.srpt.service;

import io.srpt.loop.RdmaEventLoop;
import io.srpt.roce.RoceConfiguration;
import io.srpt.roce.RoceDevice;
import io.srpt.roce.net.CapturingDatagramPort;
import io.srpt.roce.net.DatagramPort;
import io.srpt.roce.net.EpollDatagramPort;
import io.srpt.roce.net.FaultSpec;
import io.srpt.roce.net.FaultyDatagramPort;
import io.srpt.roce.packet.PathMtu;
import io.srpt.verbs.Gid;
import io.srpt.verbs.RdmaDevice;
import io.srpt.verbs.VerbsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** The software RoCEv2 provider: one device for each network interface, one socket for each address. */
final class RoceDevices implements DeviceFactory {
    private static final long LOCALLY_ADMINISTERED = 0x0200_0000_0000_0000L;
    /** FF FE in the middle of an EUI-64. */
    private static final long EUI_64_FILLER = 0x0000_00FF_FE00_0000L;

    private static final int MAC_LENGTH = 6;

    @Override
    public RdmaDevice open(RdmaEventLoop loop, InterfaceAddresses addresses, Extras extras) throws ServiceException {
        PathMtu mtu = pathMtu(addresses, extras.mtu());
        RoceConfiguration configuration =
                RoceConfiguration.of("roce-" + addresses.name(), nodeGuid(addresses), mtu.bytes());
        List<DatagramPort> ports = bind(loop, addresses.addresses(), extras);
        CompletableFuture<RdmaDevice> opened = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                opened.complete(RoceDevice.open(loop, configuration, ports));
            } catch (VerbsException | RuntimeException e) {
                opened.completeExceptionally(e);
            }
        });
        try {
            return opened.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServiceException("interrupted while " + configuration.name() + " was opened", e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new ServiceException("cannot open " + configuration.name() + ": " + cause.getMessage(), cause);
        }
    }

    @Override
    public void attach(RdmaDevice device, RdmaEventLoop loop, InetAddress address, Extras extras)
            throws ServiceException {
        DatagramPort port = bind(loop, List.of(address), extras).getFirst();
        Blocking.onLoop(loop, "adding " + Addresses.plain(address), () -> ((RoceDevice) device).attach(port));
    }

    @Override
    public void detach(RdmaDevice device, RdmaEventLoop loop, InetAddress address) throws ServiceException {
        Blocking.onLoop(
                loop,
                "taking " + Addresses.plain(address) + " away",
                () -> ((RoceDevice) device).detach(Gid.of(address)));
    }

    private static List<DatagramPort> bind(RdmaEventLoop loop, List<InetAddress> addresses, Extras extras)
            throws ServiceException {
        List<DatagramPort> ports = new ArrayList<>();
        try {
            for (InetAddress address : addresses) {
                ports.add(wrap(EpollDatagramPort.bind(loop, address), extras));
            }
            return ports;
        } catch (IOException e) {
            ports.forEach(DatagramPort::close);
            throw new ServiceException(String.valueOf(e.getMessage()), e);
        }
    }

    /** The capture sees what really goes over the wire: it is nearer to it than the faults. */
    private static DatagramPort wrap(DatagramPort port, Extras extras) {
        DatagramPort captured = extras.capture() == null ? port : new CapturingDatagramPort(port, extras.capture());
        return extras.faults().equals(FaultSpec.NONE) ? captured : new FaultyDatagramPort(captured, extras.faults());
    }

    private static PathMtu pathMtu(InterfaceAddresses addresses, int limit) throws ServiceException {
        PathMtu mtu = PathMtu.ofInterfaceMtu(addresses.mtu());
        if (mtu == null) {
            throw new ServiceException("the MTU of " + addresses.name() + ", " + addresses.mtu() + ", is too small");
        }
        PathMtu limited = limit == 0 ? mtu : PathMtu.floor(Math.min(limit, mtu.bytes()));
        return limited == null ? mtu : limited;
    }

    /** EUI-64 of the interface's MAC; without one, of the first address, so that two ends on one machine differ. */
    private static long nodeGuid(InterfaceAddresses addresses) {
        InetAddress first = addresses.addresses().getFirst();
        byte[] mac = null;
        try {
            NetworkInterface found = NetworkInterface.getByInetAddress(first);
            mac = found == null ? null : found.getHardwareAddress();
        } catch (SocketException e) {
            // then as without a MAC
        }
        if (mac == null || mac.length != MAC_LENGTH) {
            long low = Gid.of(first).low();
            return LOCALLY_ADMINISTERED | EUI_64_FILLER | (low & 0xFF00_0000L) << 16 | low & 0x00FF_FFFFL;
        }
        long guid = 0;
        for (int index = 0; index < MAC_LENGTH; index++) {
            guid = guid << Byte.SIZE | mac[index] & 0xFF;
            if (index == 2) {
                guid = guid << Short.SIZE | 0xFFFE;
            }
        }
        return guid ^ LOCALLY_ADMINISTERED;
    }
}
