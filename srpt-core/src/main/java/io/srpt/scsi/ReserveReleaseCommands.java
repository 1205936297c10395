package io.srpt.scsi;

/**
 * RESERVE and RELEASE 6 and 10 (SPC-2 §7.17, §7.21): the whole unit for the nexus that asks. Reservations of extents and for
 * third parties are not offered.
 */
final class ReserveReleaseCommands {
    /** Third party 10h, its id in six bytes 0Eh, its id in the list 02h, extents 01h. */
    private static final int NOT_OFFERED = 0x1F;

    private ReserveReleaseCommands() {}

    static void addTo(CommandTable table) {
        table.add("RESERVE(6)", "16 00 00 00 00 04", ReserveReleaseCommands::reserve)
                .add("RELEASE(6)", "17 00 00 00 00 04", ReserveReleaseCommands::release)
                .add("RESERVE(10)", "56 00 00 00 00 00 00 00 00 04", ReserveReleaseCommands::reserve)
                .add("RELEASE(10)", "57 00 00 00 00 00 00 00 00 04", ReserveReleaseCommands::release);
    }

    private static TaskPhase reserve(ScsiTask task) {
        return offered(task) ? finish(task, task.unit().reservations().reserve(task.nexus())) : refuse(task);
    }

    private static TaskPhase release(ScsiTask task) {
        return offered(task) ? finish(task, task.unit().reservations().release(task.nexus())) : refuse(task);
    }

    private static boolean offered(ScsiTask task) {
        return (task.cdb().byteAt(1) & NOT_OFFERED) == 0;
    }

    private static TaskPhase refuse(ScsiTask task) {
        return Reservations.refuse(task, ReservationChange.Refused.cdb(1));
    }

    private static TaskPhase finish(ScsiTask task, boolean done) {
        return done ? task.finishGood() : task.finish(ScsiStatus.RESERVATION_CONFLICT);
    }
}
