package io.srpt.scsi;

import static io.srpt.scsi.ReservationBed.RESERVE;
import static io.srpt.scsi.ReservationBed.WE;
import static io.srpt.scsi.ReservationBed.WE_RO;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RESERVE and RELEASE of SPC-2, 6 and 10, alone and beside persistent reservations. */
class ReserveReleaseTest extends ReservationDisk {
    private String none(Nexus by, String cdb) {
        return disk.run(by, cdb, 0, 0);
    }

    @ParameterizedTest
    @CsvSource({"16 00 00 00 00 00, 17 00 00 00 00 00", "56 00 00 00 00 00 00 00 00 00, 57 00 00 00 00 00 00 00 00 00"})
    void reservesForOneNexus(String reserve, String release) {
        assertThat(none(disk.a, reserve)).isEqualTo(GOOD);
        assertThat(none(disk.a, reserve)).isEqualTo(GOOD);
        assertThat(none(disk.b, reserve)).isEqualTo(CONFLICT);
        assertThat(none(disk.a2, reserve)).isEqualTo(CONFLICT);
        assertThat(disk.read(disk.b)).isEqualTo(CONFLICT);
        assertThat(disk.write(disk.a)).isEqualTo(GOOD);
        assertThat(none(disk.b, release)).isEqualTo(GOOD);
        assertThat(disk.read(disk.b)).isEqualTo(CONFLICT);
        assertThat(none(disk.a, release)).isEqualTo(GOOD);
        assertThat(disk.read(disk.b)).isEqualTo(GOOD);
    }

    @ParameterizedTest
    @CsvSource({"16 00 00 00 00 00", "56 00 00 00 00 00 00 00 00 00"})
    void aReservationEndsWithItsNexusOrAReset(String reserve) {
        none(disk.a, reserve);
        disk.a.close();
        assertThat(disk.write(disk.b)).isEqualTo(GOOD);
        none(disk.b, reserve);
        disk.bed.server.taskManagement().lunReset(disk.c, 0);
        assertThat(disk.attention(disk.c)).isEqualTo("6/29/03");
        assertThat(disk.write(disk.c)).isEqualTo(GOOD);
    }

    @ParameterizedTest
    @CsvSource({"16, 01", "16, 10", "16, 1e", "17, 01", "17, 10", "56, 10", "56, 02", "56, 01", "57, 10", "57, 01"})
    void refusesExtentsAndThirdParties(String code, String flags) {
        String rest = code.startsWith("1") ? " 00 00 00 00" : " 00 00 00 00 00 00 00 00";
        assertThat(none(disk.a, code + " " + flags + rest)).isEqualTo("5/24/00");
    }

    @ParameterizedTest
    @CsvSource({"16 00 00 00 00 00", "17 00 00 00 00 00", "57 00 00 00 00 00 00 00 00 00"})
    void meetsAConflictWhereSomebodyIsRegistered(String command) {
        disk.register(disk.a, 1);
        assertThat(none(disk.a, command)).isEqualTo(CONFLICT);
        assertThat(none(disk.b, command)).isEqualTo(CONFLICT);
    }

    @ParameterizedTest
    @CsvSource({"16 00 00 00 00 00", "17 00 00 00 00 00", "56 00 00 00 00 00 00 00 00 00"})
    void doesNothingForWhomThePersistentReservationAdmits(String command) {
        disk.reserved(WE);
        assertThat(none(disk.a, command)).isEqualTo(GOOD);
        assertThat(none(disk.b, command)).isEqualTo(CONFLICT);
        assertThat(none(disk.c, command)).isEqualTo(CONFLICT);
        disk.out(disk.a, ReservationBed.RELEASE, WE, 1, 0);
        disk.out(disk.a, RESERVE, WE_RO, 1, 0);
        assertThat(none(disk.b, command)).isEqualTo(GOOD);
        assertThat(none(disk.c, command)).isEqualTo(CONFLICT);
        assertThat(disk.read(disk.c)).isEqualTo(GOOD);
    }

    @ParameterizedTest
    @CsvSource({"5e 00 00 00 00 00 00 00 08 00", "5e 02 00 00 00 00 00 00 08 00", "5f 00 00 00 00 00 00 00 18 00"})
    void persistentReservationsMeetAConflictBesideIt(String command) {
        none(disk.a, "16 00 00 00 00 00");
        assertThat(disk.run(disk.a, command, 24, 8)).isEqualTo(CONFLICT);
        assertThat(disk.run(disk.b, command, 24, 8)).isEqualTo(CONFLICT);
    }
}
