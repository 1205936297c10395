package io.srpt.service;

import io.srpt.initiator.DiscoveredTarget;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code srpt discover}: the targets at an address. */
@Command(
        name = "discover",
        description = "Asks an address for its SRP targets (Device Management). Prints a line for each.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:there is at least one", "1:no answer, or no target", "2:wrong options"})
final class DiscoverCommand implements Callable<Integer> {
    private final CommandContext context;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private PeerOptions peer = new PeerOptions();

    DiscoverCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws ConfigurationException, ServiceException {
        InetAddress target = peer.target();
        PrintWriter out = SrptCommand.out(spec);
        try (InitiatorHost host = InitiatorHost.openFirst(peer.local(), peer.devices(context))) {
            List<DiscoveredTarget> found = host.discover(target);
            found.forEach(one -> out.println(line(one)));
            out.flush();
            if (found.isEmpty()) {
                throw new ServiceException(Addresses.plain(target) + " has no SRP target");
            }
        }
        return ExitCode.OK;
    }

    static String line(DiscoveredTarget target) {
        return "id_ext=%s,ioc_guid=%s,service_id=%016x,io_class=%04x,max_it_iu_size=%d,max_rdma_size=%d,name=%s,id=%s"
                .formatted(
                        Guid.format(target.idExtension()),
                        Guid.format(target.iocGuid()),
                        target.serviceId(),
                        target.ioClass(),
                        target.maxRequestLength(),
                        target.maxRdmaLength(),
                        target.serviceName(),
                        target.id());
    }
}
