package io.srpt.scsi;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** REPORT SUPPORTED OPERATION CODES (SPC-4 §6.35), told from the {@link CommandTable} itself. */
final class ReportOpcodesCommand implements ScsiCommand {
    private static final int RCTD = 0x80;
    private static final int OPTION_MASK = 0x07;
    private static final int ALL = 0;
    private static final int ONE_WITHOUT_SERVICE_ACTION = 1;
    private static final int ONE_WITH_SERVICE_ACTION = 2;
    private static final int ONE_EITHER = 3;

    private static final int SERVACTV = 0x01;
    private static final int CTDP_IN_LIST = 0x02;
    private static final int CTDP_IN_ONE = 0x80;
    private static final int SUPPORT_NONE = 0x01;
    private static final int SUPPORT_STANDARD = 0x03;
    private static final int TIMEOUTS_LENGTH = 12;
    private static final int MAX_ONE_LENGTH = 4 + 32 + TIMEOUTS_LENGTH;

    private final CommandTable table;

    private ReportOpcodesCommand(CommandTable table) {
        this.table = table;
    }

    static void addTo(CommandTable table) {
        table.addServiceAction(
                "REPORT SUPPORTED OPERATION CODES",
                "a3 0c 87 ff ff ff ff ff ff ff 00 04",
                new ReportOpcodesCommand(table));
    }

    @Override
    public TaskPhase begin(ScsiTask task) {
        int operationCode = task.cdb().byteAt(3);
        boolean valid = switch (task.cdb().byteAt(2) & OPTION_MASK) {
            case ALL, ONE_EITHER -> true;
            case ONE_WITHOUT_SERVICE_ACTION -> !table.hasServiceActions(operationCode);
            case ONE_WITH_SERVICE_ACTION -> table.hasServiceActions(operationCode);
            default -> false;
        };
        if (!valid) {
            return task.invalidField(2);
        }
        return task.wantDataIn(task.cdb().intAt(6), Math.max(MAX_ONE_LENGTH, listLength(true)));
    }

    @Override
    public void execute(ScsiTask task) {
        boolean timeouts = (task.cdb().byteAt(2) & RCTD) != 0;
        if ((task.cdb().byteAt(2) & OPTION_MASK) == ALL) {
            ByteBuffer data = task.server().scratch(listLength(timeouts));
            task.finishWithData(data, writeAll(data, task.unit(), timeouts));
        } else {
            CommandDescriptor command = asked(task);
            ByteBuffer data = task.server().scratch(MAX_ONE_LENGTH);
            task.finishWithData(data, writeOne(data, command, timeouts));
        }
    }

    /** The command that is asked for, or null; one without service actions has none but 0. */
    private @Nullable CommandDescriptor asked(ScsiTask task) {
        int operationCode = task.cdb().byteAt(3);
        int serviceAction = task.cdb().shortAt(4);
        boolean either = (task.cdb().byteAt(2) & OPTION_MASK) == ONE_EITHER;
        if (either && serviceAction != 0 && !table.hasServiceActions(operationCode)) {
            return null;
        }
        CommandDescriptor command = table.find(operationCode, serviceAction);
        return command != null && command.command().offered(task.unit()) ? command : null;
    }

    private int listLength(boolean timeouts) {
        return 4 + table.all().size() * (8 + (timeouts ? TIMEOUTS_LENGTH : 0));
    }

    /** {@code length (4)}, then per command {@code op | 0 | service action (2) | 0 | flags | CDB length (2)}. */
    private int writeAll(ByteBuffer data, LogicalUnit unit, boolean timeouts) {
        List<CommandDescriptor> commands = table.all();
        int at = 4;
        for (CommandDescriptor command : commands) {
            if (!command.command().offered(unit)) {
                continue;
            }
            data.put(at, (byte) command.operationCode());
            data.putShort(at + 2, (short) (command.hasServiceAction() ? command.serviceAction() : 0));
            int flags = (command.hasServiceAction() ? SERVACTV : 0) | (timeouts ? CTDP_IN_LIST : 0);
            data.put(at + 5, (byte) flags);
            data.putShort(at + 6, (short) command.cdbLength());
            at += 8;
            if (timeouts) {
                at += writeTimeouts(data, at);
            }
        }
        data.putInt(0, at - 4);
        return at;
    }

    /** {@code 0 | CTDP, SUPPORT | CDB length (2) | usage}. */
    private static int writeOne(ByteBuffer data, @Nullable CommandDescriptor command, boolean timeouts) {
        if (command == null) {
            data.put(1, (byte) SUPPORT_NONE);
            return 4;
        }
        data.put(1, (byte) (SUPPORT_STANDARD | (timeouts ? CTDP_IN_ONE : 0)));
        data.putShort(2, (short) command.cdbLength());
        data.put(4, command.usage());
        int at = 4 + command.cdbLength();
        return timeouts ? at + writeTimeouts(data, at) : at;
    }

    /** A command timeouts descriptor that promises nothing: all times 0. */
    private static int writeTimeouts(ByteBuffer data, int at) {
        data.putShort(at, (short) (TIMEOUTS_LENGTH - 2));
        return TIMEOUTS_LENGTH;
    }
}
