package io.srpt.scsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.store.MemoryStore;
import io.srpt.store.StoreException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class TargetPortsTest {
    private final ScsiTestBed bed;
    private final TargetPorts ports;

    TargetPortsTest() throws StoreException {
        bed = ScsiTestBed.withDisk(MemoryStore.open(1 << 20));
        ports = bed.server.targetPorts();
    }

    @Test
    void aPortGetsTheLowestFreeRelativeIdentifier() {
        TargetPort first = ports.add(1, 2);
        TargetPort second = ports.add(1, 2);
        ports.remove(first);

        assertThat(second.relativeId()).isEqualTo(2);
        assertThat(ports.add(1, 2)).isEqualTo(first);
        assertThat(ports.add(1, 2).relativeId()).isEqualTo(3);
        assertThat(ports.find(2)).isEqualTo(second);
        assertThat(ports.find(4)).isNull();
        assertThat(ports.all()).extracting(TargetPort::relativeId).containsExactly(1, 2, 3);
    }

    @Test
    void relativeIdentifiersHaveSixteenBitsAndAreNotZero() {
        assertThatThrownBy(() -> new TargetPort(0, 1, 2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new TargetPort(0x10000, 1, 2)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void deviceIdentificationNamesThePortThatWasAsked() {
        Nexus other = bed.server.openNexus(ScsiTestBed.initiator(1), new TargetPort(2, 0x11L, 0x22L));
        bed.run(other, 0, "00 00 00 00 00 00", new byte[0], 0);

        String one = bed.in("12 01 83 01 00 00", 256).hex();
        String two = bed.run(other, 0, "12 01 83 01 00 00", new byte[0], 256).hex();

        String eui = "41 92 00 10 ";
        String relative = " 41 94 00 04 00 00 00 0";
        assertThat(one).endsWith(eui + "01 02 03 04 05 06 07 08 0a 0b 0c 0d 0e 0f 10 11" + relative + "1");
        assertThat(two).endsWith(eui + "00 00 00 00 00 00 00 11 00 00 00 00 00 00 00 22" + relative + "2");
        assertThat(one.substring(0, one.indexOf(eui))).isEqualTo(two.substring(0, two.indexOf(eui)));
    }

    @Test
    void portsOfOneTargetDifferInTheirRelativeIdentifierOnly() {
        byte[][] pages = new byte[2][];
        for (int i = 0; i < pages.length; i++) {
            Nexus nexus = bed.server.openNexus(ScsiTestBed.initiator(9), ports.add(7, 7));
            pages[i] = bed.run(nexus, 0, "12 01 83 01 00 00", new byte[0], 256).data();
            assertThat(bed.run(nexus, 0, "12 01 80 01 00 00", new byte[0], 256).data())
                    .isEqualTo(bed.in("12 01 80 01 00 00", 256).data());
        }
        assertThat(Arrays.mismatch(pages[0], pages[1])).isEqualTo(pages[0].length - 1);
        assertThat(pages[0]).hasSameSizeAs(pages[1]);
    }

    @Test
    void everyPortTellsOfAllPorts() {
        assertThat(bed.in("12 01 88 00 ff 00", 255).hex()).isEqualTo("00 88 00 00");
        ports.add(0x11, 0x22);
        String first =
                " 00 00 00 01 00 00 00 00 00 00 00 14 41 92 00 10" + " 00 00 00 00 00 00 00 11 00 00 00 00 00 00 00 22";
        assertThat(bed.in("12 01 88 00 ff 00", 255).hex()).isEqualTo("00 88 00 20" + first);
        ports.add(0x11, 0x22);
        assertThat(bed.in("12 01 88 00 ff 00", 255).hex())
                .isEqualTo("00 88 00 40" + first + first.replace("00 00 00 01", "00 00 00 02"));
        for (int i = 2; i < 3000; i++) {
            ports.add(1, i);
        }
        byte[] most = bed.in("12 01 88 ff ff 00", 65535).data();
        assertThat(most).hasSize(4 + 2047 * 32);
        assertThat(ByteBuffer.wrap(most).getShort(2)).isEqualTo((short) (2047 * 32));
    }
}
