package io.srpt.scsi;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * PERSISTENT RESERVE OUT, read from CDB and parameter list (SPC-4 §6.16). Valid only when {@link #wrong} is null.
 *
 * <pre>
 *   all but REGISTER AND MOVE                     REGISTER AND MOVE
 *   0  reservation key (8)                         0  reservation key (8)
 *   8  service action reservation key (8)          8  service action reservation key (8)
 *  16  obsolete (4)                               17  UNREG 02h, APTPL 01h
 *  20  SPEC_I_PT 08h, ALL_TG_PT 04h, APTPL 01h    18  relative target port identifier (2)
 *  24  with SPEC_I_PT: length (4)                 20  TransportID length (4)
 *  28  TransportIDs (24 each)                     24  TransportID (24)
 * </pre>
 *
 * @param scopeAndType byte 2 of the CDB
 * @param initiatorPorts what SPEC_I_PT or REGISTER AND MOVE names
 * @param targetPort the relative target port identifier of REGISTER AND MOVE
 * @param wrong what is wrong with the list, or null
 */
record ReservationRequest(
        ReservationAction action,
        int scopeAndType,
        long key,
        long serviceActionKey,
        boolean aptpl,
        boolean allTargetPorts,
        boolean specifiesInitiatorPorts,
        boolean unregister,
        List<TransportId> initiatorPorts,
        int targetPort,
        ReservationChange.@Nullable Refused wrong)
        implements TaskWork {
    /** The length of a list without TransportIDs. */
    static final int LENGTH = 24;

    /** Where APTPL, ALL_TG_PT and SPEC_I_PT are. */
    static final int FLAGS = 20;

    /** Where UNREG and APTPL of REGISTER AND MOVE are. */
    static final int MOVE_FLAGS = 17;

    /** Where the service action reservation key is. */
    static final int SERVICE_ACTION_KEY = 8;

    /** Where the relative target port identifier of REGISTER AND MOVE is. */
    static final int TARGET_PORT = 18;

    /** Where the TransportID of REGISTER AND MOVE is. */
    static final int MOVE_TRANSPORT_ID = 24;

    /** Where the first TransportID of SPEC_I_PT is. */
    static final int TRANSPORT_IDS = 28;

    private static final int APTPL = 0x01;
    private static final int ALL_TG_PT = 0x04;
    private static final int SPEC_I_PT = 0x08;
    private static final int UNREG = 0x02;

    /** Reads {@code list}, which has at least {@link #LENGTH} bytes from index 0 on. */
    static ReservationRequest parse(ReservationAction action, int scopeAndType, ByteBuffer list) {
        return action == ReservationAction.REGISTER_AND_MOVE
                ? parseMove(scopeAndType, list)
                : parseOther(action, scopeAndType, list);
    }

    private static ReservationRequest parseOther(ReservationAction action, int scopeAndType, ByteBuffer list) {
        int flags = list.get(FLAGS);
        boolean specified = (flags & SPEC_I_PT) != 0;
        List<TransportId> ports = new ArrayList<>();
        ReservationChange.Refused wrong = null;
        if (specified && action != ReservationAction.REGISTER) {
            wrong = ReservationChange.Refused.parameter(FLAGS);
        } else if (!specified) {
            wrong = list.capacity() == LENGTH ? null : lengthError();
        } else if (list.capacity() < TRANSPORT_IDS) {
            wrong = lengthError();
        } else {
            long length = list.getInt(LENGTH) & 0xFFFF_FFFFL;
            wrong = readPorts(list, TRANSPORT_IDS, length, ports);
        }
        return new ReservationRequest(
                action,
                scopeAndType,
                list.getLong(0),
                list.getLong(SERVICE_ACTION_KEY),
                (flags & APTPL) != 0,
                (flags & ALL_TG_PT) != 0,
                specified,
                false,
                ports,
                0,
                wrong);
    }

    private static ReservationRequest parseMove(int scopeAndType, ByteBuffer list) {
        int flags = list.get(MOVE_FLAGS);
        List<TransportId> ports = new ArrayList<>();
        long length = list.getInt(FLAGS) & 0xFFFF_FFFFL;
        ReservationChange.Refused wrong = length == 0
                ? ReservationChange.Refused.parameter(FLAGS)
                : readPorts(list, MOVE_TRANSPORT_ID, length, ports);
        if (wrong == null && ports.size() != 1) {
            wrong = ReservationChange.Refused.parameter(FLAGS);
        }
        return new ReservationRequest(
                ReservationAction.REGISTER_AND_MOVE,
                scopeAndType,
                list.getLong(0),
                list.getLong(SERVICE_ACTION_KEY),
                (flags & APTPL) != 0,
                false,
                false,
                (flags & UNREG) != 0,
                ports,
                list.getShort(TARGET_PORT) & 0xFFFF,
                wrong);
    }

    private static ReservationChange.@Nullable Refused readPorts(
            ByteBuffer list, int from, long length, List<TransportId> ports) {
        if (list.capacity() != from + length) {
            return lengthError();
        }
        if (length % TransportId.LENGTH != 0) {
            return ReservationChange.Refused.parameter(from - 4);
        }
        for (int at = from; at < list.capacity(); at += TransportId.LENGTH) {
            TransportId port = TransportId.decode(list, at);
            if (port == null) {
                return ReservationChange.Refused.parameter(at);
            }
            ports.add(port);
        }
        return null;
    }

    private static ReservationChange.Refused lengthError() {
        return ReservationChange.Refused.with(Sense.PARAMETER_LIST_LENGTH_ERROR);
    }
}
