package io.srpt.roce;

import io.srpt.roce.net.Datagram;
import io.srpt.roce.packet.Aeth;
import io.srpt.roce.packet.Bth;
import io.srpt.roce.packet.Opcode;
import io.srpt.roce.packet.Reth;
import java.nio.ByteBuffer;

/** Builds the packets of one reliable connection in claimed slots and queues them. */
final class PacketBuilder {
    /** Payloads of so many bytes are lent to the datagram; shorter ones are copied beside their headers. */
    private static final int LENT_BYTES = 1024;

    private final ReliableQueuePair qp;
    private final Bth bth = new Bth();
    private final Reth reth = new Reth();
    private final Aeth aeth = new Aeth();

    PacketBuilder(ReliableQueuePair qp) {
        this.qp = qp;
    }

    /** Packet {@code index} of a SEND or RDMA WRITE; false if its memory is gone. */
    boolean data(Datagram slot, SendQueue.Element element, int index, int psn, boolean ackRequest) {
        boolean last = index == element.packets() - 1;
        int opcode = dataOpcode(element, index == 0, last);
        int headerLength = Opcode.headerLength(opcode);
        long offset = (long) index * qp.mtu().bytes();
        int length = (int) Math.min(element.byteLength() - offset, qp.mtu().bytes());
        ByteBuffer buffer = slot.buffer();
        SegmentCopy segments = element.segments();
        boolean lent = length >= LENT_BYTES && segments.lend(offset, length, slot, headerLength);
        if (!lent && !segments.gather(offset, length, buffer, headerLength)) {
            return false;
        }
        if (Opcode.hasReth(opcode)) {
            reth.wrap(buffer, Bth.LENGTH)
                    .virtualAddress(element.remoteAddress())
                    .remoteKey(element.remoteKey())
                    .dmaLength(element.byteLength());
        }
        if (Opcode.hasImm(opcode) || Opcode.hasIeth(opcode)) {
            buffer.putInt(Opcode.immediateOffset(opcode), element.immediate());
        }
        finish(slot, opcode, last && element.isSolicited(), headerLength, length, ackRequest, psn);
        return true;
    }

    private static int dataOpcode(SendQueue.Element element, boolean first, boolean last) {
        return switch (element.opcode()) {
            case SEND ->
                pick(
                        first,
                        last,
                        Opcode.RC_SEND_FIRST,
                        Opcode.RC_SEND_MIDDLE,
                        Opcode.RC_SEND_LAST,
                        Opcode.RC_SEND_ONLY);
            case SEND_WITH_IMMEDIATE ->
                pick(
                        first,
                        last,
                        Opcode.RC_SEND_FIRST,
                        Opcode.RC_SEND_MIDDLE,
                        Opcode.RC_SEND_LAST_WITH_IMMEDIATE,
                        Opcode.RC_SEND_ONLY_WITH_IMMEDIATE);
            case SEND_WITH_INVALIDATE ->
                pick(
                        first,
                        last,
                        Opcode.RC_SEND_FIRST,
                        Opcode.RC_SEND_MIDDLE,
                        Opcode.RC_SEND_LAST_WITH_INVALIDATE,
                        Opcode.RC_SEND_ONLY_WITH_INVALIDATE);
            case RDMA_WRITE ->
                pick(
                        first,
                        last,
                        Opcode.RC_WRITE_FIRST,
                        Opcode.RC_WRITE_MIDDLE,
                        Opcode.RC_WRITE_LAST,
                        Opcode.RC_WRITE_ONLY);
            case RDMA_WRITE_WITH_IMMEDIATE ->
                pick(
                        first,
                        last,
                        Opcode.RC_WRITE_FIRST,
                        Opcode.RC_WRITE_MIDDLE,
                        Opcode.RC_WRITE_LAST_WITH_IMMEDIATE,
                        Opcode.RC_WRITE_ONLY_WITH_IMMEDIATE);
            case RDMA_READ -> Opcode.RC_READ_REQUEST;
        };
    }

    private static int pick(boolean first, boolean last, int firstOp, int middleOp, int lastOp, int onlyOp) {
        if (first) {
            return last ? onlyOp : firstOp;
        }
        return last ? lastOp : middleOp;
    }

    /** A READ request for {@code bytes} bytes; its responses are numbered from {@code psn} on. */
    void readRequest(Datagram slot, int psn, long address, int key, int bytes) {
        reth.wrap(slot.buffer(), Bth.LENGTH)
                .virtualAddress(address)
                .remoteKey(key)
                .dmaLength(bytes);
        finish(slot, Opcode.RC_READ_REQUEST, false, Bth.LENGTH + Reth.LENGTH, 0, true, psn);
    }

    /** A READ response packet with {@code length} bytes from {@code source}. */
    void readResponse(
            Datagram slot, int opcode, int psn, int msn, int syndrome, RoceMemoryRegion source, int index, int length) {
        int headerLength = Opcode.headerLength(opcode);
        ByteBuffer buffer = slot.buffer();
        if (Opcode.hasAeth(opcode)) {
            aeth.wrap(buffer, Bth.LENGTH).put(syndrome, msn);
        }
        if (length >= LENT_BYTES) {
            slot.lend(headerLength, source.lent(), index, source.address() + index, length);
        } else {
            buffer.put(headerLength, source.buffer(), index, length);
        }
        finish(slot, opcode, false, headerLength, length, false, psn);
    }

    /** An ACK or NAK. */
    void acknowledge(Datagram slot, int psn, int syndrome, int msn) {
        aeth.wrap(slot.buffer(), Bth.LENGTH).put(syndrome, msn);
        finish(slot, Opcode.RC_ACKNOWLEDGE, false, Bth.LENGTH + Aeth.LENGTH, 0, false, psn);
    }

    private void finish(
            Datagram slot, int opcode, boolean solicited, int headerLength, int length, boolean ackRequest, int psn) {
        ByteBuffer buffer = slot.buffer();
        int end = headerLength + length;
        int pad = -length & 3;
        int padStart = end - slot.payloadLength();
        for (int i = 0; i < pad; i++) {
            buffer.put(padStart + i, (byte) 0);
        }
        bth.wrap(buffer, 0)
                .put(opcode, solicited, pad, Bth.DEFAULT_PARTITION_KEY, qp.remoteQueuePair(), ackRequest, psn);
        RocePath path = qp.path();
        path.endpoint().send(slot, opcode, end + pad, path.outbound(), path.remote());
    }
}
