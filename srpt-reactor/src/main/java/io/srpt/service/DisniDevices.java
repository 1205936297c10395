package io.srpt.service;

import io.srpt.disni.Disni;
import io.srpt.disni.DisniProvider;
import io.srpt.disni.DisniSettings;
import io.srpt.loop.RdmaEventLoop;
import io.srpt.verbs.Gid;
import io.srpt.verbs.RdmaDevice;
import io.srpt.verbs.VerbsException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** The RDMA devices of this machine, through DiSNI. */
final class DisniDevices implements DeviceFactory {
    private final ProviderChoice choice;

    DisniDevices(ProviderChoice choice) {
        this.choice = choice;
    }

    /** The addresses of the chosen device, or of all; for who does not say which to listen on. */
    List<InetAddress> addresses() throws ServiceException {
        try {
            DisniProvider provider = Disni.provider();
            List<InetAddress> addresses = new ArrayList<>();
            for (String device : candidates(provider)) {
                for (Gid gid : provider.addresses(device)) {
                    InetAddress address = gid.toInetAddress();
                    if (!address.isLinkLocalAddress()) {
                        addresses.add(address);
                    }
                }
            }
            if (addresses.isEmpty()) {
                throw new ServiceException(nothing(provider));
            }
            return addresses;
        } catch (VerbsException e) {
            throw new ServiceException(String.valueOf(e.getMessage()), e);
        }
    }

    private List<String> candidates(DisniProvider provider) {
        return choice.device() == null ? provider.deviceNames() : List.of(choice.device());
    }

    private static String nothing(DisniProvider provider) {
        return provider.deviceNames().isEmpty()
                ? "there is no RDMA device; `rdma link` shows those that the kernel has"
                : "no address on any of " + String.join(", ", provider.deviceNames());
    }

    @Override
    public RdmaDevice open(RdmaEventLoop loop, InterfaceAddresses addresses, Extras extras) throws ServiceException {
        List<Gid> gids = addresses.addresses().stream().map(Gid::of).toList();
        CompletableFuture<RdmaDevice> opened = new CompletableFuture<>();
        try {
            DisniProvider provider = Disni.provider();
            DisniSettings settings = DisniSettings.of(deviceWith(provider, gids))
                    .withAddresses(gids)
                    .withMadSend(choice.madSend());
            loop.execute(() -> {
                try {
                    opened.complete(provider.open(loop, settings));
                } catch (VerbsException | RuntimeException e) {
                    opened.completeExceptionally(e);
                }
            });
            return opened.get();
        } catch (VerbsException e) {
            throw new ServiceException(String.valueOf(e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServiceException("interrupted while an RDMA device was opened", e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new ServiceException(String.valueOf(cause.getMessage()), cause);
        }
    }

    private String deviceWith(DisniProvider provider, List<Gid> gids) throws VerbsException, ServiceException {
        for (String device : candidates(provider)) {
            if (provider.addresses(device).containsAll(gids)) {
                return device;
            }
        }
        if (provider.deviceNames().isEmpty()) {
            throw new ServiceException(nothing(provider));
        }
        throw new ServiceException(
                "no RDMA device has " + gids + "; there are: " + String.join(", ", provider.deviceNames()));
    }
}
