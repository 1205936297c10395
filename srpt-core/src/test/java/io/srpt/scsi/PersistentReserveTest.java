package io.srpt.scsi;

import static io.srpt.scsi.ReservationBed.ALL_TG_PT;
import static io.srpt.scsi.ReservationBed.APTPL;
import static io.srpt.scsi.ReservationBed.CLEAR;
import static io.srpt.scsi.ReservationBed.EA;
import static io.srpt.scsi.ReservationBed.EA_AR;
import static io.srpt.scsi.ReservationBed.EA_RO;
import static io.srpt.scsi.ReservationBed.PREEMPT;
import static io.srpt.scsi.ReservationBed.REGISTER;
import static io.srpt.scsi.ReservationBed.REGISTER_AND_IGNORE;
import static io.srpt.scsi.ReservationBed.RELEASE;
import static io.srpt.scsi.ReservationBed.RESERVE;
import static io.srpt.scsi.ReservationBed.SPEC_I_PT;
import static io.srpt.scsi.ReservationBed.TYPES;
import static io.srpt.scsi.ReservationBed.WE;
import static io.srpt.scsi.ReservationBed.WE_AR;
import static io.srpt.scsi.ReservationBed.WE_RO;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The service actions of PERSISTENT RESERVE OUT one by one, seen through PERSISTENT RESERVE IN and other commands. */
class PersistentReserveTest extends ReservationDisk {
    private static final String INVALID_CDB = "5/24/00";
    private static final String INVALID_LIST = "5/26/00";
    private static final String LENGTH_ERROR = "5/1A/00";
    private static final String REGISTRATIONS_PREEMPTED = "6/2A/05";
    private static final String RESERVATIONS_PREEMPTED = "6/2A/03";
    private static final String RESERVATIONS_RELEASED = "6/2A/04";

    // REGISTER and REGISTER AND IGNORE EXISTING KEY.

    @Test
    void registersANexusThatWasNotRegistered() {
        assertThat(disk.out(disk.a, REGISTER, 0, 0, 7)).isEqualTo(GOOD);
        assertThat(disk.keys()).containsExactly(7L);
        assertThat(disk.generation()).isEqualTo(1);
        assertThat(disk.reservation()).isEqualTo("none");
    }

    @Test
    void refusesAKeyOfANexusThatHasNone() {
        assertThat(disk.out(disk.a, REGISTER, 0, 5, 7)).isEqualTo(CONFLICT);
        assertThat(disk.keys()).isEmpty();
        assertThat(disk.generation()).isZero();
    }

    @Test
    void changesTheKeyOnlyForWhoKnowsIt() {
        disk.register(disk.a, 7);
        assertThat(disk.out(disk.a, REGISTER, 0, 0, 8)).isEqualTo(CONFLICT);
        assertThat(disk.out(disk.a, REGISTER, 0, 7, 8)).isEqualTo(GOOD);
        assertThat(disk.keys()).containsExactly(8L);
        assertThat(disk.out(disk.a, REGISTER_AND_IGNORE, 0, 123, 9)).isEqualTo(GOOD);
        assertThat(disk.keys()).containsExactly(9L);
        assertThat(disk.generation()).isEqualTo(3);
    }

    @Test
    void registersTheSameKeyForSeveralNexuses() {
        disk.register(disk.a, 7);
        disk.register(disk.b, 7);
        assertThat(disk.keys()).containsExactly(7L, 7L);
    }

    @Test
    void removesARegistration() {
        disk.register(disk.a, 7);
        assertThat(disk.out(disk.a, REGISTER, 0, 7, 0)).isEqualTo(GOOD);
        assertThat(disk.keys()).isEmpty();
        assertThat(disk.generation()).isEqualTo(2);
    }

    @Test
    void hasNothingToRemoveForWhoIsNotRegistered() {
        assertThat(disk.out(disk.a, REGISTER, 0, 0, 0)).isEqualTo(GOOD);
        assertThat(disk.out(disk.a, REGISTER_AND_IGNORE, 0, 0, 0)).isEqualTo(GOOD);
        assertThat(disk.generation()).isZero();
    }

    @Test
    void ignoresScopeAndTypeWhereTheyDoNotCount() {
        assertThat(disk.out(disk.a, REGISTER, 0xFF, 0, 7)).isEqualTo(GOOD);
        assertThat(disk.out(disk.a, CLEAR, 0xFF, 7, 0)).isEqualTo(GOOD);
    }

