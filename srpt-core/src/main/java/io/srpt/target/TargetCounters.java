package io.srpt.target;

import io.srpt.counter.Counter;
import io.srpt.counter.CounterTable;
import io.srpt.counter.Histogram;
import io.srpt.scsi.OperationKind;
import io.srpt.srp.BufferFormat;
import io.srpt.srp.CommandCheck;
import io.srpt.srp.LoginRejectReason;
import io.srpt.srp.SrpCommand;
import io.srpt.verbs.WorkCompletionOpcode;
import io.srpt.verbs.WorkCompletionStatus;
import java.util.EnumMap;
import java.util.Map;

/**
 * What one port counted. Written on the port's loop, read from anywhere. Gauges are named {@code ...InUse} or
 * {@code ...Waiting}.
 */
public final class TargetCounters {
    /** Bytes of a chunk of data buffers. */
    public static final int DATA_CHUNK_BYTES = DataBufferPool.CHUNK_LENGTH;

    /** Logins that were accepted. */
    public final Counter loginsAccepted = new Counter();
    /** Channels that exist, whatever their state. */
    public final Counter channelsInUse = new Counter();
    /** Nexuses that exist. */
    public final Counter nexusesInUse = new Counter();
    /** SRP_I_LOGOUTs. */
    public final Counter initiatorLogouts = new Counter();
    /** Channels that ended because work failed. */
    public final Counter transportErrors = new Counter();
    /** Channels that ended because the initiator broke the protocol. */
    public final Counter protocolErrors = new Counter();

    /** SRP_CMDs that came. */
    public final Counter commands = new Counter();
    /** Commands without data. */
    public final Counter commandsWithoutData = new Counter();
    /** Commands with a direct descriptor. */
    public final Counter directCommands = new Counter();
    /** Commands with an indirect descriptor of at most one entry. */
    public final Counter singleIndirectCommands = new Counter();
    /** Commands with an indirect descriptor of more than one entry. */
    public final Counter indirectCommands = new Counter();
    /** Commands whose table had to be read from the initiator; they count as indirect too. */
    public final Counter partialTableCommands = new Counter();
    /** RDMA READs of descriptor tables. */
    public final Counter tableReads = new Counter();
    /** Commands with immediate data. */
    public final Counter immediateCommands = new Counter();
    /** Commands that are in hand: from arrival to the completion of their response. */
    public final Counter commandsInUse = new Counter();
    /** Commands that ended without a response because they were aborted or their channel ended. */
    public final Counter commandsWithoutResponse = new Counter();

    /** Gauge: commands that the store still holds although their channel was released without them. */
    public final Counter commandsStranded = new Counter();

    /** Bytes fetched from initiators by RDMA READ. */
    public final Counter bytesRead = new Counter();
    /** Bytes that came as immediate data. */
    public final Counter immediateBytes = new Counter();
    /** Bytes placed at initiators by RDMA WRITE. */
    public final Counter bytesWritten = new Counter();
    /** RDMA READs posted. */
    public final Counter rdmaReads = new Counter();
    /** RDMA WRITEs posted. */
    public final Counter rdmaWrites = new Counter();
    /** Times that the send queue was full and work had to wait. */
    public final Counter sendQueueFull = new Counter();

    /** SRP_RSPs of commands posted. */
    public final Counter responses = new Counter();
    /** Responses with sense. */
    public final Counter checkConditions = new Counter();
    /** SRP_TSK_MGMTs that came. */
    public final Counter taskManagementRequests = new Counter();
    /** Of these, how many did what they asked for. */
    public final Counter taskManagementCompleted = new Counter();
    /** Of these, how many named no such task, LUN or function. */
    public final Counter taskManagementFailed = new Counter();
    /** SRP_CRED_REQs posted. */
    public final Counter creditRequests = new Counter();
    /** SRP_AER_REQs posted. */
    public final Counter asyncEventRequests = new Counter();
    /** SRP_T_LOGOUTs posted. */
    public final Counter targetLogouts = new Counter();
    /** Credits given in all responses and credit requests, without those of the login. */
    public final Counter creditsGranted = new Counter();
    /** Units that came although the initiator had no credit. */
    public final Counter creditViolations = new Counter();
    /** SRP_CRED_RSPs and SRP_AER_RSPs. */
    public final Counter targetRequestResponses = new Counter();
    /** Units of a type that no initiator may send. */
    public final Counter unknownUnits = new Counter();
    /** Units that waited for the connection or for a free context. */
    public final Counter unitsWaited = new Counter();

