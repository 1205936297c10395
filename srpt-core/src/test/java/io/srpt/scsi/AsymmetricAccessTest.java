package io.srpt.scsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.scsi.ScsiTestBed.Outcome;
import io.srpt.store.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Target port groups: what hosts are told, what each state allows, and how states change. */
class AsymmetricAccessTest {
    private static final String TEST_UNIT_READY = "00 00 00 00 00 00";
    private static final String REPORT = "a3 0a 00 00 00 00 00 00 01 00 00 00";
    private static final byte[] NOTHING = {};

    private MemoryStore store;
    private ScsiTestBed bed;
    private AsymmetricAccess access;
    private final AluaGroup near = new AluaGroup(1, "near", AccessState.ACTIVE_OPTIMIZED, true);
    private final AluaGroup far = new AluaGroup(0x102, "far", AccessState.STANDBY, false);
    /** Through port 1, which is near, and through port 2, which is far. */
    private Nexus first;

    private Nexus second;

    @BeforeEach
    void makeDiskWithTwoPorts() throws Exception {
        store = MemoryStore.open(1 << 20);
        bed = ScsiTestBed.withDisk(store);
        access = bed.server.asymmetricAccess();
        TargetPort one = bed.server.targetPorts().add(7, 8);
        TargetPort two = bed.server.targetPorts().add(7, 8);
        access.add(near, List.of(unit()));
        access.add(far, List.of(unit()));
        access.join(near, one);
        access.join(far, two);
        first = open(one);
        second = open(two);
    }

    @AfterEach
    void closeDisk() {
        store.close();
    }

    private Nexus open(TargetPort port) {
        Nexus nexus = bed.server.openNexus(ScsiTestBed.initiator(11), port);
        nexus.forget(unit());
        return nexus;
    }

    private LogicalUnit unit() {
        return Objects.requireNonNull(bed.server.logicalUnit(0));
    }

