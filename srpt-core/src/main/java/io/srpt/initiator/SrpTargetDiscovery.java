package io.srpt.initiator;

import io.srpt.mad.MadAddress;
import io.srpt.mad.MadPort;
import io.srpt.mad.dm.DeviceManagementClient;
import io.srpt.mad.dm.DiscoveredController;
import io.srpt.mad.dm.DiscoveryListener;
import io.srpt.mad.dm.IoControllerProfile;
import io.srpt.mad.dm.ServiceEntry;
import io.srpt.verbs.Gid;
import io.srpt.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * Finds the SRP targets of an I/O unit: asks it for its controllers and keeps the SRP ones.
 *
 * <p>Threads: any; the work is done on the port's loop.
 */
public final class SrpTargetDiscovery {
    private SrpTargetDiscovery() {}

    /**
     * Asks the unit at {@code gid} from our address {@code sourceGidIndex}. The result fails with a {@link SrpException} when
     * it does not answer; it completes on the port's loop.
     */
    public static CompletableFuture<List<DiscoveredTarget>> discover(MadPort port, int sourceGidIndex, Gid gid) {
        CompletableFuture<List<DiscoveredTarget>> result = new CompletableFuture<>();
        port.loop().execute(() -> {
            try {
                ask(port, MadAddress.generalServices(sourceGidIndex, gid), result);
            } catch (VerbsException e) {
                result.completeExceptionally(new SrpException("discover: " + e.getMessage(), e));
            }
        });
        return result;
    }

    private static void ask(MadPort port, MadAddress unit, CompletableFuture<List<DiscoveredTarget>> result)
            throws VerbsException {
        DeviceManagementClient client = new DeviceManagementClient(port.mads());
        client.discover(unit, new DiscoveryListener() {
            @Override
            public void onDiscovered(List<DiscoveredController> controllers) {
                // the client may still be in the middle of the answer that ended the discovery
                port.loop().execute(client::close);
                result.complete(targets(controllers));
            }

            @Override
            public void onDiscoveryFailed(String reason) {
                port.loop().execute(client::close);
                result.completeExceptionally(new SrpException("discover: " + reason));
            }
        });
    }

    /** One target for each SRP service of each SRP controller. */
    static List<DiscoveredTarget> targets(List<DiscoveredController> controllers) {
        List<DiscoveredTarget> targets = new ArrayList<>();
        for (DiscoveredController controller : controllers) {
            IoControllerProfile profile = controller.profile();
            for (ServiceEntry service : controller.services()) {
                OptionalLong idExtension = service.srpIdExtension();
                if (profile.isSrp() && idExtension.isPresent()) {
                    targets.add(new DiscoveredTarget(
                            idExtension.getAsLong(),
                            profile.guid(),
                            service.name(),
                            service.serviceId(),
                            profile.ioClass(),
                            profile.sendMessageSize(),
                            profile.rdmaTransferSize(),
                            profile.id()));
                }
            }
        }
        return targets;
    }
}
