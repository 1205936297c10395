package io.srpt.target;

import io.srpt.scsi.LogicalUnit;
import io.srpt.scsi.Lun;
import io.srpt.scsi.TaskManagement;
import io.srpt.srp.SrpResponse;
import io.srpt.srp.TaskManagementRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the task management functions of a port's channels.
 *
 * <pre>
 *   ABORT TASK       the command with that tag on the same channel: tags of other channels are others' (ib_srp uses the same
 *                    numbers on all of them). 0 complete; 5 failed if there is no such command, or it is being answered
 *   ABORT TASK SET   all commands of the nexus, on all its channels
 *   CLEAR TASK SET   all commands of the unit, of all nexuses
 *   LUN RESET        the same; no tag counts
 *   CLEAR ACA        4 not supported, since NormACA is 0; so are functions that do not exist
 * </pre>
 *
 * <p>A function is answered as soon as its commands are detached: no response of theirs will follow, and no RDMA READ of theirs
 * is under way, for the initiator takes its memory back when the answer comes. The store may still work on them; it is the
 * logical unit that keeps their late writes from overtaking what comes later. What is answered first is posted first, so a
 * command whose response was under way is answered before the function.
 */
final class TaskManager {
    private final SrptPort port;
    /** All ports of the target, since units are theirs together. */
    private final List<SrptPort> ports;

    private final List<Pending> pending = new ArrayList<>();

    /** A function that is done but for RDMA READs that have not ended: of one command, or of the nexus on a LUN. */
    private record Pending(
            SrptChannel channel,
            CommandContext context,
            @Nullable CommandContext aborted,
            int lun) {}

    TaskManager(SrptPort port, List<SrptPort> ports) {
        this.port = port;
        this.ports = ports;
    }

    /** Carries out {@code function} and answers through {@code context}. */
    void start(SrptChannel channel, CommandContext context, int function, long lun, long taskTag) {
        context.managementFunction(TaskManagementFunction.of(function));
        switch (function) {
            case TaskManagementRequest.ABORT_TASK -> abortTask(channel, context, taskTag);
            case TaskManagementRequest.ABORT_TASK_SET ->
                finish(channel, context, lun, true, functions().abortTaskSet(channel.scsiNexus(), lun));
            case TaskManagementRequest.CLEAR_TASK_SET -> clearTaskSet(channel, context, lun);
            case TaskManagementRequest.LUN_RESET ->
                finish(channel, context, lun, false, functions().lunReset(channel.scsiNexus(), lun));
            default -> respond(context, SrpResponse.RESPONSE_NOT_SUPPORTED);
        }
    }

    private TaskManagement functions() {
        return port.deviceServer().taskManagement();
    }

    private void abortTask(SrptChannel channel, CommandContext context, long taskTag) {
        CommandContext task = channel.dispatcher().find(taskTag);
        if (task == null) {
            respond(context, SrpResponse.RESPONSE_FAILED);
            return;
        }
        task.abort();
        answerWhenDetached(new Pending(channel, context, task, Lun.INVALID));
    }

    /** What a fault holds is in no task set: who loses it has to hear of that before anything else of theirs goes on. */
    private void clearTaskSet(SrptChannel channel, CommandContext context, long lun) {
        LogicalUnit unit = port.deviceServer().logicalUnit(channel.scsiNexus(), lun);
        if (unit != null) {
            ports.forEach(each -> each.portChannels().tellOfHeld(channel.scsiNexus(), unit));
        }
        finish(channel, context, lun, false, functions().clearTaskSet(channel.scsiNexus(), lun));
    }

    private void finish(
            SrptChannel channel, CommandContext context, long lun, boolean ownOnly, TaskManagement.Result result) {
        LogicalUnit unit = port.deviceServer().logicalUnit(channel.scsiNexus(), lun);
        if (unit != null && ownOnly) {
            port.portChannels().abortHeld(channel.nexus(), unit);
        } else if (unit != null) {
            ports.forEach(each -> each.portChannels().abortHeld(null, unit));
        }
        if (unit == null || result == TaskManagement.Result.INCORRECT_LUN) {
            respond(context, SrpResponse.RESPONSE_FAILED);
        } else {
            answerWhenDetached(new Pending(channel, context, null, Lun.decode(lun)));
        }
    }

    private void answerWhenDetached(Pending function) {
        // Answered before it is looked at again, or not at all: a context that becomes free is not used by others
        // meanwhile.
        if (!respondIfDetached(function)) {
            pending.add(function);
        }
    }

    /** A context became free: answers the functions that waited for it. */
    void onContextFree() {
        if (!pending.isEmpty()) {
            pending.removeIf(this::respondIfDetached);
        }
    }

    private boolean respondIfDetached(Pending function) {
        CommandContext aborted = function.aborted;
        boolean detaching =
                aborted == null ? function.channel.nexus().isDetaching(function.lun) : aborted.isDetaching();
        if (!detaching && function.context.state() == CommandState.MGMT) {
            respond(function.context, SrpResponse.RESPONSE_COMPLETE);
        }
        return !detaching;
    }

    private void respond(CommandContext context, int code) {
        TargetCounters counters = port.counters();
        (code == SrpResponse.RESPONSE_COMPLETE ? counters.taskManagementCompleted : counters.taskManagementFailed)
                .increment();
        counters.taskManagement(context.managementFunction(), response(code)).increment();
        context.respondToManagement(code);
    }

    private static TaskManagementFunction.Response response(int code) {
        return switch (code) {
            case SrpResponse.RESPONSE_COMPLETE -> TaskManagementFunction.Response.COMPLETE;
            case SrpResponse.RESPONSE_NOT_SUPPORTED -> TaskManagementFunction.Response.NOT_SUPPORTED;
            default -> TaskManagementFunction.Response.FAILED;
        };
    }
}
