package io.srpt.target;

import io.srpt.scsi.LogicalUnit;
import io.srpt.scsi.TaskManagement;
import io.srpt.srp.SrpResponse;
import io.srpt.srp.TaskManagementRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the task management functions of a port's channels. Commands that a function ended send no response after that
 * of the function. The response waits while the store may still write what an ended command brought: else data of a command
 * that the initiator believes to be gone could overwrite data written after it.
 */
final class TaskManager {
    private final SrptPort port;
    private final List<Pending> pending = new ArrayList<>();

    /** A function that is done but for writes that the store has not ended; of one command, or of a whole LUN. */
    private record Pending(
            SrptChannel channel,
            CommandContext context,
            @Nullable CommandContext aborted,
            @Nullable LogicalUnit unit) {}

    TaskManager(SrptPort port) {
        this.port = port;
    }

    /** Carries out {@code function} and answers through {@code context}. */
    void start(SrptChannel channel, CommandContext context, int function, long lun, long taskTag) {
        context.managementFunction(TaskManagementFunction.of(function));
        switch (function) {
            case TaskManagementRequest.ABORT_TASK -> abortTask(channel, context, taskTag);
            case TaskManagementRequest.ABORT_TASK_SET ->
                finish(channel, context, lun, true, functions().abortTaskSet(channel.scsiNexus(), lun));
            case TaskManagementRequest.CLEAR_TASK_SET ->
                finish(channel, context, lun, false, functions().clearTaskSet(channel.scsiNexus(), lun));
            case TaskManagementRequest.LUN_RESET ->
                finish(channel, context, lun, false, functions().lunReset(channel.scsiNexus(), lun));
            // CLEAR ACA is not supported as NormACA is 0.
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
        if (task.mayStillWrite()) {
            pending.add(new Pending(channel, context, task, null));
        } else {
            respond(context, SrpResponse.RESPONSE_COMPLETE);
        }
    }

    private void finish(
            SrptChannel channel, CommandContext context, long lun, boolean ownOnly, TaskManagement.Result result) {
        LogicalUnit unit = port.deviceServer().logicalUnit(channel.scsiNexus(), lun);
        if (unit == null || result == TaskManagement.Result.INCORRECT_LUN) {
            respond(context, SrpResponse.RESPONSE_FAILED);
            return;
        }
        port.abortHeld(ownOnly ? channel.nexus() : null, unit);
        if (port.mayStillWrite(unit)) {
            pending.add(new Pending(channel, context, null, unit));
        } else {
            respond(context, SrpResponse.RESPONSE_COMPLETE);
        }
    }

    /** The store let go of a command that was ended: answers the functions that waited for it. */
    void onStoreReleased() {
        if (!pending.isEmpty()) {
            pending.removeIf(this::respondIfQuiet);
        }
    }

    private boolean respondIfQuiet(Pending function) {
        CommandContext aborted = function.aborted;
        LogicalUnit unit = function.unit;
        if (aborted != null && aborted.mayStillWrite() || unit != null && port.mayStillWrite(unit)) {
            return false;
        }
        respond(function.context, SrpResponse.RESPONSE_COMPLETE);
        return true;
    }

    /** The channel was drained: nobody waits for its answers any more. */
    void forget(SrptChannel channel) {
        pending.removeIf(function -> function.channel == channel);
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
