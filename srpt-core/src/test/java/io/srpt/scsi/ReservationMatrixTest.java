package io.srpt.scsi;

import static io.srpt.scsi.ReservationBed.EA;
import static io.srpt.scsi.ReservationBed.EA_AR;
import static io.srpt.scsi.ReservationBed.EA_RO;
import static io.srpt.scsi.ReservationBed.TYPES;
import static io.srpt.scsi.ReservationBed.WE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * All types of reservations, all commands, and all who send them: against the tables of SPC-4 (table 34), SBC-3 (table 9) and
 * SPC-2 (table 10, annex B), written down here once more.
 */
class ReservationMatrixTest {
    /**
     * Command: A allowed, C conflict. Columns: beside RESERVE of another; beside Write Exclusive and Exclusive Access of
     * another; from registered nexuses beside the types for registrants; from nexuses not registered beside Write Exclusive
     * and Exclusive Access for registrants. A CDB where zeros behind the operation code do not say it; then only one of the
     * rows of the command needs no CDB.
     */
    private static final String TABLE = """
            TEST UNIT READY                     00     C AA A AA
            REZERO UNIT                         01     C AC A AC
            REQUEST SENSE                       03     A AA A AA
            FORMAT UNIT                         04     C CC A CC
            READ(6)                             08     C AC A AC
            WRITE(6)                            0a     C CC A CC
            SEEK(6)                             0b     C CC A CC
            INQUIRY                             12     A AA A AA
            MODE SELECT(6)                      15     C CC A CC
            MODE SENSE(6)                       1a     C AC A AC
            START STOP UNIT, stop               1b     C CC A CC
            START STOP UNIT, start              1b     A AA A AA  1b 00 00 00 01 00
            START STOP UNIT, power condition    1b     C CC A CC  1b 00 00 00 11 00
            SEND DIAGNOSTIC                     1d     C CC A CC
            PREVENT ALLOW, allow                1e     A AA A AA
            PREVENT ALLOW, prevent              1e     C CC A CC  1e 00 00 00 01 00
            READ CAPACITY(10)                   25     A AA A AA
            READ(10)                            28     C AC A AC
            WRITE(10)                           2a     C CC A CC
            SEEK(10)                            2b     C CC A CC
            WRITE AND VERIFY(10)                2e     C CC A CC
            VERIFY(10)                          2f     C AC A AC
            PRE-FETCH(10)                       34     C AC A AC
            SYNCHRONIZE CACHE(10)               35     C CC A CC
            READ DEFECT DATA(10)                37     C AC A AC
            WRITE BUFFER                        3b     C CC A CC
            READ BUFFER                         3c     C AC A AC
            WRITE SAME(10)                      41     C CC A CC
            UNMAP                               42     C CC A CC
            SANITIZE, overwrite                 48/01  C CC A CC
            SANITIZE, block erase               48/02  C CC A CC
            SANITIZE, cryptographic erase       48/03  C CC A CC
            SANITIZE, exit failure mode         48/1f  C CC A CC
            LOG SENSE                           4d     A AA A AA
            MODE SELECT(10)                     55     C CC A CC
            MODE SENSE(10)                      5a     C AC A AC
            PERSISTENT RESERVE IN, keys         5e/00  C AA A AA
            PERSISTENT RESERVE IN, reservation  5e/01  C AA A AA
            PERSISTENT RESERVE IN, capabilities 5e/02  C AA A AA
            PERSISTENT RESERVE IN, full status  5e/03  C AA A AA
            WRITE SAME(32)                      7f/0d  C CC A CC
            READ(16)                            88     C AC A AC
            COMPARE AND WRITE                   89     C CC A CC
            WRITE(16)                           8a     C CC A CC
            ORWRITE(16)                         8b     C CC A CC
            WRITE AND VERIFY(16)                8e     C CC A CC
            VERIFY(16)                          8f     C AC A AC
            PRE-FETCH(16)                       90     C AC A AC
            SYNCHRONIZE CACHE(16)               91     C CC A CC
            WRITE SAME(16)                      93     C CC A CC
            WRITE ATOMIC(16)                    9c     C CC A CC
            READ CAPACITY(16)                   9e/10  A AA A AA
            GET LBA STATUS                      9e/12  C AC A AC
            REPORT LUNS                         a0     A AA A AA
            REPORT TARGET PORT GROUPS           a3/0a  A AA A AA
            REPORT SUPPORTED OPERATION CODES    a3/0c  C AC A AC
            REPORT SUPPORTED TASK MANAGEMENT    a3/0d  C AC A AC
            REPORT TIMESTAMP                    a3/0f  A AA A AA
            SET TARGET PORT GROUPS              a4/0a  C CC A CC
            EXTENDED COPY                       83     C CC A CC
            RECEIVE COPY RESULTS                84     C CC A CC
            READ(12)                            a8     C AC A AC
            WRITE(12)                           aa     C CC A CC
            WRITE AND VERIFY(12)                ae     C CC A CC
            VERIFY(12)                          af     C AC A AC
            READ DEFECT DATA(12)                b7     C AC A AC
            """;

