package io.srpt.roce.packet;

import java.util.Locale;

/**
 * BTH opcodes and what each implies (InfiniBand Architecture Specification, volume 1, table 38). The upper three bits
 * are the transport group, the lower five the operation. All look-ups are one array access, take any int and use its low
 * eight bits, so no byte from the wire can make them fail. Stateless.
 */
public final class Opcode {

    public static final int RC_SEND_FIRST = 0x00;
    public static final int RC_SEND_MIDDLE = 0x01;
    public static final int RC_SEND_LAST = 0x02;
    public static final int RC_SEND_LAST_WITH_IMMEDIATE = 0x03;
    public static final int RC_SEND_ONLY = 0x04;
    public static final int RC_SEND_ONLY_WITH_IMMEDIATE = 0x05;
    public static final int RC_WRITE_FIRST = 0x06;
    public static final int RC_WRITE_MIDDLE = 0x07;
    public static final int RC_WRITE_LAST = 0x08;
    public static final int RC_WRITE_LAST_WITH_IMMEDIATE = 0x09;
    public static final int RC_WRITE_ONLY = 0x0A;
    public static final int RC_WRITE_ONLY_WITH_IMMEDIATE = 0x0B;
    public static final int RC_READ_REQUEST = 0x0C;
    public static final int RC_READ_RESPONSE_FIRST = 0x0D;
    public static final int RC_READ_RESPONSE_MIDDLE = 0x0E;
    public static final int RC_READ_RESPONSE_LAST = 0x0F;
    public static final int RC_READ_RESPONSE_ONLY = 0x10;
    public static final int RC_ACKNOWLEDGE = 0x11;
    public static final int RC_ATOMIC_ACKNOWLEDGE = 0x12;
    public static final int RC_COMPARE_SWAP = 0x13;
    public static final int RC_FETCH_ADD = 0x14;
    public static final int RC_SEND_LAST_WITH_INVALIDATE = 0x16;
    public static final int RC_SEND_ONLY_WITH_INVALIDATE = 0x17;
    public static final int RC_FLUSH = 0x1C;
    public static final int RC_ATOMIC_WRITE = 0x1D;
    public static final int UD_SEND_ONLY = 0x64;
    public static final int UD_SEND_ONLY_WITH_IMMEDIATE = 0x65;

    /** RoCEv2 congestion notification: a BTH, 16 reserved bytes and the ICRC. */
    public static final int CNP = 0x81;

    /** Transport groups: {@code opcode & GROUP_MASK}. */
    public static final int GROUP_MASK = 0xE0;

    public static final int GROUP_RC = 0x00;
    public static final int GROUP_UC = 0x20;
    public static final int GROUP_RD = 0x40;
    public static final int GROUP_UD = 0x60;

    private static final int KNOWN = 1;
    private static final int FIRST = 1 << 1;
    private static final int MIDDLE = 1 << 2;
    private static final int LAST = 1 << 3;
    private static final int ONLY = 1 << 4;
    private static final int RETH = 1 << 5;
    private static final int AETH = 1 << 6;
    private static final int DETH = 1 << 7;
    private static final int IMMEDIATE = 1 << 8;
    private static final int IETH = 1 << 9;
    private static final int ATOMIC = 1 << 10;
    private static final int ATOMIC_ACK = 1 << 11;
    private static final int FETH = 1 << 12;
    private static final int RESPONSE = 1 << 13;
    private static final int SEND = 1 << 14;
    private static final int WRITE = 1 << 15;
    private static final int READ_RESPONSE = 1 << 16;
    private static final int PAYLOAD = 1 << 17;

    private static final int FETH_LENGTH = 4;

    private static final int[] PROPERTIES = new int[256];
    private static final byte[] HEADER_LENGTH = new byte[256];
    private static final byte[] IMMEDIATE_OFFSET = new byte[256];
    private static final String[] NAMES = new String[256];

