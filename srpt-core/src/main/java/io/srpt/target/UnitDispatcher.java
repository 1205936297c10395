package io.srpt.target;

import io.srpt.scsi.LogicalUnit;
import io.srpt.srp.InformationUnit;
import io.srpt.srp.InformationUnitType;
import io.srpt.srp.TaskManagementRequest;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Takes the units that a channel receives to contexts. Units that come before the connection stands, or while every context
 * is in hand, wait here in order; nothing overtakes them.
 *
 * <p>A context is made when there are more commands in hand than there ever were, so that an idle channel costs little.
 */
final class UnitDispatcher {
    private final SrptPort port;
    private final SrptChannel channel;
    private final TargetCounters counters;
    private final ReceiveRing receives;
    private final TaskManager taskManager;
    /** The first {@code made} are there. */
    private final CommandContext[] contexts;

    /** Numbers of contexts; the last one in is the first one out: the context used last is the one that is warm. */
    private final int[] free;

    /** How many units may wait; and those that do, in rings that are made when the first one does. */
    private final int maxWaiting;

    private int[] waitingSlots = new int[0];
    private int[] waitingLengths = new int[0];
    private final TaskManagementRequest taskManagement = new TaskManagementRequest();
    private int made;
    private int freeCount;
    private int firstWaiting;
    private int waitingCount;
    private boolean dispatching;

    UnitDispatcher(SrptPort port, SrptChannel channel) {
        this.port = port;
        this.channel = channel;
        this.counters = port.counters();
        this.receives = channel.receives();
        this.taskManager = port.taskManager();
        int contextCount = channel.limits().contexts();
        contexts = new CommandContext[contextCount];
        free = new int[contextCount];
        maxWaiting = channel.limits().receives();
    }

    /** A unit of {@code length} bytes came into {@code slot}. */
    void onUnit(int slot, int length) {
        channel.requests().onUnit();
        if (waitingCount == 0 && channel.isLive() && dispatch(slot, length)) {
            channel.requests().send();
        } else if (waitingCount < maxWaiting) {
            await(slot, length);
        } else {
            // Only with shared receives: else there are no more receives than places here.
            drop(slot, "more units than credits");
        }
    }

    private void await(int slot, int length) {
        counters.unitsWaited.increment();
        if (waitingSlots.length == 0) {
            waitingSlots = new int[maxWaiting];
            waitingLengths = new int[maxWaiting];
        }
        int at = (firstWaiting + waitingCount) % maxWaiting;
        waitingSlots[at] = slot;
        waitingLengths[at] = length;
        waitingCount++;
    }

    /** Serves units that wait, as far as contexts go. */
    void runWaiting() {
        if (dispatching) {
            return;
        }
        dispatching = true;
        try {
            while (waitingCount > 0
                    && channel.isLive()
                    && dispatch(waitingSlots[firstWaiting], waitingLengths[firstWaiting])) {
                firstWaiting = (firstWaiting + 1) % maxWaiting;
                waitingCount--;
            }
        } finally {
            dispatching = false;
        }
    }

    /** Handles one unit; false when it needs a context and none is free. */
    private boolean dispatch(int slot, int length) {
        ByteBuffer buffer = receives.buffer();
        int offset = receives.unitOffset(slot);
        int type = InformationUnitType.of(buffer, offset, length);
        if (length < InformationUnitType.minimumLength(type)) {
            drop(slot, InformationUnitType.name(type) + " of " + length + " bytes");
            return true;
        }
        return switch (type) {
            case InformationUnitType.CMD -> startCommand(buffer, offset, slot, length);
            case InformationUnitType.TSK_MGMT -> startTaskManagement(buffer, offset, slot);
            case InformationUnitType.I_LOGOUT -> {
                channel.credits().spend();
                counters.initiatorLogouts.increment();
                channel.end(ChannelEnd.INITIATOR_LOGOUT, "SRP_I_LOGOUT");
                receives.giveBack(slot);
                yield true;
            }
            case InformationUnitType.CRED_RSP, InformationUnitType.AER_RSP -> {
                counters.targetRequestResponses.increment();
                receives.post(slot);
                channel.requests().onAnswered();
                yield true;
            }
            default -> {
                counters.unknownUnits.increment();
                drop(slot, "unexpected " + InformationUnitType.name(type));
                yield true;
            }
        };
    }