    @Test
    void nexusesOfAPortThatJoinsAGroupOrLeavesItLearnOfTheOtherState() {
        TargetPort three = bed.server.targetPorts().add(7, 8);
        Nexus third = open(three);
        assertThat(in(third, TEST_UNIT_READY).status()).isEqualTo(ScsiStatus.GOOD);

        access.join(far, three);
        assertThat(in(third, TEST_UNIT_READY).sense()).isEqualTo("6/2A/06");
        assertThat(access.contains(far, three)).isTrue();
        access.leave(far, three);
        assertThat(in(third, TEST_UNIT_READY).sense()).isEqualTo("6/2A/06");

        assertThat(in(third, TEST_UNIT_READY).status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(in(first, TEST_UNIT_READY).status()).as("another port").isEqualTo(ScsiStatus.GOOD);
    }

    private Outcome in(Nexus by, String cdb) {
        return bed.run(by, 0, cdb, NOTHING, 256);
    }

    private Outcome set(Nexus by, int... list) {
        byte[] data = new byte[list.length];
        for (int i = 0; i < list.length; i++) {
            data[i] = (byte) list[i];
        }
        return bed.run(by, 0, String.format("a4 0a 00 00 00 00 %08x 00 00", data.length), data, 0);
    }

    @Test
    void inquirySaysHowStatesChange() {
        assertThat(in(first, "12 00 00 00 ff 00").data()[5]).isEqualTo((byte) 0x38);
        access.modes(true, false, Duration.ZERO);
        assertThat(in(first, "12 00 00 00 ff 00").data()[5]).isEqualTo((byte) 0x18);
        access.modes(false, true, Duration.ZERO);
        assertThat(in(second, "12 00 00 00 ff 00").data()[5]).isEqualTo((byte) 0x28);
    }

    @Test
    void aUnitWithoutGroupsHasNoneOfIt() throws Exception {
        try (MemoryStore other = MemoryStore.open(1 << 20)) {
            bed.add(1, LogicalUnitConfig.defaults("B"), other);
            bed.none(TEST_UNIT_READY);
            long lun = Lun.encode(1);
            assertThat(bed.run(bed.nexus, lun, "12 00 00 00 ff 00", NOTHING, 255)
                            .data()[5])
                    .as("3PC only")
                    .isEqualTo((byte) 0x08);
            assertThat(bed.run(bed.nexus, lun, REPORT, NOTHING, 255).sense()).isEqualTo("5/24/00");
        }
    }

    @Test
    void identificationNamesTheGroupOfThePort() {
        assertThat(in(first, "12 01 83 01 00 00").hex()).endsWith("41 95 00 04 00 00 00 01");
        assertThat(in(second, "12 01 83 01 00 00").hex()).endsWith("41 95 00 04 00 00 01 02");
    }

    @Test
    void reportTellsOfAllGroups() {
        assertThat(in(second, REPORT).hex())
                .isEqualTo("00 00 00 18 80 cf 00 01 00 00 00 01 00 00 00 01 02 cf 01 02 00 00 00 01 00 00 00 02");
        access.modes(true, true, Duration.ofMillis(1500));
        assertThat(in(first, "a3 2a 00 00 00 00 00 00 01 00 00 00").hex())
                .startsWith("00 00 00 1c 10 02 00 00 80 cf 00 01");
        assertThat(in(first, "a3 4a 00 00 00 00 00 00 01 00 00 00").sense()).isEqualTo("5/24/00");
    }

    @Test
    void portsThatAreInNoGroupAreInOneOfTheirOwn() {
        TargetPort three = bed.server.targetPorts().add(7, 8);
        Nexus third = open(three);
        assertThat(in(third, TEST_UNIT_READY).status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(in(third, REPORT).hex()).endsWith("00 cf 00 00 00 00 00 01 00 00 00 03");
        assertThat(set(third, 0, 0, 0, 0, 2, 0, 0, 0).sense()).isEqualTo("5/26/00");
        bed.server.targetPorts().remove(three);
        assertThat(in(first, REPORT).data()).hasSize(28);
    }

    @ParameterizedTest
    @CsvSource({
        "ACTIVE_NON_OPTIMIZED, '', ''",
        "STANDBY, 2/04/0B, ''",
        "UNAVAILABLE, 2/04/0C, 2/04/0C",
        "OFFLINE, 2/04/12, 2/04/12",
    })
    void statesRefuseWhatNeedsTheMediumAndSomeMore(AccessState state, String medium, String modeSense) {
        access.change(far, AccessState.ACTIVE_OPTIMIZED);
        bed.drain();
        access.change(far, state);
        bed.drain();
        second.forget(unit());
        assertThat(in(second, TEST_UNIT_READY).sense()).isEqualTo(medium);
        assertThat(in(second, "28 00 00 00 00 00 00 00 00 00").sense()).isEqualTo(medium);
        assertThat(in(second, "1a 00 3f 00 ff 00").sense()).isEqualTo(modeSense);
        assertThat(in(second, "9e 10 00 00 00 00 00 00 00 00 00 00 00 20 00 00").sense())
                .isEqualTo(modeSense);
        for (String cdb :
                new String[] {"12 00 00 00 ff 00", "a0 00 00 00 00 00 00 00 00 20 00 00", REPORT, "03 00 00 00 12 00"
                }) {
            assertThat(in(second, cdb).status()).as(cdb).isEqualTo(ScsiStatus.GOOD);
        }
        assertThat(in(first, TEST_UNIT_READY).status()).isEqualTo(ScsiStatus.CHECK_CONDITION);
        assertThat(in(first, TEST_UNIT_READY).status()).isEqualTo(ScsiStatus.GOOD);
    }

    @Test
    void aHostChangesStatesAndTheOthersHearOfIt() {
        assertThat(set(second, 0, 0, 0, 0, 0, 0, 1, 2, 2, 0, 0, 1).status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(near.state()).isEqualTo(AccessState.STANDBY);
        assertThat(far.state()).isEqualTo(AccessState.ACTIVE_OPTIMIZED);
        assertThat(in(second, TEST_UNIT_READY).status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(in(first, TEST_UNIT_READY).sense()).isEqualTo("6/2A/06");
        assertThat(in(first, TEST_UNIT_READY).sense()).isEqualTo("2/04/0B");
        assertThat(in(first, REPORT).data()[9]).as("who did it").isEqualTo((byte) 1);
    }

    @Test
    void theSameStateAgainIsNoChange() {
        assertThat(set(second, 0, 0, 0, 0, 2, 0, 1, 2).status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(set(second).status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(in(first, TEST_UNIT_READY).status()).isEqualTo(ScsiStatus.GOOD);
    }

    @Test
    void nothingOfAWrongListIsDone() {
        assertThat(set(first, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 9).sense()).isEqualTo("5/26/00");
        assertThat(set(first, 0, 0, 0, 0, 0, 0, 1, 2, 0xF, 0, 0, 1).sense()).isEqualTo("5/26/00");
        assertThat(set(first, 0, 0, 0, 0, 4, 0, 1, 2).sense()).isEqualTo("5/26/00");
        assertThat(set(first, 0, 0, 0, 0, 0, 0).sense()).isEqualTo("5/1A/00");
        assertThat(set(first, 0, 0).sense()).isEqualTo("5/1A/00");
        assertThat(far.state()).isEqualTo(AccessState.STANDBY);
        access.modes(true, false, Duration.ZERO);
        assertThat(set(first, 0, 0, 0, 0, 0, 0, 1, 2).sense()).isEqualTo("5/24/00");
    }

    @Test
    void aTransitionIsSeenWhileItLasts() {
        CompletableFuture<Void> over = access.change(far, AccessState.ACTIVE_OPTIMIZED);
        assertThat(far.state()).isEqualTo(AccessState.TRANSITIONING);
        ScsiTask ready = bed.start(second, TaskAttribute.SIMPLE, TEST_UNIT_READY, NOTHING, 0);
        assertThat(String.valueOf(SenseData.decode(ready.sense(), 0, ready.senseLength())))
                .isEqualTo("2/04/0A");
        bed.start(second, TaskAttribute.SIMPLE, "a4 0a 00 00 00 00 00 00 00 00 00 00", NOTHING, 0);
        assertThat(bed.done.getLast().status()).isEqualTo(ScsiStatus.CHECK_CONDITION);
        access.change(far, AccessState.UNAVAILABLE);
        assertThat(over).isNotDone();
        bed.drain();
        assertThat(over).isCompleted();
        assertThat(far.state()).as("asked for last").isEqualTo(AccessState.UNAVAILABLE);
        assertThat(in(second, TEST_UNIT_READY).sense()).isEqualTo("6/2A/06");
        assertThat(in(second, TEST_UNIT_READY).sense()).isEqualTo("2/04/0C");
    }

    @Test
    void anAbortedRequestStillTakesEffect() {
        ScsiTask task = new ScsiTask(bed);
        byte[] cdb = {(byte) 0xA4, 0x0A, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0};
        bed.prepare(task, first, 0, cdb, 8, 0);
        ScsiTestBed.supply(task, new byte[] {0, 0, 0, 0, 0, 0, 1, 2});
        bed.server.execute(task);
        bed.server.abort(task);
        task.reset();
        bed.drain();
        assertThat(bed.done).isEmpty();
        assertThat(far.state()).isEqualTo(AccessState.ACTIVE_OPTIMIZED);
    }

    @Test
    void groupsOfAUnitHaveDifferentNumbers() {
        assertThatThrownBy(() -> access.add(new AluaGroup(1, "x", AccessState.STANDBY, false), List.of(unit())))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new AluaGroup(1, "x", AccessState.TRANSITIONING, false))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> access.change(far, AccessState.TRANSITIONING))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void everyCommandHasARule() {
        assertThat(CommandTable.forDisk().all())
                .allSatisfy(
                        command -> assertThat(AccessStateRules.find(command.operationCode(), command.serviceAction()))
                                .as(command.name())
                                .isNotNull());
    }
}
