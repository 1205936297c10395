package io.srpt.service.lio;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Says in our settings which target port groups LIO's LUNs are in. LIO has groups per storage object, and each LUN of a port is
 * in one; a group of ours has ports and disks. Groups that are the same, and have the same ports, become one.
 */
final class AluaImport {
    /** All LUNs are in it that were put into no other; active and optimized. */
    private static final String DEFAULT_GROUP = "default_tg_pt_gp";

    private static final int IMPLICIT = 1;
    private static final int EXPLICIT = 2;
    private static final Map<Integer, String> STATES =
            Map.of(0, "active-optimized", 1, "active-non-optimized", 2, "standby", 3, "unavailable", 14, "offline");
    /** What a group of ours does not have, and the value that changes nothing. */
    private static final Map<String, Integer> NEUTRAL =
            Map.of("implicit_trans_secs", 0, "nonop_delay_msecs", 100, "trans_delay_msecs", 0);

    private final LeftOut leftOut;
    /** By storage object and name: the addresses of the LUNs that are in the group. */
    private final Map<String, TreeSet<String>> members = new LinkedHashMap<>();

    /** A group as far as it does not depend on the disk. */
    private record Shape(int id, String name, String state, boolean preferred, List<String> ports) {}

    AluaImport(LeftOut leftOut) {
        this.leftOut = leftOut;
    }

    /** A LUN of a port; {@code address} is null where the port's is not known. */
    void lun(String where, JsonNode lun, @Nullable String address) {
        String name = lun.path("alua_tg_pt_gp_name").asString(DEFAULT_GROUP);
        if (name.equals(DEFAULT_GROUP)) {
            return;
        }
        if (address == null) {
            leftOut.add(where + ": in alua group " + name + ", but the address is not known");
            return;
        }
        members.computeIfAbsent(key(lun.path("storage_object").asString(""), name), key -> new TreeSet<>())
                .add(address);
    }

    private static String key(String disk, String group) {
        return disk + " " + group;
    }

    /** The settings of {@code alua}, empty where there is nothing to say. */
    Map<String, Object> settings(JsonNode storageObjects, ToIntFunction<String> numberOf) {
        Map<Shape, List<Object>> luns = new LinkedHashMap<>();
        int types = 0;
        int sharedTypes = IMPLICIT | EXPLICIT;
        for (JsonNode object : storageObjects) {
            String disk = Disk.path(object);
            for (JsonNode group : object.path("alua_tpgs")) {
                String name = group.path("name").asString("");
                String where = "alua group " + name + " of " + disk;
                TreeSet<String> ports = members.get(key(disk, name));
                String state = STATES.get(group.path("alua_access_state").asInt());
                if (name.equals(DEFAULT_GROUP)) {
                    if (group.path("alua_access_state").asInt() != 0) {
                        leftOut.add(where + ": state "
                                + group.path("alua_access_state").asInt());
                    }
                } else if (ports == null) {
                    leftOut.add(where + ": no LUN of a port is in it");
                } else if (state == null) {
                    leftOut.add(
                            where + ": state " + group.path("alua_access_state").asInt());
                } else {
                    luns.computeIfAbsent(shape(group, name, state, ports), shape -> new ArrayList<>())
                            .add(numberOf.applyAsInt(disk));
                    types |= group.path("alua_access_type").asInt();
                    sharedTypes &= group.path("alua_access_type").asInt();
                    attributes(where, group);
                }
            }
        }
        if (types != sharedTypes && !luns.isEmpty()) {
            leftOut.add("alua groups: access types differ, and there is one for all");
        }
        return luns.isEmpty() ? Map.of() : write(luns, types);
    }

    private static Shape shape(JsonNode group, String name, String state, TreeSet<String> ports) {
        return new Shape(
                group.path("tg_pt_gp_id").asInt(),
                name,
                state,
                group.path("preferred").asInt() == 1,
                List.copyOf(ports));
    }

    private void attributes(String where, JsonNode group) {
        NEUTRAL.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(each -> {
            int value = group.path(each.getKey()).asInt(each.getValue());
            if (value != each.getValue()) {
                leftOut.add(where + " " + each.getKey() + " = " + value);
            }
        });
    }

    private static Map<String, Object> write(Map<Shape, List<Object>> luns, int types) {
        Map<String, Object> settings = new LinkedHashMap<>();
        if (types == EXPLICIT) {
            settings.put("implicit", false);
        } else if (types == IMPLICIT) {
            settings.put("explicit", false);
        }
        List<Object> groups = new ArrayList<>();
        luns.forEach((shape, disks) -> {
            Map<String, Object> group = new LinkedHashMap<>();
            group.put("id", shape.id());
            group.put("name", shape.name());
            group.put("state", shape.state());
            if (shape.preferred()) {
                group.put("preferred", true);
            }
            group.put("ports", shape.ports());
            group.put("luns", disks);
            groups.add(group);
        });
        settings.put("groups", groups);
        return settings;
    }
}
