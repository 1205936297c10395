package io.srpt.scsi;

import io.srpt.store.StoreStatus;

/** PERSISTENT RESERVE OUT (SPC-4 §6.16), a command per service action; {@link Reservations} does the work. */
final class PersistentReserveOutCommand implements ScsiCommand {
    private static final int SCOPE_AND_TYPE = 2;
    private static final int PARAMETER_LIST_LENGTH = 5;
    private static final int MAX_LIST = 32 << 10;
    private static final int FENCED = 1;

    private final ReservationAction action;

    private PersistentReserveOutCommand(ReservationAction action) {
        this.action = action;
    }

    static void addTo(CommandTable table) {
        for (ReservationAction action : ReservationAction.values()) {
            table.addServiceAction(
                    "PERSISTENT RESERVE OUT, " + action.name().replace('_', ' '),
                    String.format("5f %02x %s 00 00 ff ff ff ff 04", action.code(), action.usesType() ? "ff" : "00"),
                    new PersistentReserveOutCommand(action));
        }
    }

    @Override
    public TaskPhase begin(ScsiTask task) {
        if (action.hasType() && ReservationType.of(task.cdb().byteAt(SCOPE_AND_TYPE)) == null) {
            return Reservations.refuse(task, ReservationChange.Refused.cdb(SCOPE_AND_TYPE));
        }
        long length = task.cdb().intAt(PARAMETER_LIST_LENGTH);
        return length < ReservationRequest.LENGTH || length > MAX_LIST || length > task.dataOutLength()
                ? task.checkCondition(Sense.PARAMETER_LIST_LENGTH_ERROR)
                : task.wantDataOut(length);
    }

    @Override
    public void execute(ScsiTask task) {
        Reservations reservations = task.unit().reservations();
        ReservationRequest request =
                ReservationRequest.parse(action, task.cdb().byteAt(SCOPE_AND_TYPE), task.parameterList());
        ReservationChange.Refused wrong = request.wrong();
        if (wrong == null && action.registers() && request.aptpl() && !reservations.canPersist()) {
            wrong = ReservationChange.Refused.parameter(
                    action == ReservationAction.REGISTER_AND_MOVE
                            ? ReservationRequest.MOVE_FLAGS
                            : ReservationRequest.FLAGS);
        }
        if (wrong != null) {
            Reservations.refuse(task, wrong);
        } else {
            reservations.submit(task, request);
        }
    }

    /** Whether {@code task} ends the commands of those that it preempts. */
    static boolean aborts(ScsiTask task) {
        return task.command() instanceof PersistentReserveOutCommand command
                && command.action == ReservationAction.PREEMPT_AND_ABORT;
    }

    /** The change is the case. */
    static void committed(ScsiTask task) {
        task.command().storeDone(task);
    }

    /**
     * The change is kept, or was the case at once. PREEMPT AND ABORT is done only when the store has let go of the writes
     * that it ended: the fence holds back what touches any block, as long as a write is late.
     */
    @Override
    public void storeDone(ScsiTask task) {
        if (action == ReservationAction.PREEMPT_AND_ABORT && task.commandStep != FENCED) {
            task.commandStep = FENCED;
            task.store().callReading(0, Long.MAX_VALUE, done -> done.onStoreDone(StoreStatus.OK, 0));
        } else {
            task.finishGood();
        }
    }
}