    @Test
    void registersOnAllTargetPorts() {
        assertThat(disk.out(disk.a, REGISTER, 0, 0, 7, ALL_TG_PT)).isEqualTo(GOOD);
        assertThat(disk.state().keys()).containsOnlyKeys(disk.a.id(), disk.a2.id());
        assertThat(disk.generation()).isEqualTo(1);
        assertThat(disk.out(disk.a2, RESERVE, WE, 7, 0)).isEqualTo(GOOD);
        assertThat(disk.holder()).isEqualTo(disk.a2.id());
        assertThat(disk.out(disk.a, REGISTER, 0, 7, 0, ALL_TG_PT)).isEqualTo(GOOD);
        assertThat(disk.keys()).isEmpty();
        assertThat(disk.reservation()).isEqualTo("none");
    }

    @Test
    void registersOnAllTargetPortsOrOnNone() {
        disk.register(disk.a2, 5);
        assertThat(disk.out(disk.a, REGISTER, 0, 0, 7, ALL_TG_PT)).isEqualTo(CONFLICT);
        assertThat(disk.keys()).containsExactly(5L);
        assertThat(disk.out(disk.a, REGISTER_AND_IGNORE, 0, 0, 7, ALL_TG_PT)).isEqualTo(GOOD);
        assertThat(disk.keys()).containsExactly(7L, 7L);
    }

    @Test
    void registersInitiatorPortsThatAreNamed() {
        byte[] others = ReservationBed.specified(ScsiTestBed.initiator(0xB), ScsiTestBed.initiator(0xD));
        assertThat(disk.out(disk.a, REGISTER, 0, 0, 7, SPEC_I_PT, others)).isEqualTo(GOOD);
        assertThat(disk.state().keys())
                .containsOnlyKeys(disk.a.id(), disk.b.id(), new NexusId(ScsiTestBed.initiator(0xD), 1));
        assertThat(disk.out(disk.b, RESERVE, EA, 7, 0)).isEqualTo(GOOD);
        assertThat(disk.write(disk.a)).isEqualTo(CONFLICT);
    }

    @Test
    void registersNamedInitiatorPortsOnAllTargetPorts() {
        byte[] others = ReservationBed.specified(ScsiTestBed.initiator(0xB));
        assertThat(disk.out(disk.a, REGISTER, 0, 0, 7, SPEC_I_PT | ALL_TG_PT, others))
                .isEqualTo(GOOD);
        assertThat(disk.state().keys()).hasSize(4);
    }

    @Test
    void registersNoneWhenOneThatIsNamedIsRegistered() {
        disk.register(disk.b, 2);
        byte[] others = ReservationBed.specified(ScsiTestBed.initiator(0xC), ScsiTestBed.initiator(0xB));
        assertThat(disk.out(disk.a, REGISTER, 0, 0, 7, SPEC_I_PT, others)).isEqualTo(INVALID_LIST);
        assertThat(disk.keys()).containsExactly(2L);
    }

    @Test
    void namesNoInitiatorPortsWhenItIsRegistered() {
        disk.register(disk.a, 7);
        byte[] others = ReservationBed.specified(ScsiTestBed.initiator(0xB));
        assertThat(disk.out(disk.a, REGISTER, 0, 7, 8, SPEC_I_PT, others)).isEqualTo(INVALID_CDB);
        assertThat(disk.out(disk.a, REGISTER, 0, 6, 8, SPEC_I_PT, others)).isEqualTo(CONFLICT);
        assertThat(disk.keys()).containsExactly(7L);
    }

    @Test
    void refusesListsOfInitiatorPortsThatAreWrong() {
        byte[] one = ReservationBed.specified(ScsiTestBed.initiator(0xB));
        assertThat(disk.out(disk.a, REGISTER_AND_IGNORE, 0, 0, 7, SPEC_I_PT, one))
                .isEqualTo(INVALID_LIST);
        assertThat(disk.out(disk.a, REGISTER, 0, 0, 7, SPEC_I_PT)).isEqualTo(LENGTH_ERROR);
        assertThat(disk.out(disk.a, REGISTER, 0, 0, 7, 0, one)).isEqualTo(LENGTH_ERROR);
        one[3]--;
        assertThat(disk.out(disk.a, REGISTER, 0, 0, 7, SPEC_I_PT, one)).isEqualTo(LENGTH_ERROR);
        byte[] otherProtocol = ReservationBed.specified(ScsiTestBed.initiator(0xB));
        otherProtocol[4] = 5;
        assertThat(disk.out(disk.a, REGISTER, 0, 0, 7, SPEC_I_PT, otherProtocol))
                .isEqualTo(INVALID_LIST);
        assertThat(disk.out(disk.a, REGISTER, 0, 0, 7, SPEC_I_PT, new byte[] {0, 0, 0, 4, 0, 0, 0, 0}))
                .isEqualTo(INVALID_LIST);
        assertThat(disk.keys()).isEmpty();
    }