    static {
        for (int group : new int[] {GROUP_RC, GROUP_UC}) {
            defineSendsAndWrites(group);
        }
        int response = RESPONSE | READ_RESPONSE;
        define(RC_READ_REQUEST, "READ_REQUEST", RETH | ONLY);
        define(RC_READ_RESPONSE_FIRST, "READ_RESPONSE_FIRST", response | AETH | FIRST | PAYLOAD);
        define(RC_READ_RESPONSE_MIDDLE, "READ_RESPONSE_MIDDLE", response | MIDDLE | PAYLOAD);
        define(RC_READ_RESPONSE_LAST, "READ_RESPONSE_LAST", response | AETH | LAST | PAYLOAD);
        define(RC_READ_RESPONSE_ONLY, "READ_RESPONSE_ONLY", response | AETH | ONLY | PAYLOAD);
        define(RC_ACKNOWLEDGE, "ACKNOWLEDGE", RESPONSE | AETH | ONLY);
        define(RC_ATOMIC_ACKNOWLEDGE, "ATOMIC_ACKNOWLEDGE", RESPONSE | AETH | ATOMIC_ACK | ONLY);
        define(RC_COMPARE_SWAP, "COMPARE_SWAP", ATOMIC | ONLY);
        define(RC_FETCH_ADD, "FETCH_ADD", ATOMIC | ONLY);
        define(RC_SEND_LAST_WITH_INVALIDATE, "SEND_LAST_WITH_INVALIDATE", SEND | IETH | LAST | PAYLOAD);
        define(RC_SEND_ONLY_WITH_INVALIDATE, "SEND_ONLY_WITH_INVALIDATE", SEND | IETH | ONLY | PAYLOAD);
        define(RC_FLUSH, "FLUSH", FETH | RETH | ONLY);
        define(RC_ATOMIC_WRITE, "ATOMIC_WRITE", RETH | ONLY | PAYLOAD);
        define(UD_SEND_ONLY, "SEND_ONLY", SEND | DETH | ONLY | PAYLOAD);
        define(UD_SEND_ONLY_WITH_IMMEDIATE, "SEND_ONLY_WITH_IMMEDIATE", SEND | DETH | IMMEDIATE | ONLY | PAYLOAD);
        define(CNP, "CNP", ONLY | PAYLOAD);
        for (int opcode = 0; opcode < PROPERTIES.length; opcode++) {
            if (PROPERTIES[opcode] == 0) {
                HEADER_LENGTH[opcode] = Bth.LENGTH;
                NAMES[opcode] = String.format(Locale.ROOT, "opcode 0x%02x", opcode);
            }
        }
    }

    private Opcode() {}

    private static void defineSendsAndWrites(int group) {
        define(group | RC_SEND_FIRST, "SEND_FIRST", SEND | FIRST | PAYLOAD);
        define(group | RC_SEND_MIDDLE, "SEND_MIDDLE", SEND | MIDDLE | PAYLOAD);
        define(group | RC_SEND_LAST, "SEND_LAST", SEND | LAST | PAYLOAD);
        define(group | RC_SEND_LAST_WITH_IMMEDIATE, "SEND_LAST_WITH_IMMEDIATE", SEND | IMMEDIATE | LAST | PAYLOAD);
        define(group | RC_SEND_ONLY, "SEND_ONLY", SEND | ONLY | PAYLOAD);
        define(group | RC_SEND_ONLY_WITH_IMMEDIATE, "SEND_ONLY_WITH_IMMEDIATE", SEND | IMMEDIATE | ONLY | PAYLOAD);
        define(group | RC_WRITE_FIRST, "WRITE_FIRST", WRITE | RETH | FIRST | PAYLOAD);
        define(group | RC_WRITE_MIDDLE, "WRITE_MIDDLE", WRITE | MIDDLE | PAYLOAD);
        define(group | RC_WRITE_LAST, "WRITE_LAST", WRITE | LAST | PAYLOAD);
        define(group | RC_WRITE_LAST_WITH_IMMEDIATE, "WRITE_LAST_WITH_IMMEDIATE", WRITE | IMMEDIATE | LAST | PAYLOAD);
        define(group | RC_WRITE_ONLY, "WRITE_ONLY", WRITE | RETH | ONLY | PAYLOAD);
        int onlyImmediate = WRITE | RETH | IMMEDIATE | ONLY | PAYLOAD;
        define(group | RC_WRITE_ONLY_WITH_IMMEDIATE, "WRITE_ONLY_WITH_IMMEDIATE", onlyImmediate);
    }

