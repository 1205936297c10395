package io.srpt.service.lio;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Target port groups. LIO has them per storage object, and a group that all disks have alike is one of ours. The default
 * group, active and optimized, needs no words.
 */
final class AluaGroups {
    private static final String DEFAULT_GROUP = "default_tg_pt_gp";
    private static final Map<Integer, String> STATES = Map.of(
            0, "active-optimized",
            1, "active-non-optimized",
            2, "standby",
            3, "unavailable",
            14, "offline");

    private final LeftOut leftOut;
    private final Map<Disk, String> members = new LinkedHashMap<>();
    private final Map<Integer, Group> groups = new TreeMap<>();

    private record Group(String name, String state, boolean preferred, TreeSet<Integer> luns) {}

    AluaGroups(LeftOut leftOut) {
        this.leftOut = leftOut;
    }

    /** A LUN puts its disk into the group {@code name}. */
    void member(String name, Disk disk) {
        if (!name.isEmpty() && !name.equals(DEFAULT_GROUP)) {
            members.put(disk, name);
        }
    }

    /** Reads the groups of a storage object, which is the disk behind {@code lun}; null when it is none of ours. */
    void read(JsonNode object, @Nullable Disk disk, int lun) {
        for (JsonNode group : object.path("alua_tpgs")) {
            String name = group.path("name").asString("");
            if (disk != null && name.equals(members.get(disk))) {
                join(Disk.path(object), group, lun);
            } else if (!name.equals(DEFAULT_GROUP)) {
                leftOut.add("alua group " + name + " of " + Disk.path(object) + ": no LUN of ours is in it");
            }
        }
    }

    private void join(String where, JsonNode json, int lun) {
        int id = json.path("tg_pt_gp_id").asInt();
        int state = json.path("alua_access_state").asInt();
        String word = STATES.get(state);
        if (word == null) {
            leftOut.add("alua group " + json.path("name").asString("") + " of " + where + ": state " + state);
            return;
        }
        Group fresh = new Group(
                json.path("name").asString(""), word, json.path("preferred").asInt(0) == 1, new TreeSet<>());
        Group group = groups.computeIfAbsent(id, key -> fresh);
        if (group.state.equals(fresh.state) && group.preferred == fresh.preferred) {
            group.luns.add(lun);
        } else {
            leftOut.add(
                    "alua group " + fresh.name + " of " + where + ": differs from group " + id + " of another disk");
        }
    }

    List<Object> settings() {
        List<Object> list = new ArrayList<>();
        groups.forEach((id, group) -> {
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("id", id);
            map.put("name", group.name);
            map.put("state", group.state);
            if (group.preferred) {
                map.put("preferred", true);
            }
            map.put("luns", List.copyOf(group.luns));
            list.add(map);
        });
        return list;
    }
}
