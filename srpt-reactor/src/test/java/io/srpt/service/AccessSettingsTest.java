package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.scsi.LunView;
import io.srpt.srp.PortId;
import io.srpt.target.AccessControl;
import io.srpt.target.AccessRules;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccessSettingsTest {
    private static final String LUNS = """
            lun:
              - memory:1MiB
              - {lun: 5, store: memory:1MiB}
            """;
    private static final long NODE = 0x0002_c903_0011_2233L;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0x0000000000000000505400fffe5a0115",
                "0X0000000000000000505400FFFE5A0115",
                "0000000000000000505400fffe5a0115",
                "0x00505400fffe5a0115",
                "505400fffe5a0115",
                "5054:00ff:fe5a:0115",
                "0002c90300112233",
                "0002:c903:0011:2233",
                "192.0.2.21",
                "192.0.2.0/24",
                "192.0.0.0/8",
                "0.0.0.0/0"
            })
    void everySpellingOfAnInitiatorMeansIt(String spelling) throws Exception {
        assertThat(admits(spelling, initiator("0x505400fffe5a0115", "192.0.2.21")))
                .isTrue();
        assertThat(admits(spelling, new AccessControl.Initiator(PortId.parse("77"), address("fd00::9"), 1)))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "fd5a:1::21, fd5a:1::21, true",
        "fd5a:0001:0000:0000:0000:0000:0000:0021, fd5a:1::21, true",
        "fd5a:1::/32, fd5a:1::21, true",
        "fd5a:1::/64, fd5a:1:0:1::21, false",
        "fd5a:1::20/123, fd5a:1::3f, true",
        "fd5a:1::20/123, fd5a:1::40, false",
        "::/0, fd5a:1::21, true",
        "192.0.2.16/28, 192.0.2.31, true",
        "192.0.2.16/28, 192.0.2.32, false",
        "::/0, 192.0.2.31, true",
        "0.0.0.0/0, fd5a:1::21, false"
    })
    @Tag("pitfall-17")
    void networksOfBothFamiliesMatchByTheirFirstBits(String network, String from, boolean expected) throws Exception {
        assertThat(admits(network, initiator("01", from))).isEqualTo(expected);
    }

    @Test
    void aLinkLocalGidInFullIsAPortIdToo() throws Exception {
        String gid = "fe80:0000:0000:0000:5054:00ff:fe5a:0115";
        assertThat(admits(gid, initiator("0xfe80000000000000505400fffe5a0115", "192.0.2.21")))
                .isTrue();
        assertThat(admits(gid, initiator("01", "fe80::5054:ff:fe5a:115"))).isTrue();
        assertThat(admits(gid, initiator("01", "fe80::1"))).isFalse();
    }

    @Test
    void aShortPortIdHasZerosInFront() throws Exception {
        assertThat(admits("0x7b", initiator("0x0000000000000000000000000000007b", "192.0.2.21")))
                .isTrue();
        assertThat(admits("0x7b", initiator("0x0000000000000001000000000000007b", "192.0.2.21")))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "acls: [0x123] | 4:8: acls[0]: '0x123' has not an even number of up to 32 hexadecimal digits",
                "acls: [zz] | 4:8: acls[0]: 'zz' is neither 'any' nor",
                "acls: [192.0.2.1/33] | 4:8: acls[0]: 33 is not from 0 to 32",
                "acls: [192.0.2.1/x] | 4:8: acls[0]: 'x' is no number from 0 to 32",
                "acls: [192.0.2.1, any] | 4:19: acls[1]: 'any' is neither",
                "acls: [{name: a}] | 4:8: acls[0]: the initiator is missing",
                "acls: [{initiator: 01, lun: 1}] | 4:29: acls[0].lun: unknown key 'lun'; did you mean 'luns'?",
                "acls: [{initiator: 01, luns: [3]}] | 4:31: acls[0].luns[0]: there is no LUN 3",
                "acls: [{initiator: 01, luns: [0, {lun: 5, as: 0}]}] | 4:34: acls[0].luns[1]: this initiator has a LUN 0",
                "acls: [{initiator: 01, luns: [{lun: 5, read-only: maybe}]}] | 4:51: acls[0].luns[0].read-only: 'maybe'"
            })
    void saysWhereAnAclIsWrong(String line, String message) {
        assertThatThrownBy(() -> read(LUNS + line))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith(directory.resolve("srpt.yaml") + ":" + message);
    }

    @Test
    void theFirstRuleThatMatchesSaysWhatIsSeenAndHasAName() throws Exception {
        AccessControl control = read(LUNS + """
                acls:
                  - {initiator: 192.0.2.21, name: host-a, luns: [0, {lun: 5, as: 1, read-only: true}]}
                  - 192.0.2.0/24
                """).access().control();
        AccessControl.Grant grant = Objects.requireNonNull(control.admit(initiator("01", "192.0.2.21")));
        assertThat(grant.rule()).isEqualTo("acls[0] host-a");
        assertThat(grant.view())
                .isEqualTo(LunView.of(Map.of(0, new LunView.Mapping(0, false), 1, new LunView.Mapping(5, true))));
        AccessControl.Grant other = Objects.requireNonNull(control.admit(initiator("01", "192.0.2.22")));
        assertThat(other.rule()).isEqualTo("acls[1] 192.0.2.0/24");
        assertThat(other.view()).isEqualTo(LunView.ALL);
        assertThat(control.admit(initiator("01", "192.0.3.1"))).isNull();
    }

    @Test
    void rulesAreAddedAndTakenAwayByName() {
        AccessRules.Rule a = new AccessRules.Rule("a", new AccessRules.Guid(1), LunView.ALL);
        AccessRules.Rule b = new AccessRules.Rule("b", new AccessRules.Guid(2), LunView.ALL);
        AccessRules both = new AccessRules(java.util.List.of(a)).with(b);
        assertThat(both.rules()).containsExactly(a, b);
        assertThat(both.without("a").rules()).containsExactly(b);
    }

    private boolean admits(String acl, AccessControl.Initiator initiator) throws Exception {
        return read(LUNS + "acls: ['" + acl + "']\n").access().control().admit(initiator) != null;
    }

    private static AccessControl.Initiator initiator(String port, String from) {
        return new AccessControl.Initiator(PortId.parse(port), address(from), NODE);
    }

    private static InetAddress address(String text) {
        return InetAddress.ofLiteral(text);
    }

    private ServeConfiguration read(String yaml) throws Exception {
        Path file = Files.writeString(directory.resolve("srpt.yaml"), yaml);
        return ServeConfigurations.of(ServeSettings.NOTHING, new ConfigurationFile(file).read(), Path.of("/state"));
    }
}
