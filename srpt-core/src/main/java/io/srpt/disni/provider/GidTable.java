package io.srpt.disni.provider;

import io.srpt.verbs.Gid;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The addresses of a port that RDMA/CM uses, in the order of the device's table. Immutable; any thread.
 *
 * @param entries what is served
 */
record GidTable(List<Entry> entries) {
    /**
     * One address.
     *
     * @param deviceIndex its place in the device's table
     * @param networkInterface index of the interface that it is on, 0 if unknown
     */
    record Entry(Gid gid, int deviceIndex, int networkInterface) {}

    /** Asks the device; only {@code wanted} ones, all if that is empty. */
    static GidTable read(long context, int port, List<Gid> wanted) {
        ByteBuffer record = Records.allocate(Math.max(Records.PORT, Records.GID));
        List<Entry> found = new ArrayList<>();
        int count = VerbsNative.queryPort(context, port, Records.address(record)) < 0
                ? 0
                : record.getInt(Records.PORT_GIDS);
        for (int i = 0; i < count; i++) {
            if (VerbsNative.queryGid(context, port, i, Records.address(record)) == 0) {
                Gid gid = Records.gid(record, 0);
                if (!gid.isZero() && (wanted.isEmpty() || wanted.contains(gid))) {
                    found.add(new Entry(gid, i, record.getInt(Records.GID_INTERFACE)));
                }
            }
        }
        return new GidTable(List.copyOf(found));
    }

    List<Gid> gids() {
        return entries.stream().map(Entry::gid).toList();
    }

    /** Our index of an address, 0 if it is not here. */
    int indexOf(Gid gid) {
        return Math.max(0, gids().indexOf(gid));
    }

    /** Our index of the device's {@code deviceIndex}, 0 if it is not here. */
    int indexOfDevice(int deviceIndex) {
        for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i).deviceIndex() == deviceIndex) {
                return i;
            }
        }
        return 0;
    }
}
