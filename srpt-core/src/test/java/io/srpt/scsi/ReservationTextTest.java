package io.srpt.scsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReservationTextTest {
    private static final String DISK = "60253532000000000000000000000001";
    private static final NexusId A = new NexusId(new TransportId(0x1122334455667788L, -1), 1);
    private static final NexusId B = new NexusId(new TransportId(0, 2), 65535);

    private static ReservationState state(ReservationType type, NexusId holder) {
        Map<NexusId, Long> keys = new LinkedHashMap<>();
        keys.put(B, -2L);
        keys.put(A, 1L);
        return new ReservationState(keys, type, holder, true, 0);
    }

    @Test
    void looksAsItSays() {
        String text = new String(
                ReservationText.encode(DISK, state(ReservationType.WRITE_EXCLUSIVE, A)), StandardCharsets.US_ASCII);
        assertThat(text.lines().limit(6))
                .containsExactly(
                        "srpt-reservations 1",
                        "disk 60253532000000000000000000000001",
                        "type 1",
                        "holder 1122334455667788ffffffffffffffff 1",
                        "registration 00000000000000000000000000000002 65535 fffffffffffffffe",
                        "registration 1122334455667788ffffffffffffffff 1 0000000000000001");
    }

    @Test
    void readsWhatItWrote() {
        ReservationState unreserved = new ReservationState(Map.of(A, 5L), null, null, true, 0);
        for (ReservationState state : new ReservationState[] {
            unreserved,
            state(ReservationType.EXCLUSIVE_ACCESS_REGISTRANTS_ONLY, B),
            new ReservationState(Map.of(A, 5L, B, 5L), ReservationType.WRITE_EXCLUSIVE_ALL_REGISTRANTS, null, true, 0),
            new ReservationState(Map.of(), null, null, true, 0)
        }) {
            ReservationState read = ReservationText.decode(DISK, ReservationText.encode(DISK, state));
            assertThat(read).isEqualTo(state);
            assertThat(read.keys().keySet())
                    .containsExactlyElementsOf(state.keys().keySet());
        }
    }

    @Test
    void refusesWhatIsDamagedOrOfAnotherDisk() {
        byte[] bytes = ReservationText.encode(DISK, state(ReservationType.WRITE_EXCLUSIVE, A));
        for (int at = 0; at < bytes.length; at++) {
            byte[] wrong = bytes.clone();
            wrong[at] ^= 1;
            assertThatThrownBy(() -> ReservationText.decode(DISK, wrong)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> ReservationText.decode("60", bytes)).hasMessageContaining("another disk");
        assertThatThrownBy(() -> ReservationText.decode(DISK, new byte[0])).hasMessageContaining("damaged");
    }
}
