package io.srpt.disni.provider;

import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.SVCPostSend;
import io.srpt.verbs.ReceiveWorkRequest;
import io.srpt.verbs.ScatterGatherList;
import io.srpt.verbs.SendWorkRequest;
import io.srpt.verbs.WorkRequestOpcode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * DiSNI's stateful calls of one queue pair, made the first time that a shape (opcode, number of segments) is posted and kept:
 * a post changes the numbers in them and executes. What DiSNI's work request cannot say (immediate data, invalidation) goes
 * through a record of ours.
 */
final class PostCalls {
    private static final int IBV_WR_SEND_WITH_INV = 9;
    private static final int RECEIVE_SEGMENT_POINTER = 16;
    private static final int RECEIVE_COUNT = 24;
    private static final int RECEIVE_SEGMENTS = 32;
    private static final int SEND_FENCE = 1;
    private static final int SEND_SIGNALED = 1 << 1;
    private static final int SEND_SOLICITED = 1 << 2;

    private final RdmaVerbs verbs;
    private final IbvQP queuePair;
    private final long pointer;
    private final @Nullable SVCPostSend[][] sends;
    /** {@code ibv_recv_wr} (32): 0 number, 8 next, 16 segments, 24 count; the segments are behind it. */
    private final ByteBuffer receiveRequest;

    private final long receiveAddress;
    private final ByteBuffer sendRecord = Records.allocate(Records.SEND);
    private final long sendAddress = Records.address(sendRecord);

    PostCalls(IbvQP queuePair, long pointer, int sendSegments, int receiveSegments) throws IOException {
        this.verbs = RdmaVerbs.open();
        this.queuePair = queuePair;
        this.pointer = pointer;
        sends = new SVCPostSend[WorkRequestOpcode.values().length][sendSegments + 1];
        receiveRequest = Records.allocate(RECEIVE_SEGMENTS + receiveSegments * Records.SEGMENT);
        receiveAddress = Records.address(receiveRequest);
        receiveRequest.putLong(RECEIVE_SEGMENT_POINTER, receiveAddress + RECEIVE_SEGMENTS);
    }

    /** Posts {@code request} as {@code number}; over DiSNI's remote address lie the fields of a datagram. */
    void send(SendWorkRequest request, long number, long remoteAddress, int remoteKey, int remoteQueueKey)
            throws IOException {
        if (isBeyondDisni(request.opcode())) {
            sendByRecord(request, number);
            return;
        }
        SVCPostSend call = sendCall(request.opcode(), request.segments().count());
        SVCPostSend.SendWRMod change = call.getWrMod(0);
        change.setWr_id(number);
        change.setSend_flags(flags(request.flags()));
        change.getRdmaMod().setRemote_addr(remoteAddress);
        change.getRdmaMod().setRkey(remoteKey);
        change.getRdmaMod().setReserved(remoteQueueKey);
        for (int i = 0; i < request.segments().count(); i++) {
            SVCPostSend.SgeMod segment = change.getSgeMod(i);
            segment.setAddr(request.segments().address(i));
            segment.setLength(request.segments().length(i));
            segment.setLkey(request.segments().localKey(i));
        }
        call.execute();
    }

    private static boolean isBeyondDisni(WorkRequestOpcode opcode) {
        return switch (opcode) {
            case SEND, RDMA_WRITE, RDMA_READ -> false;
            case SEND_WITH_IMMEDIATE, SEND_WITH_INVALIDATE, RDMA_WRITE_WITH_IMMEDIATE -> true;
        };
    }

    private void sendByRecord(SendWorkRequest request, long number) throws IOException {
        ScatterGatherList list = request.segments();
        sendRecord.putLong(0, number);
        sendRecord.putLong(Records.SEND_REMOTE_ADDRESS, request.remoteAddress());
        sendRecord.putInt(Records.SEND_REMOTE_KEY, request.remoteKey());
        sendRecord.putInt(Records.SEND_OPCODE, opcode(request.opcode()));
        sendRecord.putInt(Records.SEND_FLAGS, flags(request.flags()));
        sendRecord.putInt(Records.SEND_IMMEDIATE, request.immediate());
        sendRecord.putInt(Records.SEND_COUNT, list.count());
        for (int i = 0; i < list.count(); i++) {
            int at = Records.SEND_SEGMENTS + i * Records.SEGMENT;
            sendRecord.putLong(at, list.address(i));
            sendRecord.putInt(at + 8, list.length(i));
            sendRecord.putInt(at + 12, list.localKey(i));
        }
        int result = VerbsNative.postSend(pointer, sendAddress);
        if (result < 0) {
            throw new IOException("ibv_post_send: error " + -result);
        }
    }

    /**
     * Posts {@code request} as {@code number}. DiSNI's own receive call cannot be changed once it is made, so its native method
     * gets a request of ours.
     */
    void receive(ReceiveWorkRequest request, long number) throws IOException {
        ScatterGatherList list = request.segments();
        receiveRequest.putLong(0, number);
        receiveRequest.putInt(RECEIVE_COUNT, list.count());
        for (int i = 0; i < list.count(); i++) {
            int at = RECEIVE_SEGMENTS + i * Records.SEGMENT;
            receiveRequest.putLong(at, list.address(i));
            receiveRequest.putInt(at + 8, list.length(i));
            receiveRequest.putInt(at + 12, list.localKey(i));
        }
        Dispatcher.INSTANCE._postRecv(pointer, receiveAddress);
    }

    private SVCPostSend sendCall(WorkRequestOpcode opcode, int count) throws IOException {
        SVCPostSend call = sends[opcode.ordinal()][count];
        if (call == null) {
            IbvSendWR request = new IbvSendWR();
            request.setOpcode(opcode(opcode));
            request.setSg_list(segments(count));
            request.setNum_sge(count);
            call = verbs.postSend(queuePair, List.of(request), null);
            sends[opcode.ordinal()][count] = call;
        }
        return call;
    }

    private static LinkedList<IbvSge> segments(int count) {
        LinkedList<IbvSge> list = new LinkedList<>();
        for (int i = 0; i < count; i++) {
            list.add(new IbvSge());
        }
        return list;
    }

    private static int opcode(WorkRequestOpcode opcode) {
        return switch (opcode) {
            case RDMA_WRITE -> IbvSendWR.IBV_WR_RDMA_WRITE;
            case RDMA_WRITE_WITH_IMMEDIATE -> IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM;
            case SEND -> IbvSendWR.IBV_WR_SEND;
            case SEND_WITH_IMMEDIATE -> IbvSendWR.IBV_WR_SEND_WITH_IMM;
            case RDMA_READ -> IbvSendWR.IBV_WR_RDMA_READ;
            case SEND_WITH_INVALIDATE -> IBV_WR_SEND_WITH_INV;
        };
    }

    private static int flags(int flags) {
        return ((flags & SendWorkRequest.SIGNALED) != 0 ? SEND_SIGNALED : 0)
                | ((flags & SendWorkRequest.SOLICITED) != 0 ? SEND_SOLICITED : 0)
                | ((flags & SendWorkRequest.FENCE) != 0 ? SEND_FENCE : 0);
    }

    void free() {
        for (@Nullable SVCPostSend[] ofOpcode : sends) {
            for (SVCPostSend call : ofOpcode) {
                if (call != null) {
                    call.free();
                }
            }
        }
    }
}