    private static void define(int opcode, String name, int properties) {
        PROPERTIES[opcode] = properties | KNOWN;
        int length = Bth.LENGTH
                + ((properties & FETH) != 0 ? FETH_LENGTH : 0)
                + ((properties & RETH) != 0 ? Reth.LENGTH : 0)
                + ((properties & DETH) != 0 ? Deth.LENGTH : 0)
                + ((properties & AETH) != 0 ? Aeth.LENGTH : 0)
                + ((properties & ATOMIC) != 0 ? AtomicEth.LENGTH : 0)
                + ((properties & ATOMIC_ACK) != 0 ? AtomicEth.ACK_LENGTH : 0);
        boolean trailer = (properties & (IMMEDIATE | IETH)) != 0;
        IMMEDIATE_OFFSET[opcode] = (byte) (trailer ? length : 0);
        HEADER_LENGTH[opcode] = (byte) (trailer ? length + ImmDt.LENGTH : length);
        NAMES[opcode] = groupName(opcode) + name;
    }

    private static String groupName(int opcode) {
        return switch (opcode & GROUP_MASK) {
            case GROUP_RC -> "RC_";
            case GROUP_UC -> "UC_";
            case GROUP_RD -> "RD_";
            case GROUP_UD -> "UD_";
            default -> "";
        };
    }

    private static boolean has(int opcode, int properties) {
        return (PROPERTIES[opcode & 0xFF] & properties) != 0;
    }

    /** Whether the tables describe it: RC, UC without reliable datagrams, UD, and CNP. */
    public static boolean isKnown(int opcode) {
        return has(opcode, KNOWN);
    }

    /** The transport group, for instance {@link #GROUP_RC}; compare it with the type of the queue pair. */
    public static int group(int opcode) {
        return opcode & GROUP_MASK;
    }

    /** First of several packets of a message. */
    public static boolean isFirst(int opcode) {
        return has(opcode, FIRST);
    }

    public static boolean isMiddle(int opcode) {
        return has(opcode, MIDDLE);
    }

    public static boolean isLast(int opcode) {
        return has(opcode, LAST);
    }

    /** Whole message in one packet: also READ request, acknowledgements and atomics. */
    public static boolean isOnly(int opcode) {
        return has(opcode, ONLY);
    }

    /** First or only: starts a message. */
    public static boolean startsMessage(int opcode) {
        return has(opcode, FIRST | ONLY);
    }

    /** Last or only: ends a message. */
    public static boolean endsMessage(int opcode) {
        return has(opcode, LAST | ONLY);
    }

    /** A packet a responder sends: READ response, ACK, atomic ACK. */
    public static boolean isResponse(int opcode) {
        return has(opcode, RESPONSE);
    }

    /** A known packet a requester sends, CNP excepted. */
    public static boolean isRequest(int opcode) {
        return isKnown(opcode) && !isResponse(opcode) && (opcode & 0xFF) != CNP;
    }

    public static boolean isSend(int opcode) {
        return has(opcode, SEND);
    }

    public static boolean isWrite(int opcode) {
        return has(opcode, WRITE);
    }

    public static boolean isReadResponse(int opcode) {
        return has(opcode, READ_RESPONSE);
    }

    /** Compare-and-swap or fetch-and-add. */
    public static boolean isAtomic(int opcode) {
        return has(opcode, ATOMIC);
    }

    /** Whether a payload may follow the headers. */
    public static boolean hasPayload(int opcode) {
        return has(opcode, PAYLOAD);
    }

    public static boolean hasReth(int opcode) {
        return has(opcode, RETH);
    }

    public static boolean hasAeth(int opcode) {
        return has(opcode, AETH);
    }

    public static boolean hasDeth(int opcode) {
        return has(opcode, DETH);
    }

    public static boolean hasImm(int opcode) {
        return has(opcode, IMMEDIATE);
    }

    public static boolean hasIeth(int opcode) {
        return has(opcode, IETH);
    }

    public static boolean hasAtomicEth(int opcode) {
        return has(opcode, ATOMIC);
    }

    public static boolean hasAtomicAckEth(int opcode) {
        return has(opcode, ATOMIC_ACK);
    }

    /** Bytes of BTH and all extended headers: where the payload starts. 12 for an unknown opcode. */
    public static int headerLength(int opcode) {
        return HEADER_LENGTH[opcode & 0xFF];
    }

    /** Where immediate data or the IETH starts, counted from the BTH; 0 when the opcode has neither. */
    public static int immediateOffset(int opcode) {
        return IMMEDIATE_OFFSET[opcode & 0xFF];
    }

    /** For logs: {@code RC_SEND_ONLY}, or {@code opcode 0x9f} for an unknown one. */
    public static String name(int opcode) {
        return NAMES[opcode & 0xFF];
    }
}
