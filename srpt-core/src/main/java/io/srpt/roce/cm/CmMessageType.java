package io.srpt.roce.cm;

import org.jspecify.annotations.Nullable;

/** The connection manager's messages, with their attribute ids. */
public enum CmMessageType {
    REQ(0x0010),
    MRA(0x0011),
    REJ(0x0012),
    REP(0x0013),
    RTU(0x0014),
    DREQ(0x0015),
    DREP(0x0016);

    private final int attributeId;

    CmMessageType(int attributeId) {
        this.attributeId = attributeId;
    }

    /** The MAD header's attribute id. */
    public int attributeId() {
        return attributeId;
    }

    /** The message with an attribute id; {@code null} for those not served (SIDR, LAP, APR) and unknown ones. */
    static @Nullable CmMessageType of(int attributeId) {
        int index = attributeId - REQ.attributeId;
        CmMessageType[] all = values();
        return index >= 0 && index < all.length ? all[index] : null;
    }
}
