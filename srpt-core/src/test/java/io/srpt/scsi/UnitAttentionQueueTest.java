package io.srpt.scsi;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.store.MemoryStore;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Which unit attention comes first, and which commands have to do with them (SAM-5 §5.14). */
class UnitAttentionQueueTest {
    private static final String TEST_UNIT_READY = "00 00 00 00 00 00";

    private final UnitAttentionQueue queue = new UnitAttentionQueue();

    @Test
    void eachConditionIsReportedOnceTheMostImportantFirst() {
        queue.establish(UnitAttention.REPORTED_LUNS_CHANGED);
        queue.establish(UnitAttention.MODE_PARAMETERS_CHANGED);
        queue.establish(UnitAttention.ASYMMETRIC_ACCESS_STATE_CHANGED);
        queue.establish(UnitAttention.MODE_PARAMETERS_CHANGED);
        assertThat(queue.poll()).isEqualTo(UnitAttention.MODE_PARAMETERS_CHANGED);
        assertThat(queue.poll()).isEqualTo(UnitAttention.ASYMMETRIC_ACCESS_STATE_CHANGED);
        assertThat(queue.poll()).isEqualTo(UnitAttention.REPORTED_LUNS_CHANGED);
        assertThat(queue.poll()).isNull();
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void aResetMakesLesserConditionsForgotten() {
        queue.establish(UnitAttention.CAPACITY_CHANGED);
        queue.establish(UnitAttention.I_T_NEXUS_LOSS);
        queue.establish(UnitAttention.BUS_DEVICE_RESET);
        queue.establish(UnitAttention.I_T_NEXUS_LOSS);
        queue.establish(UnitAttention.MODE_PARAMETERS_CHANGED);
        assertThat(queue.poll()).isEqualTo(UnitAttention.BUS_DEVICE_RESET);
        assertThat(queue.poll()).as("came after it").isEqualTo(UnitAttention.MODE_PARAMETERS_CHANGED);
        assertThat(queue.poll()).isNull();
    }

    @Test
    void onlyThreeCommandsAreServedWithAConditionPendingAndOnlyOneReturnsIt() throws Exception {
        try (MemoryStore store = MemoryStore.open(1 << 20)) {
            ScsiTestBed bed = ScsiTestBed.withDisk(store);
            LogicalUnit unit = Objects.requireNonNull(bed.server.logicalUnit(0));
            for (CommandDescriptor command : CommandTable.forDisk().all()) {
                if (!command.alwaysServed()) {
                    bed.nexus.establish(unit, UnitAttention.MODE_PARAMETERS_CHANGED);
                    byte[] cdb = command.usage().clone();
                    assertThat(bed.run(new ScsiTask(bed), bed.nexus, 0, cdb, new byte[0], 255)
                                    .sense())
                            .as(command.name())
                            .isEqualTo("6/2A/01");
                }
            }
            bed.server.announce(unit, null, UnitAttention.CAPACITY_CHANGED);
            assertThat(bed.in("12 00 00 00 ff 00", 255).status()).isEqualTo(ScsiStatus.GOOD);
            assertThat(bed.in("a0 00 00 00 00 00 00 00 00 20 00 00", 32).status())
                    .isEqualTo(ScsiStatus.GOOD);
            assertThat(bed.in("03 00 00 00 12 00", 18).hex())
                    .startsWith("70 00 06")
                    .contains("2a 09");
            assertThat(bed.none(TEST_UNIT_READY).status()).isEqualTo(ScsiStatus.GOOD);
            bed.nexus.establish(unit, UnitAttention.REPORTED_LUNS_CHANGED);
            bed.in("a0 00 00 00 00 00 00 00 00 20 00 00", 32);
            assertThat(bed.none(TEST_UNIT_READY).status())
                    .as("REPORT LUNS told")
                    .isEqualTo(ScsiStatus.GOOD);
        }
    }
}