    /** The commands that decide themselves; their tests are {@link ReserveReleaseTest} and {@link PersistentReserveTest}. */
    private static final Set<Integer> OWN_TESTS = Set.of(0x16, 0x17, 0x56, 0x57, 0x5F);

    private static final int COLUMN_CODE = 36;
    private static final int COLUMN_ALLOWED = 43;
    private static final int COLUMN_CDB = 54;

    private record Row(String name, int operationCode, int serviceAction, String allowed, String cdb) {
        boolean isOf(CommandDescriptor command) {
            return command.operationCode() == operationCode
                    && (serviceAction == CommandDescriptor.NO_SERVICE_ACTION
                            || command.serviceAction() == serviceAction);
        }

        /** The CDBs to try: the one that is given, or zeros behind the code of each command that the row is of. */
        List<byte[]> cdbs(List<CommandDescriptor> commands) {
            if (!cdb.isEmpty()) {
                return List.of(HexFormat.of().parseHex(cdb.replace(" ", "")));
            }
            List<byte[]> all = new ArrayList<>();
            for (CommandDescriptor command : commands) {
                if (isOf(command)) {
                    byte[] bytes = new byte[command.cdbLength()];
                    bytes[0] = (byte) operationCode;
                    if (operationCode == CommandDescriptor.VARIABLE_LENGTH) {
                        bytes[7] = (byte) (bytes.length - 8);
                        bytes[9] = (byte) command.serviceAction();
                    } else if (command.hasServiceAction()) {
                        bytes[1] = (byte) command.serviceAction();
                    }
                    all.add(bytes);
                }
            }
            return all;
        }

        boolean allowedBesideReserve() {
            return allowed.charAt(0) == 'A';
        }

        /** From a nexus that does not hold the reservation alone. */
        boolean allowed(int type, boolean registered) {
            int exclusiveAccess = type == EA || type == EA_RO || type == EA_AR ? 1 : 0;
            int column = type == WE || type == EA ? 2 + exclusiveAccess : registered ? 5 : 7 + exclusiveAccess;
            return allowed.charAt(column) == 'A';
        }
    }

    private static List<Row> rows() {
        return TABLE.lines()
                .map(line -> {
                    String[] code =
                            line.substring(COLUMN_CODE, COLUMN_ALLOWED).strip().split("/");
                    String cdb = line.length() > COLUMN_CDB ? line.substring(COLUMN_CDB) : "";
                    return new Row(
                            line.substring(0, COLUMN_CODE).strip(),
                            Integer.parseInt(code[0], 16),
                            code.length == 1 ? CommandDescriptor.NO_SERVICE_ACTION : Integer.parseInt(code[1], 16),
                            line.substring(COLUMN_ALLOWED).strip().substring(0, 9),
                            cdb.strip());
                })
                .toList();
    }

    private static List<CommandDescriptor> commands() {
        return CommandTable.forDisk().all();
    }

    @Test
    void theTableHasEveryCommand() {
        List<Row> rows = rows();
        assertThat(commands().stream()
                        .filter(command -> !OWN_TESTS.contains(command.operationCode()))
                        .filter(command -> rows.stream().noneMatch(row -> row.isOf(command)))
                        .map(CommandDescriptor::name))
                .isEmpty();
    }

