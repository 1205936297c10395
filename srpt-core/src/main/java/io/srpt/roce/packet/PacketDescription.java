package io.srpt.roce.packet;

import java.nio.ByteBuffer;

/**
 * One line about a packet, for debug logs and failing tests: {@code RC_READ_REQUEST qp 0x11 psn 1234 A va 0x… rkey 0x…
 * length 4096}. Takes any bytes and never throws; allocates, so ask the logger first. Stateless.
 */
public final class PacketDescription {

    private PacketDescription() {}

    /** Describes the {@code length} bytes from BTH to ICRC at {@code offset}. */
    public static String describe(ByteBuffer packet, int offset, int length) {
        if (offset < 0 || length < 0 || offset > packet.limit() - length) {
            return "no packet: " + length + " bytes at " + offset + " of " + packet.limit();
        }
        if (length < Bth.LENGTH) {
            return "truncated packet: " + length + " bytes";
        }
        Bth bth = new Bth().wrap(packet, offset);
        int opcode = bth.opcode();
        StringBuilder text = new StringBuilder(96).append(Opcode.name(opcode));
        appendBth(text, bth);
        int payload = length - Opcode.headerLength(opcode) - bth.padCount() - Icrc.LENGTH;
        if (payload < 0) {
            return text.append(" truncated: ").append(length).append(" bytes").toString();
        }
        appendExtendedHeaders(text, packet, offset, opcode);
        if (Opcode.hasPayload(opcode) || payload > 0) {
            text.append(" payload ").append(payload);
        }
        return text.toString();
    }

    private static void appendBth(StringBuilder text, Bth bth) {
        text.append(" qp 0x").append(Integer.toHexString(bth.destinationQp()));
        text.append(" psn ").append(bth.psn());
        if (bth.partitionKey() != Bth.DEFAULT_PARTITION_KEY) {
            text.append(" pkey 0x").append(Integer.toHexString(bth.partitionKey()));
        }
        text.append(bth.ackRequest() ? " ack-request" : "");
        text.append(bth.solicitedEvent() ? " solicited" : "");
        text.append(bth.fecn() ? " fecn" : "");
        text.append(bth.becn() ? " becn" : "");
        if (bth.version() != 0) {
            text.append(" version ").append(bth.version());
        }
        if (bth.padCount() != 0) {
            text.append(" pad ").append(bth.padCount());
        }
    }

    private static void appendExtendedHeaders(StringBuilder text, ByteBuffer packet, int offset, int opcode) {
        int at = offset + Bth.LENGTH;
        if (Opcode.hasDeth(opcode)) {
            Deth deth = new Deth().wrap(packet, at);
            text.append(" from qp 0x").append(Integer.toHexString(deth.sourceQp()));
            text.append(" qkey 0x").append(Integer.toHexString(deth.queueKey()));
        }
        if (Opcode.hasReth(opcode) && opcode != Opcode.RC_FLUSH) {
            Reth reth = new Reth().wrap(packet, at);
            appendRemote(text, reth.virtualAddress(), reth.remoteKey());
            text.append(" length ").append(reth.dmaLength());
        }
        if (Opcode.hasAtomicEth(opcode)) {
            AtomicEth atomic = new AtomicEth().wrap(packet, at);
            appendRemote(text, atomic.virtualAddress(), atomic.remoteKey());
        }
        if (Opcode.hasAeth(opcode)) {
            Aeth aeth = new Aeth().wrap(packet, at);
            text.append(' ').append(AethSyndrome.name(aeth.syndrome()));
            text.append(" msn ").append(aeth.msn());
        }
        int trailer = offset + Opcode.immediateOffset(opcode);
        if (Opcode.hasImm(opcode)) {
            text.append(" immediate 0x").append(Integer.toHexString(packet.getInt(trailer)));
        } else if (Opcode.hasIeth(opcode)) {
            text.append(" invalidate 0x").append(Integer.toHexString(packet.getInt(trailer)));
        }
    }

    private static void appendRemote(StringBuilder text, long address, int remoteKey) {
        text.append(" va 0x").append(Long.toHexString(address));
        text.append(" rkey 0x").append(Integer.toHexString(remoteKey));
    }
}