    @Test
    void registersNoMoreThanItHasRoomFor() {
        int each = 500;
        for (int from = 0; from < 2 * each; from += each) {
            TransportId[] ports = new TransportId[each];
            for (int i = 0; i < each; i++) {
                ports[i] = ScsiTestBed.initiator(0x1000 + from + i);
            }
            assertThat(disk.out(
                            from == 0 ? disk.a : disk.b, REGISTER, 0, 0, 7, SPEC_I_PT, ReservationBed.specified(ports)))
                    .isEqualTo(GOOD);
        }
        TransportId[] tooMany = new TransportId[22];
        for (int i = 0; i < tooMany.length; i++) {
            tooMany[i] = ScsiTestBed.initiator(0x9000 + i);
        }
        assertThat(disk.out(disk.c, REGISTER, 0, 0, 7, SPEC_I_PT, ReservationBed.specified(tooMany)))
                .isEqualTo("5/55/04");
        assertThat(disk.register(disk.c, 7)).isEqualTo(GOOD);
    }

    @Test
    void refusesToPersistWithoutAPlaceForIt() {
        assertThat(disk.out(disk.a, REGISTER, 0, 0, 7, APTPL)).isEqualTo(INVALID_LIST);
        assertThat(disk.out(disk.a, REGISTER_AND_IGNORE, 0, 0, 7, APTPL)).isEqualTo(INVALID_LIST);
        assertThat(disk.keys()).isEmpty();
    }

    @Test
    void registrationsStayWhenTheNexusIsLostAndTheUnitReset() {
        disk.reserved(WE);
        disk.a.close();
        disk.bed.server.taskManagement().lunReset(disk.b, 0);
        disk.attention(disk.b);
        disk.attention(disk.c);
        assertThat(disk.keys()).containsExactly(1L, 2L);
        assertThat(disk.write(disk.b)).isEqualTo(CONFLICT);
        Nexus again = disk.bed.server.openNexus(ScsiTestBed.initiator(0xA), disk.port1);
        assertThat(disk.attention(again)).isEqualTo("6/29/07");
        assertThat(disk.write(again)).isEqualTo(GOOD);
    }

    // RESERVE and RELEASE.

    @Test
    void reservesWithEveryTypeForWhoIsRegistered() {
        disk.register(disk.a, 7);
        disk.register(disk.b, 8);
        for (int type : TYPES) {
            assertThat(disk.out(disk.c, RESERVE, type, 0, 0)).isEqualTo(CONFLICT);
            assertThat(disk.out(disk.a, RESERVE, type, 8, 0)).isEqualTo(CONFLICT);
            assertThat(disk.out(disk.a, RESERVE, type, 7, 0)).isEqualTo(GOOD);
            assertThat(disk.reservation()).isEqualTo((type >= WE_AR ? 0 : 7) + ":" + type);
            assertThat(disk.out(disk.a, RESERVE, type, 7, 0)).isEqualTo(GOOD);
            assertThat(disk.out(disk.a, RESERVE, type == WE ? EA : WE, 7, 0)).isEqualTo(CONFLICT);
            assertThat(disk.out(disk.b, RESERVE, type, 8, 0)).isEqualTo(type >= WE_AR ? GOOD : CONFLICT);
            assertThat(disk.out(disk.a, RELEASE, type, 7, 0)).isEqualTo(GOOD);
            assertThat(disk.reservation()).isEqualTo("none");
            assertThat(disk.attention(disk.b)).isEqualTo(type >= WE_RO ? RESERVATIONS_RELEASED : GOOD);
            assertThat(disk.attention(disk.a)).isEqualTo(GOOD);
            assertThat(disk.attention(disk.c)).isEqualTo(GOOD);
        }
        assertThat(disk.generation()).isEqualTo(2);
    }

