package io.srpt.initiator;

import io.srpt.initiator.InitiatorCommand.Outcome;
import io.srpt.initiator.SrpSessionListener.CloseReason;
import io.srpt.initiator.SrpTaskManagementCallback.Result;
import io.srpt.srp.AsyncEventRequest;
import io.srpt.srp.AsyncEventResponse;
import io.srpt.srp.CreditRequest;
import io.srpt.srp.CreditResponse;
import io.srpt.srp.DescriptorTable;
import io.srpt.srp.InformationUnitType;
import io.srpt.srp.LoginResponse;
import io.srpt.srp.SrpCommand;
import io.srpt.srp.SrpResponse;
import io.srpt.srp.TaskManagementRequest;
import io.srpt.verbs.Access;
import io.srpt.verbs.PostResult;
import io.srpt.verbs.RdmaLoop;
import io.srpt.verbs.VerbsException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The data path of a session that has logged in: slots, credits, receives, and what every message of the target means.
 *
 * <p>Control memory: the command slots' information units and descriptor tables, then the units of task management, then
 * the receive buffers. A request of the target is answered out of the buffer that it came in, which is posted again when
 * that SEND has completed.
 *
 * <p>Threads: the session's loop.
 */
final class SessionIo {
    /** Receives beyond one for each request of ours: the target's own requests. */
    static final int SPARE_RECEIVES = 8;
    /** Task management functions that can be in flight. */
    static final int TASK_MANAGEMENT_SLOTS = 2;

    private static final int RESERVED_CREDITS = 1;
    private static final int UNIT_ALIGNMENT = 64;
    private static final int MAX_ADDITIONAL_CDB = 252;

    private final SrpSession session;
    private final SessionTransport transport;
    private final SrpSessionCounters counters;
    private final RdmaLoop loop;
    private final long timeoutNanos;
    private final ByteBuffer control;
    private final TaskManagementRequest taskUnit = new TaskManagementRequest();
    private final SrpResponse response = new SrpResponse();
    private final CreditRequest creditRequest = new CreditRequest();
    private final CreditResponse creditResponse = new CreditResponse();
    private final AsyncEventRequest eventRequest = new AsyncEventRequest();
    private final AsyncEventResponse eventResponse = new AsyncEventResponse();
    private final CommandSlots slots;
    private final TaskManagementSlots tasks;
    private final CreditWindow credits = new CreditWindow(RESERVED_CREDITS);
    private final int receiveOffset;
    private final int receiveLength;
    private final int receiveStride;
    private long nextSequence;
    private boolean stopped;

    SessionIo(SrpSession session, SessionTransport transport, RdmaLoop loop, LoginResponse grant)
            throws VerbsException {
        this.session = session;
        this.transport = transport;
        this.loop = loop;
        counters = session.counters();
        SrpSessionConfiguration configuration = session.configuration();
        timeoutNanos = configuration.commandTimeoutNanos();
        int depth = configuration.queueDepth();
        int tableLength = configuration.maxDescriptors() * DescriptorTable.DESCRIPTOR_LENGTH;
        int unitLength = align(SrpCommand.LENGTH + MAX_ADDITIONAL_CDB + SrpCommand.INDIRECT_LENGTH + tableLength);
        int slotStride = align(unitLength + tableLength);
        int taskOffset = depth * slotStride;
        receiveOffset = taskOffset + TASK_MANAGEMENT_SLOTS * UNIT_ALIGNMENT;
        receiveLength = (int) grant.maxResponseLength();
        receiveStride = align(receiveLength);
        int controlLength = Math.addExact(receiveOffset, Math.multiplyExact(transport.receives(), receiveStride));
        int access = tableLength > 0 ? Access.REMOTE_READ : 0;
        transport.allocate(controlLength, access, depth * configuration.maxTransferLength());
        control = transport.control().buffer();
        slots = new CommandSlots(makeSlots(depth, slotStride, unitLength, configuration.maxTransferLength()));
        tasks = new TaskManagementSlots(TASK_MANAGEMENT_SLOTS, taskOffset, UNIT_ALIGNMENT);
    }

    /** Requests of ours that can be outstanding with {@code configuration}. */
    static int requests(SrpSessionConfiguration configuration) {
        return configuration.queueDepth() + TASK_MANAGEMENT_SLOTS;
    }

