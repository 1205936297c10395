package io.srpt.scsi;

import java.nio.ByteBuffer;

/**
 * SANITIZE (SBC-3 §5.24): OVERWRITE, BLOCK ERASE where blocks can be deallocated, and EXIT FAILURE MODE. There is no
 * CRYPTOGRAPHIC ERASE: stores hold plain data, there is no key to throw away.
 *
 * <pre>
 *  OVERWRITE parameters: INVERT | 0 (2) | count (5);  0;  pattern length (2);  pattern, repeated in every block
 * </pre>
 */
final class SanitizeCommand implements ScsiCommand {
    private enum Kind {
        OVERWRITE,
        BLOCK_ERASE,
        EXIT_FAILURE_MODE
    }

    private static final int IMMED = 0x80;
    private static final int AUSE = 0x20;
    private static final int HEADER = 4;
    private static final int INVERT = 0x80;
    private static final int COUNT = 0x1F;

    private final Kind kind;

    private SanitizeCommand(Kind kind) {
        this.kind = kind;
    }

    static void addTo(CommandTable table) {
        table.addServiceAction(
                        "SANITIZE, OVERWRITE", "48 a1 00 00 00 00 00 ff ff 04", new SanitizeCommand(Kind.OVERWRITE))
                .addServiceAction(
                        "SANITIZE, BLOCK ERASE", "48 a2 00 00 00 00 00 ff ff 04", new SanitizeCommand(Kind.BLOCK_ERASE))
                .addServiceAction(
                        "SANITIZE, EXIT FAILURE MODE",
                        "48 9f 00 00 00 00 00 ff ff 04",
                        new SanitizeCommand(Kind.EXIT_FAILURE_MODE));
    }

    @Override
    public boolean offered(LogicalUnit unit) {
        return kind != Kind.BLOCK_ERASE || unit.thin();
    }

    @Override
    public TaskPhase begin(ScsiTask task) {
        int length = task.cdb().shortAt(7);
        LogicalUnit unit = task.unit();
        boolean fits = kind == Kind.OVERWRITE
                ? length > HEADER && length <= HEADER + unit.config().blockSize()
                : length == 0;
        if (!fits) {
            return task.invalidField(7);
        }
        if (kind == Kind.EXIT_FAILURE_MODE) {
            return exitFailureMode(task);
        }
        MediumOperation failed = unit.mediumOperation();
        if (failed != null && failed.isRestricted() && (task.cdb().byteAt(1) & AUSE) != 0) {
            return task.invalidField(1);
        }
        Sense refusal = task.writeRefusal();
        if (refusal != null) {
            return task.checkCondition(refusal);
        }
        if (length > task.dataOutLength()) {
            return task.checkCondition(Sense.PARAMETER_LIST_LENGTH_ERROR);
        }
        return length == 0 ? TaskPhase.READY : task.wantDataOut(length);
    }

    private static TaskPhase exitFailureMode(ScsiTask task) {
        MediumOperation failed = task.unit().mediumOperation();
        if (failed == null) {
            return task.finishGood();
        }
        return failed.mayExit() ? TaskPhase.READY : task.invalidField(1);
    }

    @Override
    public void execute(ScsiTask task) {
        MediumOperation failed = task.unit().mediumOperation();
        if (kind == Kind.EXIT_FAILURE_MODE) {
            if (failed == null) {
                task.finishGood();
            } else {
                failed.exit(task);
            }
            return;
        }
        boolean mayExit = (task.cdb().byteAt(1) & AUSE) != 0;
        boolean immediate = (task.cdb().byteAt(1) & IMMED) != 0;
        if (kind == Kind.BLOCK_ERASE) {
            MediumOperation.erase(task, MediumState.Kind.SANITIZE, mayExit).begin(task, immediate);
            return;
        }
        ByteBuffer list = task.parameterList();
        int passes = list.get(0) & COUNT;
        int length = list.getShort(2) & 0xFFFF;
        if (passes == 0 || length == 0 || length != list.capacity() - HEADER) {
            task.checkCondition(
                    Sense.INVALID_FIELD_IN_PARAMETER_LIST,
                    SenseData.NO_INFORMATION,
                    SenseData.field(true, passes == 0 ? 0 : 2));
            return;
        }
        ByteBuffer block = ByteBuffer.allocate(task.unit().config().blockSize());
        for (int i = 0; i < block.capacity(); i++) {
            block.put(i, list.get(HEADER + i % length));
        }
        MediumOperation.overwrite(task, mayExit, block, passes, (list.get(0) & INVERT) != 0)
                .begin(task, immediate);
    }
}
