package io.srpt.initiator;

import io.srpt.initiator.SrpCommand.Outcome;
import io.srpt.initiator.SrpSessionListener.CloseReason;
import io.srpt.initiator.SrpTaskManagementCallback.Result;
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

    private final SrpSession session;
    private final SessionTransport transport;
    private final SrpSessionCounters counters;
    private final RdmaLoop loop;
    private final long timeoutNanos;
    private final InformationUnits units;
    private final CommandSlots slots;
    private final TaskManagementSlots tasks;
    private final CreditWindow credits = new CreditWindow(RESERVED_CREDITS);
    private final int receiveOffset;
    private final int receiveLength;
    private final int receiveStride;
    private long nextSequence;
    private boolean stopped;

    SessionIo(SrpSession session, SessionTransport transport, RdmaLoop loop, LoginExchange.Grant grant)
            throws VerbsException {
        this.session = session;
        this.transport = transport;
        this.loop = loop;
        counters = session.counters();
        SrpSessionConfiguration configuration = session.configuration();
        timeoutNanos = configuration.commandTimeoutNanos();
        int depth = configuration.queueDepth();
        int plainUnit = Math.max(
                InformationUnits.COMMAND_LENGTH + 256 + InformationUnits.DESCRIPTOR_LENGTH,
                LoginExchange.IMMEDIATE_OFFSET);
        int tableLength = configuration.maxDescriptors() * InformationUnits.DESCRIPTOR_LENGTH;
        int unitLength = align(plainUnit + 4 + tableLength);
        int slotStride = align(unitLength + tableLength);
        int taskOffset = depth * slotStride;
        receiveOffset = taskOffset + TASK_MANAGEMENT_SLOTS * UNIT_ALIGNMENT;
        receiveLength = grant.maxMessageLength();
        receiveStride = align(receiveLength);
        int controlLength = Math.addExact(receiveOffset, Math.multiplyExact(transport.receives(), receiveStride));
        int access = tableLength > 0 ? Access.REMOTE_READ : 0;
        transport.allocate(controlLength, access, depth * configuration.maxTransferLength());
        units = new InformationUnits(transport.control().buffer());
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
            SrpCommand command = slots.get(index);
            if (command.isWaiting()) {
                slots.removeWaiting(command);
                command.onEnded(Outcome.SESSION_LOST);
            } else if (command.isInFlight()) {
                command.onEnded(Outcome.SESSION_LOST);
            }
        }
        tasks.failAll();
    }

    InformationUnits units() {
        return units;
    }

    int availableCredits() {
        return credits.available();
    }

    int freeSlots() {
        return slots.freeCount();
    }

    @Nullable SrpCommand acquire() {
        SrpCommand command = slots.take();
        if (command != null) {
            command.onAcquired();
        }
        return command;
    }

    void release(SrpCommand command) {
        slots.putBack(command);
    }

    void submit(SrpCommand command) {
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
        units.taskManagement(entry.unitOffset(), entry.tag(), function, lun, taskTag);
        PostResult result = transport.send(
                SessionTransport.KIND_REQUEST,
                entry.index(),
                entry.unitOffset(),
                InformationUnits.TASK_MANAGEMENT_LENGTH,
                0,
                0);
        if (result != PostResult.OK) {
            credits.giveBack();
            return false;
        }
        entry.onSent(function, lun, taskTag, nextSequence++, deadline(), callback);
        counters.taskManagement.increment();
        return true;
    }

    /** Ends a command that has not been sent yet. */
    boolean cancelWaiting(SrpCommand command) {
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
        if (length < InformationUnits.MIN_LENGTH) {
            onMalformed();
            return;
        }
        switch (units.type(offset)) {
            case InformationUnits.RESPONSE -> onResponse(index, offset, length);
            case InformationUnits.CREDIT_REQUEST ->
                onTargetRequest(index, offset, InformationUnits.CREDIT_RESPONSE);
            case InformationUnits.ASYNCHRONOUS_EVENT_REQUEST -> {
                if (length < InformationUnits.RESPONSE_LENGTH) {
                    onMalformed();
                    return;
                }
                session.onAsynchronousEvent(units.lun(offset));
                onTargetRequest(index, offset, InformationUnits.ASYNCHRONOUS_EVENT_RESPONSE);
            }
            case InformationUnits.TARGET_LOGOUT -> session.end(CloseReason.TARGET_LOGOUT);
            default -> onMalformed();
        }
    }

    /** Ends the session if something has waited too long. */
    void checkDeadlines(long now) {
        boolean overdue = tasks.isOverdue(now);
        for (int index = 0; index < slots.count() && !overdue; index++) {
            SrpCommand command = slots.get(index);
            overdue = (command.isInFlight() || command.isWaiting()) && command.deadlineNanos() - now <= 0;
        }
        if (overdue) {
            session.end(CloseReason.COMMAND_TIMEOUT);
        }
    }

    private void onResponse(int index, int offset, int length) {
        if (!units.isResponseSound(offset, length)) {
            onMalformed();
            return;
        }
        counters.answers.increment();
        credits.grant(units.delta(offset));
        long tag = units.tag(offset);
        SrpCommand command = slots.inFlight(tag);
        TaskManagementSlots.Entry entry = command == null ? tasks.inFlight(tag) : null;
        if (command != null) {
            command.onResponse(units, offset, length);
        } else if (entry != null) {
            onTaskManagementEnd(entry, Result.of(taskResponseCode(offset, length)));
        } else {
            counters.unknownTags.increment();
        }
        if (!stopped) {
            postReceive(index);
            pump();
        }
    }

    private int taskResponseCode(int offset, int length) {
        return units.hasResponseData(offset) ? units.responseCode(offset, length) : 5;
    }

    private void onTaskManagementEnd(TaskManagementSlots.Entry entry, Result result) {
        for (int index = 0; index < slots.count() && result == Result.COMPLETE; index++) {
            SrpCommand command = slots.get(index);
            if (command.isInFlight() && entry.covers(command)) {
                command.onEnded(Outcome.ABORTED);
            }
        }
        entry.end(result);
    }

    private void onTargetRequest(int index, int offset, int answer) {
        counters.targetRequests.increment();
        credits.grant(units.delta(offset));
        units.answer(offset, answer);
        PostResult result = transport.send(
                SessionTransport.KIND_ANSWER, index, offset, InformationUnits.ANSWER_LENGTH, 0, 0);
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

    private boolean send(SrpCommand command) {
        if (!credits.tryTakeForCommand()) {
            return false;
        }
        int length = command.encode(units, transport.control(), transport.data());
        PostResult result = transport.send(
                SessionTransport.KIND_REQUEST,
                command.index(),
                command.unitOffset(),
                length,
                command.dataOffset(),
                command.immediateLength());
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

    private SrpCommand[] makeSlots(int depth, int stride, int tableDelta, int dataLength) {
        ByteBuffer data = transport.data().buffer();
        SrpCommand[] made = new SrpCommand[depth];
        for (int index = 0; index < depth; index++) {
            int dataOffset = index * dataLength;
            int unitOffset = index * stride;
            made[index] = new SrpCommand(
                    session, index, unitOffset, unitOffset + tableDelta, dataOffset, data.slice(dataOffset, dataLength));
        }
        return made;
    }

    private static int align(int length) {
        return length + UNIT_ALIGNMENT - 1 & -UNIT_ALIGNMENT;
    }
}
