package io.srpt.service;

import static io.srpt.service.LiveService.ADDRESS;
import static io.srpt.service.LiveService.INITIATOR;
import static io.srpt.service.LiveService.SECOND_ADDRESS;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.srpt.initiator.BlockingSrpClient;
import io.srpt.initiator.ScsiResult;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Target port groups of a running target, asked by REPORT TARGET PORT GROUPS. */
@Timeout(60)
class AluaReloadTest {
    private static final String TARGET = LiveService.withToken() + "acls: any\n";
    private static final String NEAR = "alua:\n  groups:\n  - {id: 1, ports: [" + ADDRESS + "]}\n";
    private static final String FAR = "  - {id: 2, ports: [%s], state: standby}\n";

    @TempDir
    private Path directory;

    @Test
    void disksThatComeAreInTheGroupsOfAllDisks() throws Exception {
        try (LiveService live = LiveService.start(directory, TARGET + NEAR + "lun: memory:1MiB\n");
                InitiatorHost host = LiveService.initiator(INITIATOR);
                BlockingSrpClient session = LiveService.login(host, ADDRESS)) {
            String answer = live.says(TARGET + NEAR + "lun: [memory:1MiB, memory:1MiB]\n")
                    .reload()
                    .body();

            assertThat(answer).contains("lun 1: added", "\"needs_restart\":[]");
            assertThat(groups(session, 1)).isEqualTo(groups(session, 0)).containsExactly("1:1");
        }
    }

    @Test
    void addressesThatComeAreInTheirGroupsAndThoseThatGoAreNot() throws Exception {
        MovingAddresses machine = new MovingAddresses();
        machine.move(SECOND_ADDRESS, "elsewhere");
        String luns = "lun: memory:1MiB\n";
        String both = TARGET + "listen: [" + ADDRESS + ", " + SECOND_ADDRESS + "]\n" + luns;
        String third = TestAddresses.ofThisProcess(5);
        machine.move(third, "far");
        String far = NEAR + FAR.formatted(SECOND_ADDRESS);
        try (LiveService live = LiveService.start(directory, both + far, machine);
                InitiatorHost host = LiveService.initiator(INITIATOR);
                BlockingSrpClient session = LiveService.login(host, ADDRESS)) {
            assertThat(groups(session, 0)).containsExactly("1:1", "2:1");

            String more = both.replace(SECOND_ADDRESS, SECOND_ADDRESS + ", " + third);
            String wider = NEAR + FAR.formatted(SECOND_ADDRESS + ", " + third);
            assertThat(live.says(more + wider).reload().body()).contains("\"needs_restart\":[]");
            assertThat(groups(session, 0)).containsExactly("1:1", "2:2");

            String other = both.replace(SECOND_ADDRESS, third);
            assertThat(live.says(other + NEAR + FAR.formatted(third)).reload().body())
                    .contains("\"needs_restart\":[]");
            assertThat(groups(session, 0)).containsExactly("1:1", "2:1");

            assertThat(live.says(other + NEAR).reload().body()).contains("\"needs_restart\":[\"alua, but for states");
            assertThat(groups(session, 0)).containsExactly("1:1", "2:1");
        }
    }

    @Test
    void anAddressThatTakesThePlaceOfAnotherBringsItsGroup() throws Exception {
        String third = TestAddresses.ofThisProcess(5);
        MovingAddresses machine = new MovingAddresses();
        machine.move(third, "far");
        String before = TARGET + "lun: memory:1MiB\nlisten: [" + ADDRESS + ", " + third + "]\n";
        String after = before.replace(ADDRESS, SECOND_ADDRESS);
        String far = "alua:\n  groups:\n  - {id: 1, ports: [%s], state: active-non-optimized}\n";
        try (LiveService live = LiveService.start(directory, before + far.formatted(third), machine);
                InitiatorHost host = LiveService.initiator(INITIATOR);
                BlockingSrpClient session = LiveService.login(host, third)) {
            assertThat(groups(session, 0)).containsExactly("1:1", "0:1");

            String both = far.formatted(third + ", " + SECOND_ADDRESS);
            assertThat(live.says(after + both).reload().body()).contains("\"needs_restart\":[]");
            assertThat(groups(session, 0)).containsExactly("1:2");

            assertThat(live.says(before + far.formatted(third)).reload().body()).contains("\"needs_restart\":[]");
            assertThat(groups(session, 0)).containsExactly("1:1", "0:1");
        }
    }

    @Test
    void aGroupWithAPartOfAnInterfaceIsRefusedAndNothingChanges() throws Exception {
        String text = TARGET + "lun: memory:1MiB\n";
        try (LiveService live = LiveService.start(directory, text + NEAR);
                InitiatorHost host = LiveService.initiator(INITIATOR);
                BlockingSrpClient session = LiveService.login(host, ADDRESS)) {
            String more = text + "listen: [" + ADDRESS + ", " + SECOND_ADDRESS + "]\n";
            String answer = live.says(more + NEAR).reload().body();

            assertThat(answer).contains("alua.groups[0].ports", "are addresses of lo and so of one port");
            assertThat(live.server().addresses()).hasSize(1);
            assertThat(groups(session, 0)).containsExactly("1:1");
        }
    }

    @Test
    void anAddressThatMovesToAPortOfAnotherGroupIsReachedAsThatAndIsToldOf() throws Exception {
        MovingAddresses machine = new MovingAddresses();
        machine.move(SECOND_ADDRESS, "elsewhere");
        String text = TARGET + "lun: memory:1MiB\nlisten: [" + ADDRESS + ", " + SECOND_ADDRESS + "]\n";
        try (LiveService live = LiveService.start(directory, text + NEAR + FAR.formatted(SECOND_ADDRESS), machine);
                InitiatorHost host = LiveService.initiator(INITIATOR);
                BlockingSrpClient session = LiveService.login(host, ADDRESS);
                LoggedLines log = LoggedLines.of(Level.WARN, ServedDevices.class.getName())) {
            machine.move(SECOND_ADDRESS, "lo");
            live.server().lookAtAddresses();

            assertThat(groups(session, 0)).containsExactly("1:1", "2:0");
            assertThat(log.lines())
                    .anySatisfy(line -> assertThat(line)
                            .contains("are addresses of lo and so of one port", "group 1", "group 2")
                            .endsWith("until then they are reached as the first"));
        }
    }

    /** Each group of a disk, with how many ports it has. */
    private static List<String> groups(BlockingSrpClient session, int lun) throws Exception {
        byte[] cdb = {(byte) 0xA3, 0x0A, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0};
        ScsiResult result = session.executeRead(lun, cdb, 256).get(10, TimeUnit.SECONDS);
        if (result.isUnitAttention()) {
            result = session.executeRead(lun, cdb, 256).get(10, TimeUnit.SECONDS);
        }
        ByteBuffer data = ByteBuffer.wrap(result.data());
        List<String> groups = new ArrayList<>();
        int end = 4 + data.getInt(0);
        for (int at = 4; at < end; at += 8 + 4 * data.get(at + 7)) {
            groups.add(data.getShort(at + 2) + ":" + data.get(at + 7));
        }
        return groups;
    }
}