    @Test
    void everyCommandHasARule() {
        assertThat(commands().stream()
                        .filter(command ->
                                ReservationRules.find(command.operationCode(), command.serviceAction()) == null)
                        .map(CommandDescriptor::name))
                .isEmpty();
    }

    @Test
    void commandsMeetTheConflictsOfTheTable() throws Exception {
        List<CommandDescriptor> commands = commands();
        List<String> wrong = new ArrayList<>();
        Set<String> tried = new HashSet<>();
        for (Row row : rows()) {
            for (byte[] cdb : row.cdbs(commands)) {
                tried.add(row.name());
                for (int type : TYPES) {
                    expect(wrong, row, cdb, type, "holder", true);
                    expect(wrong, row, cdb, type, "registrant", row.allowed(type, true));
                    expect(wrong, row, cdb, type, "stranger", row.allowed(type, false));
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(tried).hasSizeGreaterThan(55);
    }

    /** Each on a disk of its own, since many commands change it. */
    private static void expect(List<String> wrong, Row row, byte[] cdb, int type, String who, boolean allowed)
            throws Exception {
        try (ReservationBed disk = new ReservationBed()) {
            disk.reserved(type);
            Nexus by = "holder".equals(who) ? disk.a : "registrant".equals(who) ? disk.b : disk.c;
            check(wrong, row.name() + ", type " + type + ", " + who, disk, by, cdb, allowed);
        }
    }

    @Test
    void commandsMeetTheConflictsOfReserve() throws Exception {
        List<String> wrong = new ArrayList<>();
        for (Row row : rows()) {
            for (byte[] cdb : row.cdbs(commands())) {
                for (boolean own : new boolean[] {true, false}) {
                    try (ReservationBed disk = new ReservationBed()) {
                        disk.run(disk.a, "16 00 00 00 00 00", 0, 0);
                        boolean persistent = row.operationCode() == 0x5E;
                        boolean allowed = row.allowedBesideReserve() || own && !persistent;
                        check(wrong, row.name() + ", own " + own, disk, own ? disk.a : disk.b, cdb, allowed);
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static void check(
            List<String> wrong, String what, ReservationBed disk, Nexus by, byte[] cdb, boolean allowed) {
        String said = disk.run(by, HexFormat.of().formatHex(cdb), 4096, 4096);
        if (allowed == "RESERVATION_CONFLICT".equals(said)) {
            wrong.add(what + ": " + said);
        }
    }

    /** Who may use which service action of PERSISTENT RESERVE OUT beside a reservation (SPC-4 table 35). */
    @Test
    void serviceActionsMeetTheConflictsOfTheTable() throws Exception {
        for (int type : TYPES) {
            boolean all = type >= ReservationBed.WE_AR;
            String holders = outcomes(type, 1);
            String registrants = outcomes(type, 2);
            String strangers = outcomes(type, 3);
            // REGISTER, RESERVE, RELEASE, CLEAR, PREEMPT, PREEMPT AND ABORT, REGISTER AND IGNORE, REGISTER AND MOVE
            assertThat(holders).as("holder, type %d", type).isEqualTo(all ? "AAAAAAAC" : "AAAAAAAA");
            assertThat(registrants).as("registrant, type %d", type).isEqualTo(all ? "AAAAAAAC" : "ACAAAAAC");
            assertThat(strangers).as("stranger, type %d", type).isEqualTo("ACCCCCAC");
        }
    }

    private static String outcomes(int type, int who) throws Exception {
        List<String> outcomes = new ArrayList<>();
        for (int action = 0; action < 8; action++) {
            try (ReservationBed disk = new ReservationBed()) {
                disk.reserved(type);
                Nexus by = List.of(disk.a, disk.b, disk.c).get(who - 1);
                long key = who == 3 ? 0 : who;
                long other = who == 1 ? 2 : 1;
                String said = action == ReservationBed.REGISTER_AND_MOVE
                        ? disk.move(by, key, 9, 0, 2, ReservationBed.transportId(ScsiTestBed.initiator(0xD)))
                        : disk.out(by, action, type, key, action == 0 || action == 6 ? 4 : other);
                outcomes.add("GOOD".equals(said) ? "A" : "RESERVATION_CONFLICT".equals(said) ? "C" : said);
            }
        }
        return outcomes.stream().collect(Collectors.joining());
    }
}