    @Test
    void refusesTypesAndScopesThatAreNone() {
        disk.register(disk.a, 7);
        for (int type : new int[] {0, 2, 4, 9, 0xF, 0x11, 0x21}) {
            assertThat(disk.out(disk.a, RESERVE, type, 7, 0)).isEqualTo(INVALID_CDB);
            assertThat(disk.out(disk.a, RELEASE, type, 7, 0)).isEqualTo(INVALID_CDB);
        }
    }

    @Test
    void releasesOnlyWhatIsHeld() {
        disk.register(disk.a, 1);
        assertThat(disk.out(disk.a, RELEASE, WE, 1, 0)).isEqualTo(GOOD);
        disk.reserved(WE);
        assertThat(disk.out(disk.b, RELEASE, WE, 2, 0)).isEqualTo(GOOD);
        assertThat(disk.reservation()).isEqualTo("1:1");
        assertThat(disk.out(disk.a, RELEASE, EA, 1, 0)).isEqualTo("5/26/04");
        assertThat(disk.out(disk.a, RELEASE, WE, 2, 0)).isEqualTo(CONFLICT);
        assertThat(disk.out(disk.c, RELEASE, WE, 0, 0)).isEqualTo(CONFLICT);
        assertThat(disk.reservation()).isEqualTo("1:1");
    }

    @Test
    void anyRegistrantReleasesWhatAllHold() {
        disk.reserved(EA_AR);
        assertThat(disk.out(disk.b, RELEASE, EA_AR, 2, 0)).isEqualTo(GOOD);
        assertThat(disk.attention(disk.a)).isEqualTo(RESERVATIONS_RELEASED);
    }

    @Test
    void aReservationEndsWithTheRegistrationOfItsHolder() {
        for (int type : new int[] {WE, EA, WE_RO, EA_RO}) {
            disk.reserved(type);
            assertThat(disk.out(disk.a, REGISTER, 0, 1, 0)).isEqualTo(GOOD);
            assertThat(disk.reservation()).isEqualTo("none");
            assertThat(disk.attention(disk.b)).isEqualTo(type >= WE_RO ? RESERVATIONS_RELEASED : GOOD);
        }
    }

    @Test
    void aReservationOfAllRegistrantsEndsWithTheLastOfThem() {
        disk.reserved(WE_AR);
        disk.out(disk.a, REGISTER, 0, 1, 0);
        assertThat(disk.reservation()).isEqualTo("0:7");
        assertThat(disk.attention(disk.b)).isEqualTo(GOOD);
        disk.out(disk.b, REGISTER, 0, 2, 0);
        assertThat(disk.reservation()).isEqualTo("none");
    }

    // CLEAR.

    @Test
    void clearsAll() {
        disk.reserved(EA);
        assertThat(disk.out(disk.c, CLEAR, 0, 0, 0)).isEqualTo(CONFLICT);
        assertThat(disk.out(disk.b, CLEAR, 0, 1, 0)).isEqualTo(CONFLICT);
        assertThat(disk.out(disk.b, CLEAR, 0, 2, 0)).isEqualTo(GOOD);
        assertThat(disk.keys()).isEmpty();
        assertThat(disk.reservation()).isEqualTo("none");
        assertThat(disk.generation()).isEqualTo(3);
        assertThat(disk.attention(disk.a)).isEqualTo(RESERVATIONS_PREEMPTED);
        assertThat(disk.attention(disk.b)).isEqualTo(GOOD);
        assertThat(disk.attention(disk.c)).isEqualTo(GOOD);
    }

    // PREEMPT.

    @Test
    void preemptsTheHolder() {
        disk.reserved(WE);
        assertThat(disk.out(disk.b, PREEMPT, EA, 2, 1)).isEqualTo(GOOD);
        assertThat(disk.keys()).containsExactly(2L);
        assertThat(disk.reservation()).isEqualTo("2:3");
        assertThat(disk.generation()).isEqualTo(3);
        assertThat(disk.attention(disk.a)).isEqualTo(REGISTRATIONS_PREEMPTED);
        assertThat(disk.attention(disk.b)).isEqualTo(GOOD);
        assertThat(disk.write(disk.a)).isEqualTo(CONFLICT);
        assertThat(disk.write(disk.b)).isEqualTo(GOOD);
    }

