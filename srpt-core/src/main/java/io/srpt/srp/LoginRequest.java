package io.srpt.srp;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * SRP_LOGIN_REQ, in the private data of a connection request (SRP r16a §6.2, SRP-2 for the flags). Two forms carry the same
 * fields: 64 bytes with IB/CM, and 56 bytes in another order with RDMA/CM.
 *
 * <pre>
 *   IB/CM RDMA/CM
 *   0     11      type 0x00
 *   8     0       tag (8)
 *   16    12      requested longest initiator-to-target unit (4)
 *   24    8       required buffer formats (2)
 *   26    10      flags: bits 1..0 multichannel action, 4 LOSOLNT, 5 CRSOLNT, 6 AESOLNT, 7 immediate data
 *   28    48      immediate data offset (2)
 *   32    16      initiator port identifier (16)
 *   48    32      target port identifier (16)
 * </pre>
 *
 * @param tag opaque, echoed by the answer
 * @param maxUnitLength requested longest unit from initiator to target in bytes, 0 to 2^32-1
 * @param bufferFormats mask of {@link BufferFormat} bits
 * @param flags as above
 * @param immediateOffset where immediate data begins in an SRP_CMD
 * @param initiatorPort who logs in
 * @param targetPort at whom
 */
public record LoginRequest(
        long tag,
        long maxUnitLength,
        int bufferFormats,
        int flags,
        int immediateOffset,
        PortId initiatorPort,
        PortId targetPort) {
    /** Bytes of the IB/CM form. */
    public static final int LENGTH = 64;

    /** Bytes of the RDMA/CM form. */
    public static final int RDMA_CM_LENGTH = 56;

    /** Flags: the multichannel action. */
    public static final int MULTICHANNEL_MASK = 0x03;
    /** Multichannel action: end the other channels of this nexus. */
    public static final int MULTICHANNEL_SINGLE = 0;
    /** Multichannel action: keep the other channels of this nexus. */
    public static final int MULTICHANNEL_MULTI = 1;
    /** Flags: LOSOLNT, SRP_T_LOGOUT is to be a solicited event. */
    public static final int SOLICIT_LOGOUT = 1 << 4;
    /** Flags: CRSOLNT, SRP_CRED_REQ is to be a solicited event. */
    public static final int SOLICIT_CREDIT_REQUEST = 1 << 5;
    /** Flags: AESOLNT, SRP_AER_REQ is to be a solicited event. */
    public static final int SOLICIT_ASYNC_EVENT = 1 << 6;
    /** Flags: the initiator wants to send immediate data. */
    public static final int IMMEDIATE_DATA = 0x80;

    private static final Form IB_CM = new Form(LENGTH, 0, 8, 16, 24, 26, 28, 32, 48);
    private static final Form RDMA_CM = new Form(RDMA_CM_LENGTH, 11, 0, 12, 8, 10, 48, 16, 32);

    /** Where each field is. */
    private record Form(
            int length,
            int type,
            int tag,
            int maxUnitLength,
            int formats,
            int flags,
            int immediateOffset,
            int initiatorPort,
            int targetPort) {}

    /** Decodes private data; null if it is shorter than its form. The type byte is not looked at, as in Linux. */
    public static @Nullable LoginRequest decode(byte[] privateData, boolean rdmaCm) {
        Form form = rdmaCm ? RDMA_CM : IB_CM;
        if (privateData.length < form.length) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(privateData);
        return new LoginRequest(
                in.getLong(form.tag),
                in.getInt(form.maxUnitLength) & 0xFFFF_FFFFL,
                in.getShort(form.formats) & 0xFFFF,
                in.get(form.flags) & 0xFF,
                in.getShort(form.immediateOffset) & 0xFFFF,
                new PortId(in.getLong(form.initiatorPort), in.getLong(form.initiatorPort + 8)),
                new PortId(in.getLong(form.targetPort), in.getLong(form.targetPort + 8)));
    }

    /** Encodes it as private data. */
    public byte[] encode(boolean rdmaCm) {
        Form form = rdmaCm ? RDMA_CM : IB_CM;
        byte[] bytes = new byte[form.length];
        ByteBuffer.wrap(bytes)
                .put(form.type, (byte) InformationUnitType.LOGIN_REQ)
                .putLong(form.tag, tag)
                .putInt(form.maxUnitLength, (int) maxUnitLength)
                .putShort(form.formats, (short) bufferFormats)
                .put(form.flags, (byte) flags)
                .putShort(form.immediateOffset, (short) immediateOffset)
                .putLong(form.initiatorPort, initiatorPort.extension())
                .putLong(form.initiatorPort + 8, initiatorPort.guid())
                .putLong(form.targetPort, targetPort.extension())
                .putLong(form.targetPort + 8, targetPort.guid());
        return bytes;
    }

    /** Whether the initiator wants to send immediate data. */
    public boolean wantsImmediateData() {
        return (flags & IMMEDIATE_DATA) != 0;
    }

    /** {@link #MULTICHANNEL_SINGLE}, {@link #MULTICHANNEL_MULTI}, or a reserved value. */
    public int multichannelAction() {
        return flags & MULTICHANNEL_MASK;
    }
}
