package io.srpt.scsi;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The commands of a direct-access disk by operation code and service action: the decode table, and what REPORT SUPPORTED
 * OPERATION CODES tells. Immutable once built; any thread may look things up.
 */
final class CommandTable {
    private static final int SERVICE_ACTION_OFFSET = 8;
    private static final int SERVICE_ACTIONS = 32;
    private static final int SERVICE_ACTION_MASK = SERVICE_ACTIONS - 1;

    private final @Nullable CommandDescriptor[] plain = new @Nullable CommandDescriptor[256];
    private final @Nullable CommandDescriptor[] byServiceAction =
            new @Nullable CommandDescriptor[256 * SERVICE_ACTIONS];
    private final Map<Integer, CommandDescriptor> variableLength = new HashMap<>();
    private final boolean[] hasServiceActions = new boolean[256];
    private final List<CommandDescriptor> all = new ArrayList<>();

    /** The table of a disk; every command family enters its own. */
    static CommandTable forDisk() {
        CommandTable table = new CommandTable();
        StatusCommands.addTo(table);
        InquiryCommand.addTo(table);
        ModeSenseCommand.addTo(table);
        ModeSelectCommand.addTo(table);
        LogSenseCommand.addTo(table);
        CapacityCommands.addTo(table);
        ReadCommand.addTo(table);
        WriteCommand.addTo(table);
        VerifyCommand.addTo(table);
        WriteVerifyCommand.addTo(table);
        WriteSameCommand.addTo(table);
        CompareAndWriteCommand.addTo(table);
        OrWriteCommand.addTo(table);
        WriteAtomicCommand.addTo(table);
        UnmapCommand.addTo(table);
        LbaStatusCommand.addTo(table);
        CacheCommands.addTo(table);
        SanitizeCommand.addTo(table);
        FormatCommand.addTo(table);
        MaintenanceCommands.addTo(table);
        TargetPortGroupCommands.addTo(table);
        ExtendedCopyCommand.addTo(table);
        CopyResultsCommands.addTo(table);
        BufferCommands.addTo(table);
        PersistentReserveInCommand.addTo(table);
        PersistentReserveOutCommand.addTo(table);
        ReserveReleaseCommands.addTo(table);
        ReportLunsCommand.addTo(table);
        ReportOpcodesCommand.addTo(table);
        return table;
    }

    /** Adds a command without service action; {@code usage} in hexadecimal, beginning with the operation code. */
    CommandTable add(String name, String usage, ScsiCommand command) {
        return add(name, usage, CommandDescriptor.NO_SERVICE_ACTION, false, command);
    }

    /** Adds a command that is served whatever the state of the logical unit. */
    CommandTable addAlwaysServed(String name, String usage, ScsiCommand command) {
        return add(name, usage, CommandDescriptor.NO_SERVICE_ACTION, true, command);
    }

    /** Adds a command whose service action is in byte 1 of {@code usage}. */
    CommandTable addServiceAction(String name, String usage, ScsiCommand command) {
        int serviceAction = HexFormat.of().withDelimiter(" ").parseHex(usage)[1] & SERVICE_ACTION_MASK;
        return add(name, usage, serviceAction, false, command);
    }

    /** Adds a command of operation code 7Fh, whose service action is in bytes 8 and 9 of {@code usage}. */
    CommandTable addVariableLength(String name, String usage, ScsiCommand command) {
        byte[] bytes = HexFormat.of().withDelimiter(" ").parseHex(usage);
        int serviceAction = ByteBuffer.wrap(bytes).getShort(SERVICE_ACTION_OFFSET) & 0xFFFF;
        return add(name, usage, serviceAction, false, command);
    }

    private CommandTable add(String name, String usage, int serviceAction, boolean alwaysServed, ScsiCommand command) {
        byte[] bytes = HexFormat.of().withDelimiter(" ").parseHex(usage);
        int operationCode = bytes[0] & 0xFF;
        ReservationRule known = ReservationRules.find(operationCode, serviceAction);
        CommandDescriptor descriptor = new CommandDescriptor(
                name,
                operationCode,
                serviceAction,
                bytes,
                known == null ? ReservationRule.WRITE : known, // what is not known may write
                alwaysServed,
                AccessStateRules.of(operationCode, serviceAction),
                command);
        if (operationCode == CommandDescriptor.VARIABLE_LENGTH) {
            hasServiceActions[operationCode] = true;
            variableLength.put(serviceAction, descriptor);
        } else if (serviceAction == CommandDescriptor.NO_SERVICE_ACTION) {
            plain[operationCode] = descriptor;
        } else {
            hasServiceActions[operationCode] = true;
            byServiceAction[operationCode * SERVICE_ACTIONS + serviceAction] = descriptor;
        }
        all.add(descriptor);
        return this;
    }

    /** The command that {@code cdb} holds at its beginning; null when it is not one of these. */
    @Nullable
    CommandDescriptor find(Cdb cdb) {
        if (cdb.length() < 1) {
            return null;
        }
        int operationCode = cdb.byteAt(0);
        if (!hasServiceActions(operationCode)) {
            return plain[operationCode];
        }
        if (operationCode == CommandDescriptor.VARIABLE_LENGTH) {
            return cdb.length() < SERVICE_ACTION_OFFSET + 2
                    ? null
                    : variableLength.get(cdb.shortAt(SERVICE_ACTION_OFFSET));
        }
        return cdb.length() < 2 ? null : find(operationCode, cdb.byteAt(1) & SERVICE_ACTION_MASK);
    }

    /** The command with this operation code and, where it has service actions, this service action. */
    @Nullable
    CommandDescriptor find(int operationCode, int serviceAction) {
        if (!hasServiceActions[operationCode]) {
            return plain[operationCode];
        }
        if (operationCode == CommandDescriptor.VARIABLE_LENGTH) {
            return variableLength.get(serviceAction);
        }
        boolean inRange = serviceAction >= 0 && serviceAction < SERVICE_ACTIONS;
        return inRange ? byServiceAction[operationCode * SERVICE_ACTIONS + serviceAction] : null;
    }

    boolean hasServiceActions(int operationCode) {
        return hasServiceActions[operationCode];
    }

    List<CommandDescriptor> all() {
        return all;
    }
}