    /** The initiator broke the protocol: ends the channel. */
    private void drop(int slot, String why) {
        channel.end(ChannelEnd.PROTOCOL_ERROR, why);
        receives.giveBack(slot);
    }

    private boolean startCommand(ByteBuffer buffer, int offset, int slot, int length) {
        CommandContext context = take(buffer, offset, slot, CommandState.NEW);
        if (context == null) {
            return false;
        }
        counters.commands.increment();
        channel.channelCounters().commands.increment();
        context.start(length);
        return true;
    }

    private boolean startTaskManagement(ByteBuffer buffer, int offset, int slot) {
        CommandContext context = take(buffer, offset, slot, CommandState.MGMT);
        if (context == null) {
            return false;
        }
        taskManagement.wrap(buffer, offset);
        counters.taskManagementRequests.increment();
        taskManager.start(channel, context, taskManagement.function(), taskManagement.lun(), taskManagement.taskTag());
        return true;
    }

    private @Nullable CommandContext take(ByteBuffer buffer, int offset, int slot, CommandState state) {
        if (freeCount == 0) {
            if (made == contexts.length) {
                return null;
            }
            contexts[made] = new CommandContext(port, channel, made);
            free[freeCount++] = made++;
        }
        channel.credits().spend();
        counters.commandsInUse.increment();
        channel.channelCounters().commandsInUse.increment();
        CommandContext context = contexts[free[--freeCount]];
        context.take(
                slot,
                state,
                buffer.getLong(offset + InformationUnit.TAG_OFFSET),
                buffer.get(offset + InformationUnit.SOLICITED_OFFSET));
        return context;
    }

    /** Takes a context back, with all that it held. */
    void free(CommandContext context) {
        context.release();
        counters.commandsInUse.decrement();
        channel.channelCounters().commandsInUse.decrement();
        free[freeCount++] = context.index();
    }

    CommandContext context(int index) {
        return contexts[index];
    }

    /** The command under way with this tag, null if there is none. */
    @Nullable
    CommandContext find(long tag) {
        for (int i = 0; i < made; i++) {
            CommandContext context = contexts[i];
            if (context.isAbortable() && context.tag() == tag) {
                return context;
            }
        }
        return null;
    }

    /** Whether a fault holds a command for {@code unit}. */
    boolean holdsFor(LogicalUnit unit) {
        for (int i = 0; i < made; i++) {
            if (contexts[i].isHeldFor(unit)) {
                return true;
            }
        }
        return false;
    }

    /** Ends the commands for {@code unit} that a fault holds, without response. */
    void abortHeld(LogicalUnit unit) {
        // What waits came later and must not be ended with them.
        boolean nested = dispatching;
        dispatching = true;
        for (int i = 0; i < made; i++) {
            CommandContext context = contexts[i];
            if (context.isHeldFor(unit)) {
                context.abort();
            }
        }
        dispatching = nested;
        runWaiting();
    }

    /** Whether a command of {@code lun} was ended without status, and its RDMA READs have not ended yet. */
    boolean isDetaching(int lun) {
        for (int i = 0; i < made; i++) {
            CommandContext context = contexts[i];
            if (context.isDetaching() && context.lun() == lun) {
                return true;
            }
        }
        return false;
    }

    /** The channel is drained: ends what is in hand and drops what waits. */
    void onDrained() {
        for (; waitingCount > 0; waitingCount--) {
            receives.giveBack(waitingSlots[firstWaiting]);
            firstWaiting = (firstWaiting + 1) % maxWaiting;
        }
        for (int i = 0; i < made; i++) {
            contexts[i].onDrained();
        }
    }

    /** Contexts in hand. */
    int inUse() {
        return made - freeCount;
    }

    /** Units that wait. */
    int waiting() {
        return waitingCount;
    }
}
