package io.srpt.initiator;

import io.srpt.verbs.ConnectionManager;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The login messages of one session: makes SRP_LOGIN_REQ in the form that its service id needs and reads the answers.
 * Off the hot path.
 */
final class LoginExchange {
    /** Where immediate data starts in an information unit, as the Linux initiator asks. */
    static final int IMMEDIATE_OFFSET = 68;

    private static final int IMMEDIATE_UNIT_LENGTH = IMMEDIATE_OFFSET + 8192;
    private static final int REQUEST_LENGTH = 64;
    private static final int CM_REQUEST_LENGTH = 56;
    private static final int RESPONSE_LENGTH = 52;
    private static final int REJECT_LENGTH = 32;
    private static final int TYPE_RESPONSE = 0xC0;
    private static final int TYPE_REJECT = 0xC2;
    private static final int FORMATS = 0x0006;
    private static final int IMMEDIATE = 0x80;
    private static final int MULTI = 0x01;

    private LoginExchange() {}

    /** The largest information unit that a session with {@code configuration} sends. */
    static int requestedUnitLength(SrpSessionConfiguration configuration) {
        int descriptors = 16 + 4 + 16 * Math.max(1, configuration.maxDescriptors());
        int plain = InformationUnits.COMMAND_LENGTH + 16 + descriptors;
        return configuration.immediateData() ? Math.max(plain, IMMEDIATE_UNIT_LENGTH) : plain;
    }

    /** The REQ's private data. */
    static byte[] request(SrpSessionConfiguration configuration) {
        int unitLength = requestedUnitLength(configuration);
        int flags = (configuration.immediateData() ? IMMEDIATE : 0) | (configuration.multiChannel() ? MULTI : 0);
        int immediateOffset = configuration.immediateData() ? IMMEDIATE_OFFSET : 0;
        if (ConnectionManager.isRdmaCmServiceId(configuration.serviceId())) {
            ByteBuffer request = ByteBuffer.allocate(CM_REQUEST_LENGTH);
            request.putShort(8, (short) FORMATS).put(10, (byte) flags).putInt(12, unitLength);
            putPorts(request, 16, configuration);
            request.putShort(48, (short) immediateOffset);
            return request.array();
        }
        ByteBuffer request = ByteBuffer.allocate(REQUEST_LENGTH);
        request.putInt(16, unitLength).putShort(24, (short) FORMATS).put(26, (byte) flags);
        request.putShort(28, (short) immediateOffset);
        putPorts(request, 32, configuration);
        return request.array();
    }

    /** What SRP_LOGIN_RSP grants, or null if {@code privateData} is none. */
    static @Nullable Grant response(byte[] privateData) {
        ByteBuffer response = ByteBuffer.wrap(privateData);
        if (privateData.length < RESPONSE_LENGTH || (response.get(0) & 0xFF) != TYPE_RESPONSE) {
            return null;
        }
        return new Grant(
                response.getInt(4),
                response.getInt(16),
                response.getInt(20),
                (response.get(26) & IMMEDIATE) != 0);
    }

    /** The reason code of SRP_LOGIN_REJ, or 0 if {@code privateData} is none. */
    static int rejectCode(byte[] privateData) {
        ByteBuffer reject = ByteBuffer.wrap(privateData);
        boolean valid = privateData.length >= REJECT_LENGTH && (reject.get(0) & 0xFF) == TYPE_REJECT;
        return valid ? reject.getInt(4) : 0;
    }

    private static void putPorts(ByteBuffer request, int offset, SrpSessionConfiguration configuration) {
        request.putLong(offset, configuration.initiatorExtension())
                .putLong(offset + 8, configuration.initiatorGuid())
                .putLong(offset + 16, configuration.idExtension())
                .putLong(offset + 24, configuration.iocGuid());
    }

    /**
     * What the target granted.
     *
     * @param requestLimit credits to start with
     * @param maxRequestLength the largest information unit that we may send
     * @param maxMessageLength the largest information unit that the target sends
     * @param immediateData whether it takes immediate data
     */
    record Grant(int requestLimit, int maxRequestLength, int maxMessageLength, boolean immediateData) {}
}
