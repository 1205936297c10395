package io.srpt.service.remote;

import io.srpt.store.ByteSize;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code srpt lun}: the disks of a running service. */
@Command(
        name = "lun",
        description =
                "Lists the disks of a running service, adds, removes and grows them. What is changed is lost with the"
                        + " service unless 'srpt config save' keeps it.",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:done", "1:no answer, or the service refuses and says why", "2:wrong options"})
public final class LunCommand implements Runnable {
    @Mixin
    private final RemoteOptions remote;

    @Spec
    private @Nullable CommandSpec spec;

    /** With the variables of {@code environment}. */
    public LunCommand(Map<String, String> environment) {
        remote = new RemoteOptions(environment);
    }

    @Override
    public void run() {
        throw RemoteOptions.missing(spec);
    }

    @Command(name = "list", description = "Lists the disks: number, size, store, serial number, commands, reservation.")
    int list() throws IOException {
        Table table = new Table("luns")
                .column("LUN", "lun")
                .column("SIZE", lun -> size(lun.get("bytes")))
                .column("STORE", "store")
                .column("SERIAL", "serial")
                .column("COMMANDS", "commands")
                .column("RESERVED", LunCommand::reservation);
        return remote.print(remote.service().get("luns"), table::print);
    }

    /** The type of a reservation, and its holder where there is one. */
    private static @Nullable Object reservation(Map<?, ?> lun) {
        return lun.get("reservation") instanceof Map<?, ?> its
                ? its.get("type") + (its.get("holder") == null ? "" : " by " + its.get("holder"))
                : null;
    }

    @Command(name = "add", description = "Adds a disk. Initiators that are logged in learn of it by unit attention.")
    int add(
            @Parameters(
                            paramLabel = "STORE",
                            description = "As in the configuration: file:/path[:size], block:/dev/name, memory:size."
                                    + " Paths are the service's.")
                    String store,
            @Option(names = "--lun", paramLabel = "N", description = "Its number. Default: the first one that is free.")
                    @Nullable
                    Integer lun,
            @Option(names = "--serial", paramLabel = "TEXT", description = "Its serial number.") @Nullable
                    String serial,
            @Option(names = "--product", paramLabel = "TEXT", description = "What INQUIRY says that it is.") @Nullable
                    String product,
            @Option(names = "--block-size", paramLabel = "BYTES", description = "512 or 4096. Default: 512") @Nullable
                    Integer blockSize,
            @Option(names = "--read-only", description = "Nobody may write.") boolean readOnly)
            throws IOException {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("store", store);
        put(body, "lun", lun);
        put(body, "serial", serial);
        put(body, "product", product);
        put(body, "block-size", blockSize);
        put(body, "read-only", readOnly ? Boolean.TRUE : null);
        return print(remote.service().send("POST", "luns", body), "added");
    }

    private static void put(Map<String, Object> body, String name, @Nullable Object value) {
        if (value != null) {
            body.put(name, value);
        }
    }

    @Command(
            name = "remove",
            description =
                    "Takes a disk away, when the commands that are in hand have ended. Its store is left as it is.")
    int remove(@Parameters(paramLabel = "LUN", description = "Its number.") int lun) throws IOException {
        return remote.print(
                remote.service().send("DELETE", "luns/" + lun, Map.of()),
                (out, answer) -> out.println("LUN " + lun + ": removed"));
    }

    @Command(name = "grow", description = "Grows a disk. Initiators that are logged in learn of it by unit attention.")
    int grow(
            @Parameters(paramLabel = "LUN", description = "Its number.") int lun,
            @Parameters(
                            arity = "0..1",
                            paramLabel = "SIZE",
                            description = "The new size, such as 20GiB. Default: looks whether its file or device was"
                                    + " grown from outside.")
                    @Nullable
                    String size)
            throws IOException {
        Map<String, Object> body = size == null ? Map.of() : Map.of("size", size);
        return print(remote.service().send("POST", "luns/" + lun + "/grow", body), "has");
    }

    private int print(Map<String, Object> answer, String what) {
        return remote.print(
                answer,
                (out, lun) -> out.println("LUN " + lun.get("lun") + ": " + what + " " + size(lun.get("bytes")) + ", "
                        + lun.get("store")));
    }

    private static String size(@Nullable Object bytes) {
        return bytes instanceof Number number ? ByteSize.format(number.longValue()) : "?";
    }
}