    /** Posts all receives and takes the first credits. */
    boolean start(int requestLimit) {
        credits.grant(requestLimit);
        for (int index = 0; index < transport.receives(); index++) {
            if (!postReceive(index)) {
                return false;
            }
        }
        return true;
    }

    /** Ends all that is in flight or waits; nothing is sent any more. */
    void stop() {
        stopped = true;
        for (int index = 0; index < slots.count(); index++) {
            InitiatorCommand command = slots.get(index);
            if (command.isWaiting()) {
                slots.removeWaiting(command);
                command.onEnded(Outcome.SESSION_LOST);
            } else if (command.isInFlight()) {
                command.onEnded(Outcome.SESSION_LOST);
            }
        }
        tasks.failAll();
    }

    int availableCredits() {
        return credits.available();
    }

    int freeSlots() {
        return slots.freeCount();
    }

    @Nullable
    InitiatorCommand acquire() {
        InitiatorCommand command = slots.take();
        if (command != null) {
            command.onAcquired();
        }
        return command;
    }

    void release(InitiatorCommand command) {
        slots.putBack(command);
    }

    void submit(InitiatorCommand command) {
        if (stopped) {
            command.onEnded(Outcome.SESSION_LOST);
            return;
        }
        command.onSubmitted(deadline());
        if (slots.hasWaiting() || !send(command)) {
            slots.await(command);
            counters.creditWaits.increment();
        }
    }

    /** Sends a task management function, or returns false if no slot or credit is free. */
    boolean manage(SrpTaskFunction function, long lun, long taskTag, SrpTaskManagementCallback callback) {
        TaskManagementSlots.Entry entry = tasks.take();
        if (stopped || entry == null || !credits.tryTakeForTaskManagement()) {
            return false;
        }
        taskUnit.wrap(control, entry.unitOffset()).initialise().tag(entry.tag());
        taskUnit.lun(lun).function(function.code()).taskTag(taskTag);
        PostResult result = transport.send(
                SessionTransport.KIND_REQUEST, entry.index(), entry.unitOffset(), TaskManagementRequest.LENGTH, 0, 0);
        if (result != PostResult.OK) {
            credits.giveBack();
            return false;
        }
        entry.onSent(function, lun, taskTag, nextSequence++, deadline(), callback);
        counters.taskManagement.increment();
        return true;
    }

    /** Ends a command that has not been sent yet. */
    boolean cancelWaiting(InitiatorCommand command) {
        if (!command.isWaiting()) {
            return false;
        }
        slots.removeWaiting(command);
        command.onEnded(Outcome.ABORTED);
        return true;
    }

    /** A request of ours was sent, so that send slots are free again. */
    void onSendProgress() {
        pump();
    }

    /** The answer out of receive buffer {@code index} was sent. */
    void onAnswerSent(int index) {
        postReceive(index);
        pump();
    }

    /** A message of {@code length} bytes came into receive buffer {@code index}. */
    void onMessage(int index, int length) {
        int offset = receiveOffset + index * receiveStride;
        int type = InformationUnitType.of(control, offset, length);
        if (length < InformationUnitType.minimumLength(type)) {
            onMalformed();
            return;
        }
        switch (type) {
            case InformationUnitType.RSP -> onResponse(index, offset, length);
            case InformationUnitType.CRED_REQ -> onCreditRequest(index, offset);
            case InformationUnitType.AER_REQ -> onAsynchronousEvent(index, offset, length);
            case InformationUnitType.T_LOGOUT -> session.end(CloseReason.TARGET_LOGOUT);
            default -> onMalformed();
        }
    }

    /** Ends the session if something has waited too long. */
    void checkDeadlines(long now) {
        boolean overdue = tasks.isOverdue(now);
        for (int index = 0; index < slots.count() && !overdue; index++) {
            InitiatorCommand command = slots.get(index);
            overdue = (command.isInFlight() || command.isWaiting()) && command.deadlineNanos() - now <= 0;
        }
        if (overdue) {
            session.end(CloseReason.COMMAND_TIMEOUT);
        }
    }

