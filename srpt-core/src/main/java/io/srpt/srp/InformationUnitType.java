package io.srpt.srp;

import java.nio.ByteBuffer;

/** The type codes: byte 0 of every information unit but the RDMA/CM form of LOGIN_REQ (SRP r16a §5.1). */
public final class InformationUnitType {
    public static final int LOGIN_REQ = 0x00;
    public static final int TSK_MGMT = 0x01;
    public static final int CMD = 0x02;
    public static final int I_LOGOUT = 0x03;
    public static final int CRED_RSP = 0x41;
    public static final int AER_RSP = 0x42;
    public static final int T_LOGOUT = 0x80;
    public static final int CRED_REQ = 0x81;
    public static final int AER_REQ = 0x82;
    public static final int LOGIN_RSP = 0xC0;
    public static final int RSP = 0xC1;
    public static final int LOGIN_REJ = 0xC2;

    private InformationUnitType() {}

    /** The type of the unit of {@code length} bytes at {@code offset}, -1 if it has no byte. */
    public static int of(ByteBuffer buffer, int offset, int length) {
        return length < 1 ? -1 : buffer.get(offset) & 0xFF;
    }

    /** The shortest legal unit of {@code type} in bytes, 1 for a type that has no name here. */
    public static int minimumLength(int type) {
        return switch (type) {
            case LOGIN_REQ -> LoginRequest.LENGTH;
            case TSK_MGMT -> TaskManagementRequest.LENGTH;
            case CMD -> SrpCommand.LENGTH;
            case RSP -> SrpResponse.LENGTH;
            case LOGIN_RSP -> LoginResponse.LENGTH;
            case LOGIN_REJ -> LoginReject.LENGTH;
            case AER_REQ -> AsyncEventRequest.LENGTH;
            case I_LOGOUT, CRED_RSP, AER_RSP, T_LOGOUT, CRED_REQ -> InformationUnit.SHORT_LENGTH;
            default -> 1;
        };
    }

    /** The name in the standard, or the number of a type that has none. */
    public static String name(int type) {
        return switch (type) {
            case LOGIN_REQ -> "SRP_LOGIN_REQ";
            case TSK_MGMT -> "SRP_TSK_MGMT";
            case CMD -> "SRP_CMD";
            case I_LOGOUT -> "SRP_I_LOGOUT";
            case CRED_RSP -> "SRP_CRED_RSP";
            case AER_RSP -> "SRP_AER_RSP";
            case T_LOGOUT -> "SRP_T_LOGOUT";
            case CRED_REQ -> "SRP_CRED_REQ";
            case AER_REQ -> "SRP_AER_REQ";
            case LOGIN_RSP -> "SRP_LOGIN_RSP";
            case RSP -> "SRP_RSP";
            case LOGIN_REJ -> "SRP_LOGIN_REJ";
            default -> "type 0x" + Integer.toHexString(type);
        };
    }
}
