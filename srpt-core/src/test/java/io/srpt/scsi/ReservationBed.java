package io.srpt.scsi;

import io.srpt.scsi.ScsiTestBed.Outcome;
import io.srpt.store.BlockStore;
import io.srpt.store.MemoryStore;
import io.srpt.store.StoreException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A disk with two ports and four nexuses that have heard of power on: three initiators on port 1, the first one on port 2, too. */
final class ReservationBed implements AutoCloseable {
    static final int REGISTER = 0;
    static final int RESERVE = 1;
    static final int RELEASE = 2;
    static final int CLEAR = 3;
    static final int PREEMPT = 4;
    static final int PREEMPT_AND_ABORT = 5;
    static final int REGISTER_AND_IGNORE = 6;
    static final int REGISTER_AND_MOVE = 7;

    static final int APTPL = 0x01;
    static final int ALL_TG_PT = 0x04;
    static final int SPEC_I_PT = 0x08;

    static final int WE = 1;
    static final int EA = 3;
    static final int WE_RO = 5;
    static final int EA_RO = 6;
    static final int WE_AR = 7;
    static final int EA_AR = 8;
    static final int[] TYPES = {WE, EA, WE_RO, EA_RO, WE_AR, EA_AR};

    static final String TEST_UNIT_READY = "00 00 00 00 00 00";
    static final String WRITE = "2a 00 00 00 00 00 00 00 01 00";
    static final String READ = "28 00 00 00 00 00 00 00 01 00";

    final BlockStore store;
    final ScsiTestBed bed = new ScsiTestBed();
    final TargetPort port1;
    final TargetPort port2;
    final Nexus a;
    final Nexus b;
    final Nexus c;
    final Nexus a2;
    final LogicalUnit unit;

    ReservationBed() throws StoreException {
        this(MemoryStore.open(64 << 10), null);
    }

    ReservationBed(BlockStore store, @Nullable ReservationStore kept) {
        this.store = store;
        port1 = bed.server.targetPorts().add(1, 2);
        port2 = bed.server.targetPorts().add(1, 2);
        a = bed.server.openNexus(ScsiTestBed.initiator(0xA), port1);
        b = bed.server.openNexus(ScsiTestBed.initiator(0xB), port1);
        c = bed.server.openNexus(ScsiTestBed.initiator(0xC), port1);
        a2 = bed.server.openNexus(ScsiTestBed.initiator(0xA), port2);
        unit = new LogicalUnit(LogicalUnitConfig.defaults(ScsiTestBed.SERIAL), store, kept);
        bed.server.addLogicalUnit(0, unit);
        // So that it has the commands of target port groups.
        bed.server.asymmetricAccess().add(new AluaGroup(1, "all", AccessState.ACTIVE_OPTIMIZED, false), List.of(unit));
        for (Nexus nexus : List.of(a, b, c, a2)) {
            nexus.forget(unit);
        }
    }

    @Override
    public void close() {
        store.close();
    }

    // PERSISTENT RESERVE OUT.

    /** The status, or the sense of a CHECK CONDITION. */
    String out(Nexus by, int action, int scopeAndType, long key, long serviceActionKey, int flags, byte... rest) {
        byte[] list = Arrays.copyOf(list(key, serviceActionKey, flags), 24 + rest.length);
        System.arraycopy(rest, 0, list, 24, rest.length);
        return outList(by, action, scopeAndType, list);
    }

    String out(Nexus by, int action, int scopeAndType, long key, long serviceActionKey) {
        return out(by, action, scopeAndType, key, serviceActionKey, 0);
    }

    static byte[] list(long key, long serviceActionKey, int flags) {
        byte[] list = new byte[24];
        ByteBuffer.wrap(list).putLong(0, key).putLong(8, serviceActionKey).put(20, (byte) flags);
        return list;
    }

    static String cdb(int action, int scopeAndType, int length) {
        return String.format("5f %02x %02x 00 00 %08x 00", action, scopeAndType, length);
    }

    String outList(Nexus by, int action, int scopeAndType, byte[] list) {
        return said(bed.run(by, 0, cdb(action, scopeAndType, list.length), list, 0));
    }

    /** What REGISTER AND MOVE does; flags: UNREG 2, APTPL 1. */
    String move(Nexus by, long key, long newKey, int flags, int targetPort, byte... transportId) {
        byte[] list = Arrays.copyOf(list(key, newKey, 0), 24 + transportId.length);
        ByteBuffer.wrap(list)
                .put(17, (byte) flags)
                .putShort(18, (short) targetPort)
                .putInt(20, transportId.length)
                .put(24, transportId);
        return outList(by, REGISTER_AND_MOVE, 0, list);
    }

    /** The TransportIDs of these initiator ports, behind their length. */
    static byte[] specified(TransportId... ports) {
        ByteBuffer bytes = ByteBuffer.allocate(4 + TransportId.LENGTH * ports.length);
        bytes.putInt(0, TransportId.LENGTH * ports.length);
        for (int i = 0; i < ports.length; i++) {
            ports[i].encode(bytes, 4 + TransportId.LENGTH * i);
        }
        return bytes.array();
    }

    static byte[] transportId(TransportId port) {
        ByteBuffer bytes = ByteBuffer.allocate(TransportId.LENGTH);
        port.encode(bytes, 0);
        return bytes.array();
    }

    String register(Nexus by, long key) {
        return out(by, REGISTER_AND_IGNORE, 0, 0, key);
    }

    /** Registers a (1), b (2) and lets a reserve. */
    ReservationBed reserved(int type) {
        register(a, 1);
        register(b, 2);
        out(a, RESERVE, type, 1, 0);
        return this;
    }

    // Questions.

    static String said(Outcome outcome) {
        return outcome.status() == ScsiStatus.CHECK_CONDITION
                ? outcome.sense()
                : outcome.status().name();
    }

    /** The status of another command, or its sense. */
    String run(Nexus by, String cdb, int outLength, int inLength) {
        return said(bed.run(by, 0, cdb, new byte[outLength], inLength));
    }

    String write(Nexus by) {
        return run(by, WRITE, 512, 0);
    }

    String read(Nexus by) {
        return run(by, READ, 0, 512);
    }

    /** What the next unit attention is, or GOOD. */
    String attention(Nexus of) {
        return run(of, TEST_UNIT_READY, 0, 0);
    }

    byte[] in(int action) {
        return bed.run(c, 0, String.format("5e %02x 00 00 00 00 00 10 00 00", action), new byte[0], 4096)
                .data();
    }

    int generation() {
        return ByteBuffer.wrap(in(0)).getInt(0);
    }

    List<Long> keys() {
        ByteBuffer data = ByteBuffer.wrap(in(0));
        List<Long> keys = new ArrayList<>();
        for (int at = 8; at < 8 + data.getInt(4); at += 8) {
            keys.add(data.getLong(at));
        }
        return keys;
    }

    /** {@code key:type}, or "none". */
    String reservation() {
        ByteBuffer data = ByteBuffer.wrap(in(1));
        return data.getInt(4) == 0 ? "none" : data.getLong(8) + ":" + data.get(21);
    }

    @Nullable
    NexusId holder() {
        return unit.reservations().state().holder();
    }

    ReservationState state() {
        return Objects.requireNonNull(unit.reservations().state());
    }
}
