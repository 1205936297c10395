package io.srpt.target;

import io.srpt.scsi.ScsiStatus;
import io.srpt.scsi.ScsiTask;
import io.srpt.scsi.Sense;
import io.srpt.scsi.SenseData;
import io.srpt.srp.AsyncEventRequest;
import io.srpt.srp.CreditRequest;
import io.srpt.srp.SrpCommand;
import io.srpt.srp.SrpResponse;
import io.srpt.srp.TargetLogout;
import java.nio.ByteBuffer;

/**
 * Builds the units that a channel sends: one buffer for each context, one for a request of the target, and one for its logout.
 * The credits of a response are filled in when it is posted.
 */
final class ResponseBuffers {
    /** Buffers beside those of the contexts. */
    static final int OWN_UNITS = 2;

    private static final long MAX_RESIDUAL = 0xFFFF_FFFFL;

    private final ChannelBuffers buffers;
    private final TargetCounters counters;
    private final int maxSense;
    private final int requestIndex;
    private final int logoutIndex;
    private final SrpResponse response = new SrpResponse();
    private final CreditRequest creditRequest = new CreditRequest();
    private final AsyncEventRequest asyncEvent = new AsyncEventRequest();
    private final TargetLogout logout = new TargetLogout();
    private final int[] lengths;
    private final boolean[] solicited;
    private final ByteBuffer ownSense = ByteBuffer.allocate(SenseData.MAX_LENGTH);

    /** For units of at most {@code maxLength} bytes; the target's own units have the buffers behind the contexts'. */
    ResponseBuffers(ChannelBuffers buffers, TargetCounters counters, int maxLength, int contexts) {
        this.buffers = buffers;
        this.counters = counters;
        this.maxSense = maxLength - SrpResponse.LENGTH;
        this.requestIndex = contexts;
        this.logoutIndex = contexts + 1;
        this.lengths = new int[contexts + OWN_UNITS];
        this.solicited = new boolean[contexts + OWN_UNITS];
    }

    /** The end of a task: status, residuals, sense as far as the initiator takes it. */
    void ofTask(int index, long tag, ScsiTask task) {
        start(index, tag).status(task.status().code());
        residuals(task.residualOut(), task.residualIn());
        lengths[index] = task.senseLength() == 0 ? SrpResponse.LENGTH : sense(task.sense(), task.senseLength());
    }

    /** A command that never came to the device server. */
    void rejected(int index, long tag, Sense sense) {
        start(index, tag).status(ScsiStatus.CHECK_CONDITION.code());
        int length = SenseData.encode(ownSense, 0, sense, false, SenseData.NO_INFORMATION);
        lengths[index] = sense(ownSense, length);
    }

    /** A command that is made to fail. */
    void failed(int index, long tag, CommandFault.Fail fault) {
        start(index, tag).status(fault.status().code());
        lengths[index] = SrpResponse.LENGTH;
        if (fault.withSense()) {
            int length = SenseData.encodeFixed(ownSense, 0, fault.senseKey(), fault.asc(), fault.ascq());
            lengths[index] = sense(ownSense, length);
        }
    }

    /** A command that there is no memory for at present. */
    void busy(int index, long tag) {
        start(index, tag).status(ScsiStatus.BUSY.code());
        lengths[index] = SrpResponse.LENGTH;
    }

    /** The end of a task management function. */
    void ofManagement(int index, long tag, int code) {
        lengths[index] = start(index, tag).responseCode(code);
    }

    private SrpResponse start(int index, long tag) {
        return response.wrap(buffers.responseBuffer(), buffers.responseOffset(index))
                .initialise()
                .tag(tag);
    }

