package io.srpt.service.lio;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Says in our settings what a {@code saveconfig.json} of LIO says, and keeps a list of all that has no counterpart.
 *
 * <p>LIO numbers LUNs per target port group and again per initiator; a target of ours has one number per disk, and lists of
 * an initiator name other numbers. A disk keeps the number of its first LUN where that is free.
 */
public final class LioImport {
    private static final String FABRIC = "srpt";
    private static final Map<String, String> PORT_ATTRIBUTES = Map.of(
            "srp_max_rdma_size", "max-rdma-size",
            "srp_max_rsp_size", "max-rsp-size",
            "srp_sq_size", "sq-size",
            "use_srq", "use-srq");

    private final LeftOut leftOut = new LeftOut();
    private final Map<String, Disk> disks = new LinkedHashMap<>();
    private final Map<Integer, Disk> numbers = new LinkedHashMap<>();
    private final List<String> listen = new ArrayList<>();
    private final List<Object> ports = new ArrayList<>();
    private final Map<String, Object> srp = new LinkedHashMap<>();
    private final List<Object> acls = new ArrayList<>();
    private final AluaImport aluaGroups = new AluaImport(leftOut);
    private Map<String, Object> alua = Map.of();

    /**
     * What came of it.
     *
     * @param settings for {@code serve --config}, in the order to be written
     * @param leftOut what has no counterpart, a line each
     */
    public record Result(Map<String, Object> settings, List<String> leftOut) {}

    private LioImport() {}

    /** Reads a whole file. */
    public static Result of(JsonNode saved) {
        LioImport reader = new LioImport();
        reader.read(saved);
        return new Result(reader.settings(), reader.leftOut.lines());
    }

    private void read(JsonNode saved) {
        for (JsonNode object : saved.path("storage_objects")) {
            Disk disk = Disk.of(object, leftOut);
            if (disk != null) {
                disks.put(disk.path(), disk);
            }
        }
        for (JsonNode target : saved.path("targets")) {
            String fabric = target.path("fabric").asString("");
            if (fabric.equals(FABRIC)) {
                target(target);
            } else {
                leftOut.add("target " + target.path("wwn").asString("") + ": fabric " + fabric + ", not " + FABRIC);
            }
        }
        for (JsonNode module : saved.path("fabric_modules")) {
            module(module);
        }
        disks.values().stream().filter(disk -> !numbers.containsValue(disk)).forEach(disk -> number(disk, 0));
        alua = aluaGroups.settings(
                saved.path("storage_objects"), path -> numberOf(Objects.requireNonNull(disks.get(path))));
    }

