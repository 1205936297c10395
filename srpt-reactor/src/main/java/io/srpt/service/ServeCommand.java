package io.srpt.service;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code srpt serve}: a target until it is told to stop. */
@Command(
        name = "serve",
        description =
                "Serves disks to SRP initiators until it gets SIGTERM. Prints one line per address when it is ready,"
                        + " as the Linux initiator's add_target file wants it. SIGTERM once: finishes what it can and logs initiators"
                        + " out. Twice: stops at once. SIGHUP: reads the file of --config again and follows it; the log says"
                        + " what has changed and what needs a restart. Without --config it stops, too.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:it was told to stop",
            "1:it failed at run time",
            "2:wrong options or configuration",
            "3:it was told to stop a second time, and stopped at once"
        })
final class ServeCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);

    private final CommandContext context;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "YAML file with the names of these options as keys, and 'acls': any, or a list of initiators:"
                    + " port ids, GUIDs, addresses or networks, each with the LUNs that it sees where not all. A file without acls lets nobody in. The environment (SRPT_LUN, SRPT_LISTEN, ...;"
                    + " white space between several values) wins over the file, and options win over both.")
    private @Nullable Path config;

    @Option(
            names = "--lun",
            paramLabel = "STORE",
            description = "A disk: memory:64MiB, or file:/path[:size]. May repeat: LUN 0, 1, ...")
    private List<String> lun = new ArrayList<>();

    @Option(
            names = "--listen",
            paramLabel = "ADDR",
            description =
                    "An address of this machine. May repeat. Default: 127.0.0.1; provider disni: all of the device")
    private List<String> listen = new ArrayList<>();

    @Option(
            names = "--provider",
            paramLabel = "roce|disni",
            description = "Whose RDMA it is: our own software RoCEv2, or an RDMA device of this machine. Default: roce")
    private @Nullable String provider;

    @Option(
            names = "--device",
            paramLabel = "NAME",
            description = "Provider disni: the device, such as mlx5_0. Default: the one that has the addresses")
    private @Nullable String device;

    @Option(
            names = "--mad-send",
            paramLabel = "udqp|umad",
            description = "Provider disni: how answers to discovery leave. Default: udqp, a queue pair of ours")
    private @Nullable String madSend;

    @Option(
            names = "--rdma-cm-port",
            paramLabel = "PORT",
            description = "Port number of the RDMA/CM service. Default: 5555")
    private @Nullable String rdmaCmPort;

    @Option(
            names = "--service-guid",
            paramLabel = "GUID",
            description =
                    "The target's identity, 16 hexadecimal digits. Default: made once and kept in the state directory")
    private @Nullable String serviceGuid;

    @Option(
            names = "--srp",
            paramLabel = "KEY=VALUE,...",
            description = "What the target grants, by the names of the Linux driver's parameters: max-req-size=8276,"
                    + " max-rsp-size=256, sq-size=4096, max-rdma-size=65536, use-srq=false, srq-size=4095,"
                    + " async-events=false, target-logout=false, identification=TEXT. These are the defaults")
    private @Nullable String srp;

    @Option(
            names = "--state-dir",
            paramLabel = "DIR",
            description = "Default: $STATE_DIRECTORY, else $XDG_STATE_HOME/srpt, else ~/.local/state/srpt")
    private @Nullable String stateDir;

    @Option(names = "--pcap", paramLabel = "FILE", description = "Writes all packets to a file that Wireshark reads.")
    private @Nullable String pcap;

    @Option(
            names = "--faults",
            paramLabel = "KEY=VALUE,...",
            description = "Injects faults for tests: seed=1,loss=0.01,duplicate=0.5%%,reorder=0.005")
    private @Nullable String faults;

    @Option(
            names = "--inject",
            paramLabel = "RULE",
            description = {
                "Does something wrong with commands or management replies, for tests of initiators. May repeat. Of what:"
                        + " command=READ_10, command=0xA8, command=any, lba=N, channel=N; mad, attribute=N. Which: nth=N,"
                        + " every=N, from=N. What:"
                        + " delay=3s, drop, sense=3/11/00, status=BUSY, kill. Such as command=READ_10,every=200,delay=3s or"
                        + " lba=1000,sense=3/11/00 or mad,nth=1,drop"
            })
    private List<String> inject = new ArrayList<>();

    @Option(
            names = "--stats-file",
            paramLabel = "FILE",
            description = "Writes what /metrics shows to a file, every second and at exit.")
    private @Nullable String statsFile;

    @Option(
            names = "--mtu",
            paramLabel = "BYTES",
            description = "Largest path MTU: 256, 512, 1024, 2048 or 4096. Default: what the interface takes")
    private @Nullable String mtu;

    @Option(
            names = "--http",
            paramLabel = "ADDR:PORT",
            description = "Where metrics, health, status and events can be read: /metrics, /healthz, /readyz, /api/v1/,"
                    + " /events. Or none. Default: 127.0.0.1:9464")
    private @Nullable String http;

    @Option(
            names = "--http-token-file",
            paramLabel = "FILE",
            description =
                    "A file with the token that requests over HTTP which change something must carry, 16 characters or"
                            + " more, which others may not read. Default: none, and nothing can be changed over HTTP")
    private @Nullable String httpTokenFile;

    @Option(names = "--log-format", paramLabel = "text|json", description = "How log lines look. Default: text")
    private @Nullable String logFormat;

    @Option(
            names = "--poll-spin",
            paramLabel = "TIME",
            description = "How long an idle event loop polls before it sleeps, such as 50us: less latency for a busy"
                    + " processor; 0us to sleep at once. Default: up to 100us while its last pauses were shorter")
    private @Nullable String pollSpin;

    @Option(
            names = "--metrics-initiators",
            paramLabel = "N",
            description =
                    "Gives sessions, channels, commands in flight and credits a label with the initiator, for at most"
                            + " N of them. Default: 0, no such label")
    private @Nullable String metricsInitiators;

    @Option(
            names = "--drain-timeout",
            paramLabel = "TIME",
            description = "How long to wait for commands in hand before initiators are logged out. Default: 3s")
    private @Nullable String drainTimeout;

    ServeCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws ConfigurationException, ServiceException {
        ConfigurationSource source = source();
        ConfigurationSource.Reading reading = source.read();
        ServeConfiguration configuration = reading.configuration();
        LogOutput.use(configuration.runtime().logFormat());
        long guid = guid(configuration);
        if (configuration.openByDefault()) {
            LOG.warn("Every initiator may log in; to limit that, give a --config file with acls");
        } else if (configuration.access() instanceof AccessPolicy.Listed listed
                && listed.rules().isEmpty()) {
            LOG.warn("No initiator may log in: {} has no acls", config);
        }
        if (!configuration.inject().isEmpty()) {
            LOG.warn("Faults are injected on purpose: {}", configuration.inject());
        }
        context.stop().listen();
        TargetService service =
                TargetService.start(source, reading, guid, devices(configuration), context.environment());
        if (config != null) {
            context.stop().onReload(service::reloadAsTold);
        }
        PrintWriter out = SrptCommand.out(spec);
        service.addresses().forEach(out::println);
        out.flush();
        context.stop().awaitAndRun(() -> {
            LOG.info("Stopping");
            service.close();
        });
        return ExitCode.OK;
    }

    private DeviceFactory devices(ServeConfiguration configuration) {
        return configuration.runtime().provider().factory(context.devices());
    }

    /** Where its configuration comes from, once the command line is parsed. */
    ConfigurationSource source() {
        ServeSettings said = new ServeSettings.Options()
                .add(SettingKey.LUN, lun)
                .add(SettingKey.LISTEN, listen)
                .add(SettingKey.PROVIDER, provider)
                .add(SettingKey.DEVICE, device)
                .add(SettingKey.MAD_SEND, madSend)
                .add(SettingKey.RDMA_CM_PORT, rdmaCmPort)
                .add(SettingKey.SERVICE_GUID, serviceGuid)
                .add(SettingKey.SRP, srp)
                .add(SettingKey.STATE_DIR, stateDir)
                .add(SettingKey.PCAP, pcap)
                .add(SettingKey.FAULTS, faults)
                .add(SettingKey.INJECT, inject)
                .add(SettingKey.STATS_FILE, statsFile)
                .add(SettingKey.MTU, mtu)
                .add(SettingKey.HTTP, http)
                .add(SettingKey.HTTP_TOKEN_FILE, httpTokenFile)
                .add(SettingKey.LOG_FORMAT, logFormat)
                .add(SettingKey.POLL_SPIN, pollSpin)
                .add(SettingKey.METRICS_INITIATORS, metricsInitiators)
                .add(SettingKey.DRAIN_TIMEOUT, drainTimeout)
                .build()
                .orElse(ServeSettings.ofEnvironment(context.environment()));
        return new ConfigurationSource(
                said, config, StateDirectory.of(context.environment(), context.home()), context.devices());
    }

    private long guid(ServeConfiguration configuration) throws ServiceException {
        OptionalLong given = configuration.serviceGuid();
        return given.isPresent()
                ? given.getAsLong()
                : new ServiceGuidFile(configuration.stateDirectory(), context.random()).readOrCreate();
    }
}