    @Test
    void tellsOtherRegistrantsWhenPreemptingChangesTheType() {
        disk.reserved(WE);
        disk.register(disk.c, 3);
        disk.out(disk.b, PREEMPT, WE, 2, 1);
        assertThat(disk.attention(disk.c)).isEqualTo(GOOD);
        assertThat(disk.attention(disk.a)).isEqualTo(REGISTRATIONS_PREEMPTED);
        disk.register(disk.a, 1);
        disk.out(disk.c, PREEMPT, WE_RO, 3, 2);
        assertThat(disk.attention(disk.a)).isEqualTo(RESERVATIONS_RELEASED);
        assertThat(disk.attention(disk.b)).isEqualTo(REGISTRATIONS_PREEMPTED);
    }

    @Test
    void preemptsItselfToChangeTheType() {
        disk.reserved(WE);
        assertThat(disk.out(disk.a, PREEMPT, EA_AR, 1, 1)).isEqualTo(GOOD);
        assertThat(disk.keys()).containsExactly(1L, 2L);
        assertThat(disk.reservation()).isEqualTo("0:8");
        assertThat(disk.attention(disk.b)).isEqualTo(RESERVATIONS_RELEASED);
    }

    @Test
    void preemptsRegistrationsWithoutReservation() {
        disk.register(disk.a, 5);
        disk.register(disk.b, 5);
        disk.register(disk.c, 6);
        assertThat(disk.out(disk.c, PREEMPT, 0xFF, 6, 5)).isEqualTo(GOOD);
        assertThat(disk.keys()).containsExactly(6L);
        assertThat(disk.attention(disk.a)).isEqualTo(REGISTRATIONS_PREEMPTED);
        assertThat(disk.attention(disk.b)).isEqualTo(REGISTRATIONS_PREEMPTED);
        assertThat(disk.out(disk.c, PREEMPT, WE, 6, 5)).isEqualTo(CONFLICT);
        assertThat(disk.generation()).isEqualTo(4);
    }

    @Test
    void preemptsTheRegistrationOfWhoHoldsNothing() {
        disk.reserved(EA);
        assertThat(disk.out(disk.a, PREEMPT, EA, 1, 2)).isEqualTo(GOOD);
        assertThat(disk.keys()).containsExactly(1L);
        assertThat(disk.reservation()).isEqualTo("1:3");
        assertThat(disk.attention(disk.b)).isEqualTo(REGISTRATIONS_PREEMPTED);
    }

    @Test
    void preemptsAllRegistrantsByKeyZero() {
        disk.reserved(WE_AR);
        assertThat(disk.out(disk.b, PREEMPT, EA_RO, 2, 0)).isEqualTo(GOOD);
        assertThat(disk.keys()).containsExactly(2L);
        assertThat(disk.reservation()).isEqualTo("2:6");
        assertThat(disk.attention(disk.a)).isEqualTo(REGISTRATIONS_PREEMPTED);
    }

    @Test
    void preemptsOneOfAllRegistrantsByKey() {
        disk.reserved(WE_AR);
        assertThat(disk.out(disk.b, PREEMPT, EA_RO, 2, 1)).isEqualTo(GOOD);
        assertThat(disk.keys()).containsExactly(2L);
        assertThat(disk.reservation()).isEqualTo("0:7");
        assertThat(disk.out(disk.b, PREEMPT, EA_RO, 2, 2)).isEqualTo(GOOD);
        assertThat(disk.keys()).isEmpty();
        assertThat(disk.reservation()).isEqualTo("none");
    }

    @Test
    void refusesToPreemptWhatIsNone() {
        disk.reserved(EA);
        assertThat(disk.out(disk.b, PREEMPT, EA, 2, 0)).isEqualTo(INVALID_LIST);
        assertThat(disk.out(disk.b, PREEMPT, EA, 2, 99)).isEqualTo(CONFLICT);
        assertThat(disk.out(disk.b, PREEMPT, EA, 1, 1)).isEqualTo(CONFLICT);
        assertThat(disk.out(disk.c, PREEMPT, EA, 0, 1)).isEqualTo(CONFLICT);
        assertThat(disk.out(disk.b, PREEMPT, 2, 2, 1)).isEqualTo(INVALID_CDB);
        assertThat(disk.reservation()).isEqualTo("1:3");
        assertThat(disk.generation()).isEqualTo(2);
    }

    // REGISTER AND MOVE.

