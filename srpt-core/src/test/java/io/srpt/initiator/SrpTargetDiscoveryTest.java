package io.srpt.initiator;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.mad.dm.DiscoveredController;
import io.srpt.mad.dm.IoControllerProfile;
import io.srpt.mad.dm.ServiceEntry;
import java.util.List;
import org.junit.jupiter.api.Test;

class SrpTargetDiscoveryTest {
    private static final long GUID = 0x0200_5EFF_FE12_3456L;

    @Test
    void takesTheSrpServicesOfSrpControllers() {
        DiscoveredController srp = new DiscoveredController(
                1, profile(0x0108), List.of(ServiceEntry.srp(7, 42), new ServiceEntry("NET", 1)));
        DiscoveredController other = new DiscoveredController(2, profile(0x0200), List.of(ServiceEntry.srp(8, 43)));

        assertThat(SrpTargetDiscovery.targets(List.of(srp, other)))
                .containsExactly(
                        new DiscoveredTarget(7, GUID, "SRP.T10:0000000000000007", 42, 0x0100, 8276, 65536, "srpt"));
    }

    private static IoControllerProfile profile(int protocol) {
        return new IoControllerProfile(
                GUID, 0, 0, 0, 0, 0, 0x0100, 0x609E, protocol, 1, 128, 4, 8276, 65536, 0x2B, 0, 2, "srpt");
    }
}