    private Map<String, Object> settings() {
        Map<String, Object> settings = new LinkedHashMap<>();
        if (!listen.isEmpty()) {
            settings.put("listen", listen);
        }
        List<Object> luns = new ArrayList<>();
        numbers.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> luns.add(entry.getValue().settings(entry.getKey())));
        settings.put("lun", luns);
        if (!acls.isEmpty()) {
            settings.put("acls", acls);
        }
        if (!ports.isEmpty()) {
            settings.put("ports", ports);
        }
        if (!alua.isEmpty()) {
            settings.put("alua", alua);
        }
        if (!srp.isEmpty()) {
            settings.put("srp", srp);
        }
        return settings;
    }

    private void target(JsonNode target) {
        String wwn = target.path("wwn").asString("");
        WorldWideName name = WorldWideName.parse(wwn);
        InetAddress address = name == null ? null : name.listen();
        if (address == null) {
            leftOut.add("target " + wwn + ": its name is no address; write the address into listen");
        } else if (!listen.contains(address.getHostAddress())) {
            listen.add(address.getHostAddress());
        }
        boolean enabled = false;
        for (JsonNode group : target.path("tpgs")) {
            enabled |= group.path("enable").asBoolean(false);
            targetPortGroup(
                    "target " + wwn + " tpg " + group.path("tag").asInt(1),
                    group,
                    address == null ? null : address.getHostAddress());
        }
        if (!enabled && address != null) {
            Map<String, Object> port = new LinkedHashMap<>();
            port.put("address", address.getHostAddress());
            port.put("enabled", false);
            ports.add(port);
        }
        leftOut.fields(
                "target " + wwn + " parameter",
                target.path("parameters"),
                (key, value) -> key.equals("cmd_completion_affinity") && value.equals("-1"));
    }

    private void targetPortGroup(String where, JsonNode group, @Nullable String address) {
        leftOut.fields(where + " attribute", group.path("attributes"), (key, value) -> {
            String ours = PORT_ATTRIBUTES.get(key);
            if (ours != null) {
                put(where, ours, ours.equals("use-srq") ? (Object) value.equals("1") : Integer.valueOf(value));
            }
            return ours != null;
        });
        leftOut.fields(where + " parameter", group.path("parameters"), (key, value) -> false);
        Map<Integer, Disk> here = new LinkedHashMap<>();
        for (JsonNode lun : group.path("luns")) {
            int index = lun.path("index").asInt();
            Disk disk = disks.get(lun.path("storage_object").asString(""));
            if (disk == null) {
                leftOut.add(where + " lun " + index + ": no storage object "
                        + lun.path("storage_object").asString(""));
                continue;
            }
            number(disk, index);
            here.put(index, disk);
            aluaGroups.lun(where + " lun " + index, lun, address);
        }
        for (JsonNode acl : group.path("node_acls")) {
            nodeAcl(where, acl, here);
        }
    }

    private void put(String where, String key, Object value) {
        Object before = srp.putIfAbsent(key, value);
        if (before != null && !before.equals(value)) {
            leftOut.add(where + " attribute " + key + " = " + value + ": another group has " + before
                    + ", and there is one for all ports");
        }
    }

    private void nodeAcl(String where, JsonNode acl, Map<Integer, Disk> luns) {
        String wwn = acl.path("node_wwn").asString("");
        WorldWideName name = WorldWideName.parse(wwn);
        if (name == null) {
            leftOut.add(where + " acl " + wwn + ": no name of an initiator port");
            return;
        }
        List<Object> mapped = new ArrayList<>();
        for (JsonNode lun : acl.path("mapped_luns")) {
            Disk disk = luns.get(lun.path("tpg_lun").asInt());
            int as = lun.path("index").asInt();
            if (disk == null) {
                leftOut.add(where + " acl " + wwn + " mapped lun " + as + ": tpg lun "
                        + lun.path("tpg_lun").asInt() + " does not exist");
            } else {
                mapped.add(
                        mappedLun(numberOf(disk), as, lun.path("write_protect").asBoolean(false)));
            }
        }
        leftOut.fields(where + " acl " + wwn + " attribute", acl.path("attributes"), (key, value) -> false);
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("initiator", name.initiator());
        entry.put("luns", mapped);
        acls.add(entry);
    }

    private static Object mappedLun(int lun, int as, boolean readOnly) {
        if (lun == as && !readOnly) {
            return lun;
        }
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("lun", lun);
        if (lun != as) {
            map.put("as", as);
        }
        if (readOnly) {
            map.put("read-only", true);
        }
        return map;
    }

    private void module(JsonNode module) {
        String fabric = module.path("fabric").asString("");
        if (!fabric.equals(FABRIC)) {
            leftOut.add("fabric module " + fabric + ": not " + FABRIC);
            return;
        }
        leftOut.fields("fabric module " + fabric, module.path("discovery_auth"), (key, value) -> false);
    }

    /** Gives a disk a number: {@code wanted}, or the next one that is free. */
    private void number(Disk disk, int wanted) {
        if (!numbers.containsValue(disk)) {
            int number = wanted;
            while (numbers.containsKey(number)) {
                number++;
            }
            numbers.put(number, disk);
        }
    }

    private int numberOf(Disk disk) {
        for (Map.Entry<Integer, Disk> entry : numbers.entrySet()) {
            if (entry.getValue() == disk) {
                return entry.getKey();
            }
        }
        throw new IllegalStateException(disk + " has no number");
    }
}