    @Test
    void movesAReservation() {
        disk.reserved(WE);
        byte[] toC = ReservationBed.transportId(ScsiTestBed.initiator(0xC));
        assertThat(disk.move(disk.a, 1, 9, 0, 1, toC)).isEqualTo(GOOD);
        assertThat(disk.keys()).containsExactly(1L, 2L, 9L);
        assertThat(disk.reservation()).isEqualTo("9:1");
        assertThat(disk.write(disk.c)).isEqualTo(GOOD);
        assertThat(disk.write(disk.a)).isEqualTo(CONFLICT);
        assertThat(disk.generation()).isEqualTo(3);
    }

    @Test
    void movesAReservationAndForgetsWhoHeldIt() {
        disk.reserved(EA_RO);
        byte[] toA = ReservationBed.transportId(ScsiTestBed.initiator(0xA));
        assertThat(disk.move(disk.a, 1, 1, 2, 2, toA)).isEqualTo(GOOD);
        assertThat(disk.state().keys()).containsOnlyKeys(disk.b.id(), disk.a2.id());
        assertThat(disk.holder()).isEqualTo(disk.a2.id());
        assertThat(disk.attention(disk.b)).isEqualTo(GOOD);
    }

    @Test
    void movesAReservationToWhoIsRegistered() {
        disk.reserved(WE);
        assertThat(disk.move(disk.a, 1, 22, 0, 1, ReservationBed.transportId(ScsiTestBed.initiator(0xB))))
                .isEqualTo(GOOD);
        assertThat(disk.keys()).containsExactly(1L, 22L);
        assertThat(disk.holder()).isEqualTo(disk.b.id());
    }

    @Test
    void refusesToMoveWhatIsNotHeldOrNowhere() {
        byte[] toC = ReservationBed.transportId(ScsiTestBed.initiator(0xC));
        assertThat(disk.move(disk.a, 0, 9, 0, 1, toC)).isEqualTo(CONFLICT);
        disk.register(disk.a, 1);
        assertThat(disk.move(disk.a, 1, 9, 0, 1, toC)).isEqualTo(CONFLICT);
        disk.reserved(WE);
        assertThat(disk.move(disk.b, 2, 9, 0, 1, toC)).isEqualTo(CONFLICT);
        assertThat(disk.move(disk.a, 2, 9, 0, 1, toC)).isEqualTo(CONFLICT);
        assertThat(disk.move(disk.a, 1, 0, 0, 1, toC)).isEqualTo(INVALID_LIST);
        assertThat(disk.move(disk.a, 1, 9, 0, 3, toC)).isEqualTo(INVALID_LIST);
        assertThat(disk.move(disk.a, 1, 9, 1, 1, toC)).isEqualTo(INVALID_LIST);
        assertThat(disk.move(disk.a, 1, 9, 0, 1, ReservationBed.transportId(ScsiTestBed.initiator(0xA))))
                .isEqualTo(INVALID_LIST);
        assertThat(disk.move(disk.a, 1, 9, 0, 1)).isEqualTo(INVALID_LIST);
        toC[0] = 6;
        assertThat(disk.move(disk.a, 1, 9, 0, 1, toC)).isEqualTo(INVALID_LIST);
        disk.out(disk.a, RELEASE, WE, 1, 0);
        disk.out(disk.a, RESERVE, WE_AR, 1, 0);
        toC[0] = 4;
        assertThat(disk.move(disk.a, 1, 9, 0, 1, toC)).isEqualTo(CONFLICT);
    }

    // The CDB.

    @Test
    void refusesParameterListsOfAnotherLength() {
        assertThat(disk.outList(disk.a, REGISTER, 0, new byte[23])).isEqualTo(LENGTH_ERROR);
        assertThat(disk.outList(disk.a, REGISTER, 0, new byte[25])).isEqualTo(LENGTH_ERROR);
        assertThat(disk.run(disk.a, ReservationBed.cdb(REGISTER, 0, 24), 23, 0)).isEqualTo(LENGTH_ERROR);
        assertThat(disk.run(disk.a, ReservationBed.cdb(REGISTER, 0, 1 << 20), 24, 0))
                .isEqualTo(LENGTH_ERROR);
    }

    @Test
    void refusesServiceActionsThatAreNone() {
        for (int action = 8; action < 32; action++) {
            assertThat(disk.out(disk.a, action, 0, 0, 7)).isEqualTo(INVALID_CDB);
        }
    }
}
