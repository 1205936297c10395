package io.srpt.service;

import io.srpt.reactor.SrptTargetRuntime;
import io.srpt.reactor.fault.FaultInjection;
import io.srpt.roce.net.FaultSpec;
import io.srpt.store.BlockStore;
import io.srpt.store.StoreException;
import io.srpt.store.StoreSpec;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes a target inside another program, on the software RoCEv2 provider.
 *
 * <pre>{@code
 *   try (SrptServer server = SrptServer.builder().lun("memory:64MiB").start()) {
 *       server.runtime().streams().loginEvents().subscribe(System.out::println);
 *       …
 *   }
 * }</pre>
 *
 * <p>Not thread-safe; use it once.
 */
public final class SrptServerBuilder {
    private final Set<InetAddress> listen = new LinkedHashSet<>();
    private final List<LunSource> luns = new ArrayList<>();
    private UnaryOperator<SrptTargetRuntime.Builder> runtime = builder -> builder;
    private AccessPolicy access = new AccessPolicy.Any();
    private OptionalLong serviceGuid = OptionalLong.empty();
    private int rdmaCmPort = ServeConfiguration.DEFAULT_RDMA_CM_PORT;
    private TargetSettings target = TargetSettings.DEFAULT;
    private @Nullable FaultInjection faults;
    private Path stateDirectory = Path.of("");

    SrptServerBuilder() {}

    /** An address of this machine to serve on; 127.0.0.1 if none is given. */
    public SrptServerBuilder listen(InetAddress address) {
        listen.add(address);
        return this;
    }

    /**
     * A disk, as {@code --lun} has it: {@code memory:64MiB}, {@code file:/path:10GiB}. The first one is LUN 0.
     *
     * @throws IllegalArgumentException if it can't be read
     */
    public SrptServerBuilder lun(String store) {
        try {
            luns.add(LunSource.of(StoreSpec.parse(store)));
        } catch (StoreException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        return this;
    }

    /** A disk of one's own. It is closed with the server. */
    public SrptServerBuilder lun(BlockStore store) {
        luns.add(LunSource.of(store));
        return this;
    }

    /** Port number of the RDMA/CM service; 5555 unless set. */
    public SrptServerBuilder rdmaCmPort(int port) {
        rdmaCmPort = port;
        return this;
    }

    /** The target's identity; a new one each time unless set. */
    public SrptServerBuilder serviceGuid(long guid) {
        serviceGuid = OptionalLong.of(guid);
        return this;
    }

    /** Who may log in; everybody unless set. */
    public SrptServerBuilder access(AccessPolicy policy) {
        access = policy;
        return this;
    }

    /** What the target grants and tells; the defaults of the Linux driver unless set. */
    public SrptServerBuilder target(TargetSettings settings) {
        target = settings;
        return this;
    }

    /** Sets handlers and observers' settings; may be called several times. */
    public SrptServerBuilder runtime(UnaryOperator<SrptTargetRuntime.Builder> settings) {
        UnaryOperator<SrptTargetRuntime.Builder> before = runtime;
        runtime = builder -> settings.apply(before.apply(builder));
        return this;
    }

    /** Where persistent reservations outlive this process, if initiators ask for that; without, they are refused that. */
    public SrptServerBuilder stateDirectory(Path directory) {
        stateDirectory = directory;
        return this;
    }

    /** What goes wrong on purpose. */
    public SrptServerBuilder faults(FaultInjection injection) {
        faults = injection;
        return this;
    }

    /** Starts it; it takes logins when this returns. What was started is stopped again if a step fails. */
    public SrptServer start() throws ServiceException {
        if (luns.isEmpty()) {
            throw new IllegalStateException("there is no disk to serve; call lun(...) first");
        }
        long guid = serviceGuid.orElseGet(SrptServerBuilder::randomGuid);
        List<InetAddress> addresses =
                listen.isEmpty() ? List.of(InetAddress.ofLiteral("127.0.0.1")) : List.copyOf(listen);
        ServeConfiguration configuration = new ServeConfiguration(
                List.of(),
                addresses,
                rdmaCmPort,
                OptionalLong.of(guid),
                stateDirectory,
                null,
                FaultSpec.NONE,
                List.of(),
                null,
                0,
                access,
                false,
                target,
                RuntimeSettings.withoutHttp());
        return SrptServer.start(configuration, guid, new RoceDevices(), new ServerExtensions(luns, runtime, faults));
    }

    /** As {@link ServiceGuidFile} makes them: locally administered, and never 0. */
    private static long randomGuid() {
        return Guid.random(new SecureRandom()::nextLong);
    }
}
