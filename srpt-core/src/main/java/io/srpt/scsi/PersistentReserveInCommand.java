package io.srpt.scsi;

import java.nio.ByteBuffer;
import java.util.Map;

/**
 * PERSISTENT RESERVE IN (SPC-4 §6.15).
 *
 * <pre>
 *   READ KEYS          PRgeneration (4) | length (4) | keys (8 each)
 *   READ RESERVATION   PRgeneration (4) | length 0 or 16 (4) | key (8) | 0 (5) | scope and type | 0 (2)
 *   REPORT CAPABILITIES  length 8 (2) | CRH 10h, SIP_C 08h, ATP_C 04h, PTPL_C 01h
 *                      | TMV 80h, ALLOW COMMANDS (3), PTPL_A 01h | types (2) | 0 (2)
 *   READ FULL STATUS   PRgeneration (4) | length (4) | per registration: key (8) | 0 (4) | R_HOLDER 01h
 *                      | scope and type | 0 (4) | relative target port (2) | length 24 (4) | TransportID (24)
 * </pre>
 */
final class PersistentReserveInCommand implements ScsiCommand {
    private static final int ALLOCATION_LENGTH = 7;
    private static final int MAX_ALLOCATION = 0xFFFF;
    private static final int HEADER = 8;
    private static final int KEY = 8;
    private static final int RESERVATION = 16;
    private static final int CAPABILITIES = 8;
    private static final int FULL_STATUS = 24 + TransportId.LENGTH;
    private static final int R_HOLDER = 0x01;

    private static final int CRH = 0x10;
    private static final int SIP_C = 0x08;
    private static final int ATP_C = 0x04;
    private static final int PTPL_C = 0x01;
    private static final int TMV = 0x80;
    private static final int PTPL_A = 0x01;
    /** TEST UNIT READY is always served; MODE SENSE, READ BUFFER and the like beside the types that reserve writing. */
    private static final int ALLOW_COMMANDS = 0x30;

    private static final int ALL_TYPES = 0xEA01;

    /** The service actions; their ordinals are the codes. */
    private enum Action {
        READ_KEYS,
        READ_RESERVATION,
        REPORT_CAPABILITIES,
        READ_FULL_STATUS
    }

    private final Action action;

    private PersistentReserveInCommand(Action action) {
        this.action = action;
    }

    static void addTo(CommandTable table) {
        for (Action action : Action.values()) {
            table.addServiceAction(
                    "PERSISTENT RESERVE IN, " + action.name().replace('_', ' '),
                    String.format("5e %02x 00 00 00 00 00 ff ff 04", action.ordinal()),
                    new PersistentReserveInCommand(action));
        }
    }

    @Override
    public TaskPhase begin(ScsiTask task) {
        return task.wantDataIn(task.cdb().shortAt(ALLOCATION_LENGTH), MAX_ALLOCATION);
    }

    @Override
    public void execute(ScsiTask task) {
        Reservations reservations = task.unit().reservations();
        ReservationState state = reservations.state();
        ByteBuffer data = task.server()
                .scratch(HEADER + FULL_STATUS * Math.max(1, state.keys().size()));
        if (action == Action.REPORT_CAPABILITIES) {
            writeCapabilities(data, reservations);
            task.finishWithData(data, CAPABILITIES);
            return;
        }
        int length = switch (action) {
            case READ_KEYS -> writeKeys(data, state);
            case READ_RESERVATION -> writeReservation(data, state);
            default -> writeFullStatus(data, state);
        };
        data.putInt(0, state.generation());
        data.putInt(4, length);
        task.finishWithData(data, HEADER + length);
    }

    private static int writeKeys(ByteBuffer data, ReservationState state) {
        int at = HEADER;
        for (long key : state.keys().values()) {
            data.putLong(at, key);
            at += KEY;
        }
        return at - HEADER;
    }

    /** The key is 0 where all registrants hold the reservation. */
    private static int writeReservation(ByteBuffer data, ReservationState state) {
        ReservationType type = state.type();
        if (type == null) {
            return 0;
        }
        NexusId holder = state.holder();
        Long key = holder == null ? null : state.keys().get(holder);
        data.putLong(HEADER, key == null ? 0 : key);
        data.put(HEADER + 13, (byte) type.code());
        return RESERVATION;
    }

    private static void writeCapabilities(ByteBuffer data, Reservations reservations) {
        data.putShort(0, (short) CAPABILITIES);
        data.put(2, (byte) (CRH | SIP_C | ATP_C | (reservations.canPersist() ? PTPL_C : 0)));
        data.put(3, (byte) (TMV | ALLOW_COMMANDS | (reservations.state().persistent() ? PTPL_A : 0)));
        data.putShort(4, (short) ALL_TYPES);
    }

    private static int writeFullStatus(ByteBuffer data, ReservationState state) {
        ReservationType type = state.type();
        int at = HEADER;
        for (Map.Entry<NexusId, Long> registration : state.keys().entrySet()) {
            NexusId nexus = registration.getKey();
            data.putLong(at, registration.getValue());
            if (type != null && state.isHeldBy(nexus)) {
                data.put(at + 12, (byte) R_HOLDER);
                data.put(at + 13, (byte) type.code());
            }
            data.putShort(at + 18, (short) nexus.targetPort());
            data.putInt(at + 20, TransportId.LENGTH);
            nexus.initiatorPort().encode(data, at + 24);
            at += FULL_STATUS;
        }
        return at - HEADER;
    }
}
