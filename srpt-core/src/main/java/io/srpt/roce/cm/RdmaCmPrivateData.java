package io.srpt.roce.cm;

import io.srpt.verbs.Gid;
import java.nio.ByteBuffer;

/**
 * The header that RDMA/CM puts in front of the private data of REQ, and of no other message (InfiniBand Architecture
 * Specification, volume 1, annex A11).
 *
 * <pre>
 *  0 version (1), 0 | 1 IP version (7..4), reserved (3..0) | 2 source port (2)
 *  4 source IP (16) | 20 destination IP (16): IPv4 addresses are the last 4 bytes behind 12 zero bytes
 * </pre>
 *
 * @param sourcePort the sender's port
 * @param source the sender's address, IPv4 as a mapped GID
 * @param destination the address asked, IPv4 as a mapped GID
 */
record RdmaCmPrivateData(int sourcePort, Gid source, Gid destination) {
    static final int LENGTH = 36;

    static final int VERSION_OFFSET = 0;
    static final int IP_VERSION_OFFSET = 1;
    static final int SOURCE_PORT_OFFSET = 2;
    static final int SOURCE_OFFSET = 4;
    static final int DESTINATION_OFFSET = 20;

    private static final int IPV4 = 4;
    private static final int IPV6 = 6;

    /** Why a header is not taken. */
    enum Validity {
        OK,
        BAD_LENGTH,
        BAD_VERSION,
        BAD_IP_VERSION,
        BAD_SOURCE
    }

    /** Looks at the header; {@link #read} may be called after OK only. */
    static Validity check(byte[] privateData) {
        if (privateData.length < LENGTH) {
            return Validity.BAD_LENGTH;
        }
        if (privateData[VERSION_OFFSET] != 0) {
            return Validity.BAD_VERSION;
        }
        int ipVersion = privateData[IP_VERSION_OFFSET] >>> 4 & 0xF;
        if (ipVersion != IPV4 && ipVersion != IPV6) {
            return Validity.BAD_IP_VERSION;
        }
        Gid source = address(ByteBuffer.wrap(privateData), SOURCE_OFFSET, ipVersion);
        return Gids.isUnicast(source) ? Validity.OK : Validity.BAD_SOURCE;
    }

    /** Reads a header that {@link #check} found good. */
    static RdmaCmPrivateData read(byte[] privateData) {
        ByteBuffer buffer = ByteBuffer.wrap(privateData);
        int ipVersion = buffer.get(IP_VERSION_OFFSET) >>> 4 & 0xF;
        return new RdmaCmPrivateData(
                buffer.getShort(SOURCE_PORT_OFFSET) & 0xFFFF,
                address(buffer, SOURCE_OFFSET, ipVersion),
                address(buffer, DESTINATION_OFFSET, ipVersion));
    }

    /** Writes all 36 bytes; the IP version is that of the source. */
    void write(ByteBuffer buffer, int offset) {
        boolean ipv4 = source.isIpv4Mapped();
        buffer.put(offset + VERSION_OFFSET, (byte) 0);
        buffer.put(offset + IP_VERSION_OFFSET, (byte) ((ipv4 ? IPV4 : IPV6) << 4));
        buffer.putShort(offset + SOURCE_PORT_OFFSET, (short) sourcePort);
        putAddress(buffer, offset + SOURCE_OFFSET, source, ipv4);
        putAddress(buffer, offset + DESTINATION_OFFSET, destination, ipv4);
    }

    private static Gid address(ByteBuffer buffer, int offset, int ipVersion) {
        return ipVersion == IPV4 ? Gid.ofIpv4(buffer.getInt(offset + 12)) : Gid.read(buffer, offset);
    }

    private static void putAddress(ByteBuffer buffer, int offset, Gid address, boolean ipv4) {
        Gid plain = ipv4 ? new Gid(0, address.ipv4() & 0xFFFF_FFFFL) : address;
        plain.write(buffer, offset);
    }
}