    private void onResponse(int index, int offset, int length) {
        response.wrap(control, offset);
        if (!response.isValid(length)) {
            onMalformed();
            return;
        }
        counters.answers.increment();
        credits.grant(response.requestLimitDelta());
        long tag = response.tag();
        InitiatorCommand command = slots.inFlight(tag);
        TaskManagementSlots.Entry entry = command == null ? tasks.inFlight(tag) : null;
        if (command != null) {
            command.onResponse(response);
        } else if (entry != null) {
            onTaskManagementEnd(entry, taskResult());
        } else {
            counters.unknownTags.increment();
        }
        if (!stopped) {
            postReceive(index);
            pump();
        }
    }

    private Result taskResult() {
        boolean coded = (response.flags() & SrpResponse.RESPONSE_VALID) != 0;
        return coded ? Result.of(response.responseCode()) : Result.FAILED;
    }

    private void onTaskManagementEnd(TaskManagementSlots.Entry entry, Result result) {
        for (int index = 0; index < slots.count() && result == Result.COMPLETE; index++) {
            InitiatorCommand command = slots.get(index);
            if (command.isInFlight() && entry.covers(command)) {
                command.onEnded(Outcome.ABORTED);
            }
        }
        entry.end(result);
    }

    private void onCreditRequest(int index, int offset) {
        creditRequest.wrap(control, offset);
        credits.grant(creditRequest.requestLimitDelta());
        long tag = creditRequest.tag();
        creditResponse.wrap(control, offset).initialise().tag(tag);
        answer(index, offset, CreditResponse.LENGTH);
    }

    private void onAsynchronousEvent(int index, int offset, int length) {
        eventRequest.wrap(control, offset);
        if (!eventRequest.isValid(length)) {
            onMalformed();
            return;
        }
        credits.grant(eventRequest.requestLimitDelta());
        long tag = eventRequest.tag();
        long lun = eventRequest.lun();
        eventResponse.wrap(control, offset).initialise().tag(tag);
        answer(index, offset, AsyncEventResponse.LENGTH);
        session.onAsynchronousEvent(lun);
    }

    private void answer(int index, int offset, int length) {
        counters.targetRequests.increment();
        PostResult result = transport.send(SessionTransport.KIND_ANSWER, index, offset, length, 0, 0);
        if (result != PostResult.OK) {
            session.end(CloseReason.TRANSPORT_ERROR);
            return;
        }
        pump();
    }

    private void onMalformed() {
        counters.malformed.increment();
        session.end(CloseReason.PROTOCOL_ERROR);
    }

    private void pump() {
        while (!stopped && slots.hasWaiting() && send(slots.firstWaiting())) {
            slots.removeFirstWaiting();
        }
    }

    private boolean send(InitiatorCommand command) {
        if (!credits.tryTakeForCommand()) {
            return false;
        }
        CommandUnit unit = command.unit();
        int length = unit.encode(
                command.nextTag(),
                transport.control(),
                transport.data(),
                session.immediateOffset(),
                session.maxRequestLength());
        PostResult result = transport.send(
                SessionTransport.KIND_REQUEST,
                command.index(),
                unit.offset(),
                length,
                unit.dataOffset(),
                unit.immediateLength());
        if (result == PostResult.OK) {
            command.onSent(nextSequence++);
            counters.commands.increment();
            return true;
        }
        credits.giveBack();
        return false;
    }

    private boolean postReceive(int index) {
        return transport.receive(index, receiveOffset + index * receiveStride, receiveLength) == PostResult.OK;
    }

    private long deadline() {
        return timeoutNanos == 0 ? Long.MAX_VALUE : loop.nanoTime() + timeoutNanos;
    }

    private InitiatorCommand[] makeSlots(int depth, int stride, int tableDelta, int dataLength) {
        ByteBuffer data = transport.data().buffer();
        InitiatorCommand[] made = new InitiatorCommand[depth];
        for (int index = 0; index < depth; index++) {
            int dataOffset = index * dataLength;
            int unitOffset = index * stride;
            CommandUnit unit = new CommandUnit(control, unitOffset, unitOffset + tableDelta, dataOffset);
            made[index] = new InitiatorCommand(session, index, unit, data.slice(dataOffset, dataLength));
        }
        return made;
    }

    private static int align(int length) {
        return (length + UNIT_ALIGNMENT - 1) & -UNIT_ALIGNMENT;
    }
}
