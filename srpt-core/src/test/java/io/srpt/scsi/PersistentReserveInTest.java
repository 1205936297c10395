package io.srpt.scsi;

import static io.srpt.scsi.ReservationBed.EA_AR;
import static io.srpt.scsi.ReservationBed.RESERVE;
import static io.srpt.scsi.ReservationBed.WE_RO;
import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.scsi.ScsiTestBed.Outcome;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The bytes of PERSISTENT RESERVE IN. */
class PersistentReserveInTest extends ReservationDisk {
    private String hex(int action) {
        return HexFormat.ofDelimiter(" ").formatHex(disk.in(action));
    }

    @Test
    void readsKeys() {
        assertThat(hex(0)).isEqualTo("00 00 00 00 00 00 00 00");
        disk.register(disk.a, 0x1122334455667788L);
        disk.register(disk.b, 5);
        assertThat(hex(0)).isEqualTo("00 00 00 02 00 00 00 10 11 22 33 44 55 66 77 88 00 00 00 00 00 00 00 05");
    }

    @Test
    void readsTheReservation() {
        assertThat(hex(1)).isEqualTo("00 00 00 00 00 00 00 00");
        disk.reserved(WE_RO);
        assertThat(hex(1)).isEqualTo("00 00 00 02 00 00 00 10 00 00 00 00 00 00 00 01 00 00 00 00 00 05 00 00");
    }

    @Test
    void reportsCapabilities() {
        assertThat(hex(2)).isEqualTo("00 08 1c b0 ea 01 00 00");
    }

    @Test
    void readsTheFullStatus() {
        disk.register(disk.a2, 6);
        disk.register(disk.b, 2);
        disk.out(disk.b, RESERVE, WE_RO, 2, 0);
        String portA = "04 00 00 00 00 00 00 00 50 54 00 ff fe 00 00 00 00 00 00 00 00 00 00 0a";
        String portB = "04 00 00 00 00 00 00 00 50 54 00 ff fe 00 00 00 00 00 00 00 00 00 00 0b";
        assertThat(hex(3))
                .isEqualTo("00 00 00 02 00 00 00 60"
                        + " 00 00 00 00 00 00 00 06 00 00 00 00 00 00 00 00 00 00 00 02 00 00 00 18 " + portA
                        + " 00 00 00 00 00 00 00 02 00 00 00 00 01 05 00 00 00 00 00 01 00 00 00 18 " + portB);
    }

    @Test
    void showsAllRegistrantsAsHolders() {
        disk.reserved(EA_AR);
        byte[] status = disk.in(3);
        assertThat(status[8 + 12]).isEqualTo((byte) 1);
        assertThat(status[8 + 13]).isEqualTo((byte) 8);
        assertThat(status[8 + 48 + 12]).isEqualTo((byte) 1);
        assertThat(status[8 + 48 + 13]).isEqualTo((byte) 8);
    }

    @Test
    void tellsTheWholeLengthOfWhatTheAllocationLengthCutsOff() {
        disk.register(disk.a, 1);
        Outcome cut = disk.bed.run(disk.a, 0, "5e 00 00 00 00 00 00 00 08 00", new byte[0], 8);
        assertThat(cut.hex()).isEqualTo("00 00 00 01 00 00 00 08");
        assertThat(cut.residualIn()).isZero();
        Outcome nothing = disk.bed.run(disk.a, 0, "5e 00 00 00 00 00 00 00 00 00", new byte[0], 0);
        assertThat(nothing.status()).isEqualTo(ScsiStatus.GOOD);
    }

    @Test
    void refusesServiceActionsThatAreNone() {
        for (int action = 4; action < 32; action++) {
            assertThat(disk.run(disk.a, String.format("5e %02x 00 00 00 00 00 40 00 00", action), 0, 0x4000))
                    .isEqualTo("5/24/00");
        }
    }

    @Test
    void reportsItsServiceActionsAmongTheOperationCodes() {
        for (String command : new String[] {"5e 00 03", "5f 00 07"}) {
            String code = command.substring(0, 2);
            for (int action = 0; action < 32; action++) {
                boolean offered = action <= Integer.parseInt(command.substring(6), 16);
                String cdb = String.format("a3 0c 02 %s %04x 00 00 00 20 00 00", code, action);
                byte[] data = disk.bed.run(disk.a, 0, cdb, new byte[0], 32).data();
                assertThat(data[1] & 7).isEqualTo(offered ? 3 : 1);
            }
        }
    }
}