    private void residuals(long out, long in) {
        int flags = 0;
        if (out != 0) {
            flags |= out > 0 ? SrpResponse.DATA_OUT_UNDER : SrpResponse.DATA_OUT_OVER;
            response.dataOutResidual(residual(out));
        }
        if (in != 0) {
            flags |= in > 0 ? SrpResponse.DATA_IN_UNDER : SrpResponse.DATA_IN_OVER;
            response.dataInResidual(residual(in));
        }
        response.flags(flags);
    }

    private static int residual(long signed) {
        return (int) Math.min(Math.abs(signed), MAX_RESIDUAL);
    }

    private int sense(ByteBuffer from, int length) {
        counters.checkConditions.increment();
        return response.sense(from, 0, Math.min(length, maxSense));
    }

    /** Fills in the credits of the response in buffer {@code index}. */
    void credits(int index, int delta) {
        response.wrap(buffers.responseBuffer(), buffers.responseOffset(index)).requestLimitDelta(delta);
    }

    /**
     * The unit in buffer {@code index} is whole but for its credits: makes it a solicited event if {@code bits}, those of
     * its request, ask for that. A command or function is successful with status GOOD and response code 0.
     */
    void solicit(int index, int bits) {
        boolean wanted = false;
        if (bits != 0) {
            response.wrap(buffers.responseBuffer(), buffers.responseOffset(index));
            boolean successful = response.status() == ScsiStatus.GOOD.code()
                    && ((response.flags() & SrpResponse.RESPONSE_VALID) == 0
                            || response.responseCode() == SrpResponse.RESPONSE_COMPLETE);
            wanted = (bits & (successful ? SrpCommand.SOLICIT_SUCCESSFUL : SrpCommand.SOLICIT_UNSUCCESSFUL)) != 0;
            response.solicited(wanted);
        }
        solicited[index] = wanted;
    }

    /** A credit request, in buffer {@link #requestIndex()}. */
    void creditRequest(long tag, int delta, boolean isSolicited) {
        creditRequest
                .wrap(buffers.responseBuffer(), buffers.responseOffset(requestIndex))
                .initialise()
                .tag(tag)
                .requestLimitDelta(delta)
                .solicited(isSolicited);
        own(requestIndex, CreditRequest.LENGTH, isSolicited);
    }

    /** A report of an event, in buffer {@link #requestIndex()}. */
    void asyncEvent(long tag, int delta, long lun, Sense sense, boolean isSolicited) {
        int length = SenseData.encode(ownSense, 0, sense, false, SenseData.NO_INFORMATION);
        int unit = asyncEvent
                .wrap(buffers.responseBuffer(), buffers.responseOffset(requestIndex))
                .initialise()
                .tag(tag)
                .requestLimitDelta(delta)
                .lun(lun)
                .solicited(isSolicited)
                .sense(ownSense, 0, Math.min(length, maxSense));
        own(requestIndex, unit, isSolicited);
    }

    /** The target's logout, in buffer {@link #logoutIndex()}. */
    void logout(long tag, int reason, boolean isSolicited) {
        logout.wrap(buffers.responseBuffer(), buffers.responseOffset(logoutIndex))
                .initialise()
                .tag(tag)
                .reason(reason)
                .solicited(isSolicited);
        own(logoutIndex, TargetLogout.LENGTH, isSolicited);
    }

    private void own(int index, int length, boolean isSolicited) {
        lengths[index] = length;
        solicited[index] = isSolicited;
    }

    int requestIndex() {
        return requestIndex;
    }

    int logoutIndex() {
        return logoutIndex;
    }

    /** Whether the unit in buffer {@code index} is to wake its receiver. */
    boolean isSolicited(int index) {
        return solicited[index];
    }

    /** Bytes of the unit in buffer {@code index}. */
    int length(int index) {
        return lengths[index];
    }

    ByteBuffer buffer() {
        return buffers.responseBuffer();
    }

    int offset(int index) {
        return buffers.responseOffset(index);
    }

    long address(int index) {
        return buffers.responseAddress(index);
    }

    int key() {
        return buffers.responseKey();
    }
}
