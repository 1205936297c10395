package io.srpt.roce.packet;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;

/**
 * The invariant CRC that ends every RoCEv2 datagram: CRC-32 (the polynomial of IEEE 802.3) over the
 * {@link FlowHeader masked headers}, the BTH with byte 4 masked, extended headers, payload and pad; stored least
 * significant byte first (InfiniBand Architecture Specification, annex A17.3.3).
 *
 * <p><b>IPv4.</b> The checksum covers the identification field, which a UDP socket cannot see. CRC-32 is linear, so the
 * unknown field v moves the checksum by {@code v * x^k mod P}, where k depends on the packet's length alone. {@link
 * #verify} computes the checksum for identification 0 with DF set and multiplies its difference to the received one by
 * {@code x^-k}. That gives back the 32 bits of identification, flags and fragment offset as they differ from the
 * assumption: the upper half must be zero, or DF alone. The identification falls out; 2 of 65,536 random damages
 * pass, where IPv6, with nothing unknown, lets 1 of 2^32 pass.
 *
 * <p>Packets are big-endian buffers, direct on the data path; position and limit come back as they were. One instance
 * per event loop; allocates nothing after construction.
 */
public final class Icrc {

    public static final int LENGTH = 4;

    /** The shortest datagram that can be checked: BTH and ICRC. */
    public static final int MIN_PACKET_LENGTH = Bth.LENGTH + LENGTH;

    /** The longest UDP payload. */
    public static final int MAX_PACKET_LENGTH = 65_507;

    /** DF as it appears in the solved difference: third byte of the field, first byte lowest. */
    private static final int DF_DIFFERENCE = FlowHeader.DONT_FRAGMENT >> 8 << 16;

    private final CRC32 crc = new CRC32();
    private int identification;

    /**
     * Appends the checksum to a packet that will travel with IPv4 identification 0 and DF set, or over IPv6.
     *
     * @param packet the buffer; its limit leaves room for 4 more bytes behind the packet
     * @param offset where the BTH starts
     * @param length bytes from BTH to pad, a multiple of 4
     * @param flow the flow it is sent on
     * @return the length with the checksum
     */
    public int appendTo(ByteBuffer packet, int offset, int length, FlowHeader flow) {
        return appendTo(packet, offset, length, flow, 0);
    }

    /** As above, for an IPv4 identification other than 0: the n-th segment of a UDP GSO send has n. */
    public int appendTo(ByteBuffer packet, int offset, int length, FlowHeader flow, int identification) {
        assert (length & 3) == 0 : length;
        int total = length + LENGTH;
        int value = compute(packet, offset, total, flow, identification);
        packet.putInt(offset + length, Integer.reverseBytes(value));
        return total;
    }

    /**
     * As above, where the payload is elsewhere: {@code packet} holds what is before byte {@code start} of the packet, and behind it
     * the pad, {@code pad} bytes, which the checksum is to follow.
     *
     * @param payload the payload's memory, whose position and limit come back as they were
     * @param at where the payload is in it
     * @param bytes of payload; with the pad a multiple of 4
     */
    public int appendTo(
            ByteBuffer packet,
            int start,
            ByteBuffer payload,
            int at,
            int bytes,
            int pad,
            FlowHeader flow,
            int identification) {
        int total = start + bytes + pad + LENGTH;
        assert (total & 3) == 0 : total;
        begin(packet, 0, total, flow, identification);
        update(packet, Bth.LENGTH, start);
        update(payload, at, at + bytes);
        update(packet, start, start + pad);
        packet.putInt(start + pad, Integer.reverseBytes((int) crc.getValue()));
        return total;
    }

    /**
     * Checks a received datagram.
     *
     * @param packet the buffer
     * @param offset where the BTH starts
     * @param length bytes from BTH to ICRC: the UDP payload
     * @param flow the flow it came on: source is the peer
     */
    public IcrcVerdict verify(ByteBuffer packet, int offset, int length, FlowHeader flow) {
        identification = 0;
        if (length < MIN_PACKET_LENGTH
                || length > MAX_PACKET_LENGTH
                || (length & 3) != 0
                || offset < 0
                || offset > packet.limit() - length) {
            return IcrcVerdict.BAD_LENGTH;
        }
        int received = Integer.reverseBytes(packet.getInt(offset + length - LENGTH));
        int difference = compute(packet, offset, length, flow, 0) ^ received;
        if (difference == 0) {
            return IcrcVerdict.OK;
        }
        return flow.isIpv4() ? solve(difference, length) : IcrcVerdict.MISMATCH;
    }

    /**
     * IPv4 identification of the datagram that {@link #verify} accepted last; 0 over IPv6 and after a refusal. Good for
     * captures and statistics.
     */
    public int identification() {
        return identification;
    }

    private IcrcVerdict solve(int difference, int length) {
        int field = CrcPolynomial.multiply(difference, CrcPolynomial.identificationInverse(length));
        int flags = field & 0xFFFF_0000;
        if (flags != 0 && flags != DF_DIFFERENCE) {
            return IcrcVerdict.MISMATCH;
        }
        identification = Short.reverseBytes((short) field) & 0xFFFF;
        return IcrcVerdict.OK;
    }

    private int compute(ByteBuffer packet, int offset, int length, FlowHeader flow, int ipIdentification) {
        begin(packet, offset, length, flow, ipIdentification);
        update(packet, offset + Bth.LENGTH, offset + length - LENGTH);
        return (int) crc.getValue();
    }

    private void begin(ByteBuffer packet, int offset, int length, FlowHeader flow, int ipIdentification) {
        assert packet.order() == ByteOrder.BIG_ENDIAN;
        int prefix = flow.prepare(packet, offset, length, ipIdentification);
        crc.reset();
        crc.update(flow.array(), 0, prefix);
    }

    private void update(ByteBuffer bytes, int start, int end) {
        if (start < end) {
            int position = bytes.position();
            int limit = bytes.limit();
            bytes.limit(end).position(start);
            crc.update(bytes);
            bytes.limit(limit).position(position);
        }
    }
}
