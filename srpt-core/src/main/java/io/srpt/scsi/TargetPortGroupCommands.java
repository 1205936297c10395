package io.srpt.scsi;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** REPORT TARGET PORT GROUPS and SET TARGET PORT GROUPS (SPC-4 §6.37, §6.45); for units with asymmetric access. */
final class TargetPortGroupCommands {
    private TargetPortGroupCommands() {}

    static void addTo(CommandTable table) {
        table.addServiceAction("REPORT TARGET PORT GROUPS", "a3 ea 00 00 00 00 ff ff ff ff 00 04", new Report())
                .addServiceAction("SET TARGET PORT GROUPS", "a4 0a 00 00 00 00 ff ff ff ff 00 04", new Set());
    }

    /**
     * <pre>
     *  header    0  length of what follows (4); extended: 4  format 10h, 5  implicit transition time in seconds, 6  0 (2)
     *  group     0  PREF | state (4)    1  states that exist    2  group (2)    5  who changed it    7  number of ports
     *  port      0  0 (2) | relative target port identifier (2)
     * </pre>
     */
    private static final class Report implements ScsiCommand {
        private static final int FORMAT_SHIFT = 5;
        private static final int EXTENDED = 1;
        private static final int EXTENDED_FORMAT = 0x10;
        private static final int HEADER = 4;
        private static final int EXTENDED_HEADER = 8;
        private static final int GROUP = 8;
        private static final int PORT = 4;
        private static final int PREF = 0x80;
        /** Transitioning, offline, unavailable, standby, active non-optimized, active optimized. */
        private static final int SUPPORTED = 0xCF;

        @Override
        public boolean offered(LogicalUnit unit) {
            return unit.access() != null;
        }

        @Override
        public TaskPhase begin(ScsiTask task) {
            if (task.cdb().byteAt(1) >> FORMAT_SHIFT > EXTENDED) {
                return task.checkCondition(Sense.INVALID_FIELD_IN_CDB);
            }
            UnitAccess access = task.unit().access();
            int groups = access == null ? 0 : access.reported().size();
            int ports = task.server().targetPorts().all().size();
            return task.wantDataIn(task.cdb().intAt(6), EXTENDED_HEADER + (long) GROUP * groups + (long) PORT * ports);
        }

        @Override
        public void execute(ScsiTask task) {
            UnitAccess access = task.unit().access();
            List<AluaGroup> groups = access == null ? List.of() : access.reported();
            int ports = task.server().targetPorts().all().size();
            ByteBuffer data = task.server().scratch(EXTENDED_HEADER + GROUP * groups.size() + PORT * ports);
            int at = HEADER;
            if (task.cdb().byteAt(1) >> FORMAT_SHIFT == EXTENDED) {
                data.put(4, (byte) EXTENDED_FORMAT);
                data.put(5, (byte) task.server().asymmetricAccess().transitionSeconds());
                at = EXTENDED_HEADER;
            }
            for (AluaGroup group : groups) {
                at = put(data, at, group, access == null ? List.of() : access.ports(group));
            }
            data.putInt(0, at - HEADER);
            task.finishWithData(data, at);
        }

        private static int put(ByteBuffer data, int at, AluaGroup group, List<TargetPort> ports) {
            data.put(at, (byte) ((group.preferred() ? PREF : 0) | group.state().code()));
            data.put(at + 1, (byte) SUPPORTED);
            data.putShort(at + 2, (short) group.id());
            data.put(at + 5, (byte) group.cause().ordinal());
            data.put(at + 7, (byte) Math.min(0xFF, ports.size()));
            int next = at + GROUP;
            for (TargetPort port : ports.subList(0, Math.min(0xFF, ports.size()))) {
                data.putShort(next + 2, (short) port.relativeId());
                next += PORT;
            }
            return next;
        }
    }

    /** {@code 0 (4) | { state (4 bits) | 0 | group (2) } ...}; all of a list is done, or nothing of it. */
    private static final class Set implements ScsiCommand {
        private static final int HEADER = 4;
        private static final int DESCRIPTOR = 4;
        private static final int MAX_LIST = 4096;
        private static final int STATE = 0x0F;

        @Override
        public boolean offered(LogicalUnit unit) {
            return unit.access() != null;
        }

        @Override
        public TaskPhase begin(ScsiTask task) {
            if (!task.server().asymmetricAccess().isExplicit()) {
                return task.checkCondition(Sense.INVALID_FIELD_IN_CDB);
            }
            long length = task.cdb().intAt(6);
            if (length == 0) {
                return task.finishGood();
            }
            return length < HEADER || length > MAX_LIST || length > task.dataOutLength()
                    ? task.checkCondition(Sense.PARAMETER_LIST_LENGTH_ERROR)
                    : task.wantDataOut(length);
        }

        @Override
        public void execute(ScsiTask task) {
            UnitAccess access = task.unit().access();
            ByteBuffer list = task.parameterList();
            if ((list.capacity() - HEADER) % DESCRIPTOR != 0) {
                task.checkCondition(Sense.PARAMETER_LIST_LENGTH_ERROR);
                return;
            }
            Map<AluaGroup, AccessState> states = new LinkedHashMap<>();
            for (int at = HEADER; at < list.capacity(); at += DESCRIPTOR) {
                AluaGroup group = access == null ? null : access.find(list.getShort(at + 2) & 0xFFFF);
                AccessState state = AccessState.ofRequest(list.get(at) & STATE);
                if (group == null
                        || state == null
                        || !task.server().asymmetricAccess().has(group)) {
                    int wrong = state == null ? at : at + 2;
                    task.checkCondition(
                            Sense.INVALID_FIELD_IN_PARAMETER_LIST,
                            SenseData.NO_INFORMATION,
                            SenseData.field(true, wrong));
                    return;
                }
                states.put(group, state);
            }
            task.server()
                    .asymmetricAccess()
                    .change(states, task.nexus(), AluaGroup.Cause.SET_TARGET_PORT_GROUPS, new End(task));
        }
    }

    /** Ends the task when the transition is over; not if it ended before, and its slot may hold another one. */
    private static final class End implements Runnable {
        private final ScsiTask task;
        private final TaskWork mark = new TaskWork() {};

        End(ScsiTask task) {
            this.task = task;
            task.work = mark;
        }

        @Override
        public void run() {
            if (task.work == mark && task.isExecuting()) {
                task.finishGood();
            }
        }
    }
}
