package io.srpt.service.lio;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A storage object that can be a disk of ours. */
final class Disk {
    /**
     * Attributes whose value says what a disk of ours does anyway, or what only LIO's inside needs. All else is noted.
     */
    private static final Map<String, Set<String>> SAME = Map.ofEntries(
            Map.entry("alua_support", Set.of("1")),
            Map.entry("emulate_3pc", Set.of("1")),
            Map.entry("emulate_caw", Set.of("1")),
            Map.entry("emulate_dpo", Set.of("1")),
            Map.entry("emulate_fua_read", Set.of("1")),
            Map.entry("emulate_fua_write", Set.of("1")),
            Map.entry("emulate_pr", Set.of("1")),
            Map.entry("emulate_rest_reord", Set.of("0")),
            Map.entry("emulate_rsoc", Set.of("1")),
            Map.entry("emulate_tas", Set.of("1")),
            Map.entry("emulate_ua_intlck_ctrl", Set.of("0")),
            Map.entry("force_pr_aptpl", Set.of("0")),
            Map.entry("pgr_support", Set.of("1")),
            Map.entry("pi_prot_format", Set.of("0")),
            Map.entry("pi_prot_type", Set.of("0")),
            Map.entry("pi_prot_verify", Set.of("0")),
            Map.entry("submit_type", Set.of("0")),
            Map.entry("unmap_granularity_alignment", Set.of("0")));
    /** Limits of LIO's that ours takes the place of, whatever their value; and what {@link #settings} translates. */
    private static final Set<String> REPLACED = Set.of(
            "block_size",
            "emulate_model_alias",
            "emulate_tpu",
            "emulate_tpws",
            "emulate_write_cache",
            "enforce_pr_isids",
            "is_nonrot",
            "max_unmap_block_desc_count",
            "max_unmap_lba_count",
            "max_write_same_len",
            "optimal_sectors",
            "queue_depth",
            "unmap_granularity",
            "unmap_zeroes_data");

    private static final Set<String> FIELDS = Set.of(
            "alua_tpgs", "attributes", "dev", "name", "plugin", "readonly", "size", "write_back", "wwn", "nullio");

    private final JsonNode object;
    private final String store;

    private Disk(JsonNode object, String store) {
        this.object = object;
        this.store = store;
    }

    /** The disk that {@code object} is; null, and noted, when it can be none. */
    static @Nullable Disk of(JsonNode object, LeftOut leftOut) {
        String where = "storage object " + path(object);
        String store = store(object);
        if (store == null) {
            leftOut.add(where + ": no disk of this kind");
            return null;
        }
        leftOut.fields(
                where + " attribute",
                object.path("attributes"),
                (key, value) -> REPLACED.contains(key)
                        || SAME.getOrDefault(key, Set.of()).contains(value));
        leftOut.fields(where, object, (key, value) -> FIELDS.contains(key));
        return new Disk(object, store);
    }

    /** As a LUN of LIO's names its storage object. */
    static String path(JsonNode object) {
        return "/backstores/" + object.path("plugin").asString("") + "/"
                + object.path("name").asString("");
    }

    String path() {
        return path(object);
    }

    private static @Nullable String store(JsonNode object) {
        String device = object.path("dev").asString("");
        long size = object.path("size").asLong(0);
        return switch (object.path("plugin").asString("")) {
            case "fileio" -> device.startsWith("/dev/") ? "block:" + device : "file:" + device + sized(size);
            case "block" -> "block:" + device;
            case "ramdisk" -> (object.path("nullio").asBoolean(false) ? "null:" : "memory:") + size;
            default -> null;
        };
    }

    private static String sized(long size) {
        return size > 0 ? ":" + size : "";
    }

    /** An entry of {@code lun}. The serial number is kept, so that hosts see the same disk. */
    Map<String, Object> settings(int lun) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("lun", lun);
        map.put("store", store);
        map.put("name", object.path("name").asString(""));
        String wwn = object.path("wwn").asString("");
        if (!wwn.isEmpty()) {
            map.put("serial", wwn);
        }
        JsonNode attributes = object.path("attributes");
        int blockSize = attributes.path("block_size").asInt(512);
        if (blockSize != 512) {
            map.put("block-size", blockSize);
        }
        if (object.path("readonly").asBoolean(false)) {
            map.put("read-only", true);
        }
        if (attributes.path("emulate_tpu").asInt(0) == 1) {
            map.put("thin", true);
        }
        boolean buffered = object.path("write_back").asBoolean(false)
                || attributes.path("emulate_write_cache").asInt(0) == 1;
        if (!store.startsWith("memory:") && !store.startsWith("null:")) {
            map.put("write-cache", buffered);
        }
        return map;
    }

    @Override
    public String toString() {
        return path();
    }
}