    /** Commands to which a {@link CommandInterceptor} did something. */
    public final Counter faultsInjected = new Counter();
    /** Exceptions thrown by listeners, interceptors, access controls and stores of others, or by our own code. */
    public final Counter handlerErrors = new Counter();

    /** Receives that are posted. */
    public final Counter receivesInUse = new Counter();
    /** Chunks of data buffers that commands hold. */
    public final Counter chunksInUse = new Counter();
    /** Bytes of data buffers that were allocated so far. */
    public final Counter dataBufferBytes = new Counter();
    /** Commands that wait for data buffers. */
    public final Counter commandsWaiting = new Counter();
    /** Units that initiators may still send, over all channels. */
    public final Counter creditsInUse = new Counter();
    /** Tasks that the device server works on. */
    public final Counter tasksInUse = new Counter();

    private final CounterTable<TaskManagementFunction, TaskManagementFunction.Response> taskManagement =
            new CounterTable<>(TaskManagementFunction.class, TaskManagementFunction.Response.class);
    private final CounterTable<WorkCompletionOpcode, WorkCompletionStatus> workErrors =
            new CounterTable<>(WorkCompletionOpcode.class, WorkCompletionStatus.class);
    private final Map<OperationKind, Histogram> commandNanos = new EnumMap<>(OperationKind.class);
    private final Map<LoginRejectReason, Counter> loginsRejected = new EnumMap<>(LoginRejectReason.class);
    private final Map<CommandCheck, Counter> commandChecks = new EnumMap<>(CommandCheck.class);

    TargetCounters() {
        for (LoginRejectReason reason : LoginRejectReason.values()) {
            loginsRejected.put(reason, new Counter());
        }
        for (CommandCheck check : CommandCheck.values()) {
            commandChecks.put(check, new Counter());
        }
        for (OperationKind kind : OperationKind.values()) {
            commandNanos.put(kind, Histogram.ofLatencies());
        }
    }

    /** Times of commands of a kind, from the arrival of the unit until the response is posted. */
    public Histogram commandNanos(OperationKind kind) {
        return get(commandNanos, kind);
    }

    /** Task management functions by what was asked and answered. */
    public Counter taskManagement(TaskManagementFunction function, TaskManagementFunction.Response response) {
        return taskManagement.get(function, response);
    }

    /** Work of channels that ended with {@code status}, which is not SUCCESS. */
    public Counter workErrors(WorkCompletionOpcode opcode, WorkCompletionStatus status) {
        return workErrors.get(opcode, status);
    }

    /** Logins refused for {@code reason}. */
    public Counter loginsRejected(LoginRejectReason reason) {
        return get(loginsRejected, reason);
    }

    /** Commands for which the validation of the unit said {@code check}. */
    public Counter commandChecks(CommandCheck check) {
        return get(commandChecks, check);
    }

    /** Counts a valid command by the way in which its data is described. */
    void countFormat(SrpCommand command, boolean partialTable) {
        switch (command.dataFormat()) {
            case BufferFormat.DIRECT -> directCommands.increment();
            case BufferFormat.IMMEDIATE -> immediateCommands.increment();
            case BufferFormat.INDIRECT -> {
                if (command.tableCount() > 1) {
                    indirectCommands.increment();
                } else {
                    singleIndirectCommands.increment();
                }
            }
            default -> commandsWithoutData.increment();
        }
        if (partialTable) {
            partialTableCommands.increment();
        }
    }

    private static <K, V> V get(Map<K, V> counters, K key) {
        V counter = counters.get(key);
        if (counter == null) {
            throw new IllegalStateException("no counter for " + key);
        }
        return counter;
    }
}
