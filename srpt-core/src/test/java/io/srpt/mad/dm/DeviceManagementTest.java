package io.srpt.mad.dm;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.loop.VirtualClock;
import io.srpt.loop.VirtualLoop;
import io.srpt.mad.CapturedMads;
import io.srpt.mad.MadAddress;
import io.srpt.mad.MadHeader;
import io.srpt.mad.MadService;
import io.srpt.mad.MadWire;
import io.srpt.verbs.Gid;
import io.srpt.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceManagementTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long GUID = 0x5054_00FF_FE5A_0114L;
    private static final Gid ASKER = Gid.parse("fd5a:1::21");
    private static final Gid UNIT = Gid.parse("fd5a:1::20");

    /** What the captured driver told of itself. */
    private static final IoControllerDescription LINUX =
            new IoControllerDescription(GUID, "Linux SRP target", 0xFFFFFF, 0, 0, 8276, 65536, 128);

    private final VirtualClock clock = new VirtualClock();
    private final MadWire wire = new MadWire();
    private final VirtualLoop askerLoop = clock.newLoop("asker");
    private final VirtualLoop unitLoop = clock.newLoop("unit");
    private final MadService asker = new MadService(askerLoop, wire.attach(askerLoop, ASKER, 8));
    private final MadService unit = new MadService(unitLoop, wire.attach(unitLoop, UNIT, 8));
    private DeviceManagementAgent agent;

    @BeforeEach
    void start() throws VerbsException {
        asker.start();
        unit.start();
        agent = new DeviceManagementAgent(unit, LINUX);
    }

    @AfterEach
    void nothingIsHeld() {
        clock.advance(60 * SECOND);
        assertThat(asker.pool().inUse().get() + unit.pool().inUse().get()).isZero();
        assertThat(asker.counters().addressHandles.get()
                        + unit.counters().addressHandles.get())
                .isZero();
        assertThat(clock.armedDeadlines()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"dm-v4.pcap", "dm-v6.pcap"})
    @Tag("pitfall-26")
    void answersWhatLinuxAnswered(String capture) {
        List<byte[]> mads = CapturedMads.read(capture).stream()
                .filter(mad -> mad[MadHeader.MANAGEMENT_CLASS_OFFSET] == DeviceManagement.CLASS)
                .toList();
        int compared = 0;
        for (byte[] request : mads) {
            if (header(request).isResponse()) {
                continue;
            }
            byte[] expected = responseTo(request, mads);
            if (expected.length > 0) {
                assertThat(ask(request))
                        .as("attribute %x", header(request).attributeId())
                        .isEqualTo(expected);
                compared++;
            }
        }
        assertThat(compared).isGreaterThanOrEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource({
        "0x11, 0x00000000, 0x001C",
        "0x11, 0x00000001, 0x0000",
        "0x11, 0x00000002, 0x0100",
        "0x11, 0x00000003, 0x0100",
        "0x11, 0x00000010, 0x0100",
        "0x11, 0x00000011, 0x001C",
        "0x11, 0x00000063, 0x001C",
        "0x11, 0x00010001, 0x001C",
        "0x11, 0x80000001, 0x001C",
        "0x12, 0x00000000, 0x001C",
        "0x12, 0x00010000, 0x0000",
        "0x12, 0x00010001, 0x0100",
        "0x12, 0x00010101, 0x0000",
        "0x12, 0x00010200, 0x0100",
        "0x12, 0x00020000, 0x0100",
        "0x12, 0x00110000, 0x001C",
        "0x12, 0xFFFF0000, 0x001C",
        "0x01, 0x12345678, 0x0000",
        "0x10, 0x12345678, 0x0000",
        "0x02, 0x00000000, 0x000C",
        "0x20, 0x00000000, 0x000C",
        "0x55, 0x00000000, 0x000C"
    })
    @Tag("pitfall-24")
    @Tag("pitfall-26")
    @Tag("pitfall-31")
    void statusOfEachModifier(String attribute, String modifier, String status) {
        byte[] request = request(
                MadHeader.METHOD_GET,
                Integer.decode(attribute),
                Long.decode(modifier).intValue());
        byte[] reply = ask(request);
        assertThat(header(reply).method()).isEqualTo(0x81);
        assertThat(header(reply).status()).isEqualTo(Integer.decode(status));
        assertThat(header(reply).transactionId()).isEqualTo(header(request).transactionId());
        if (Integer.decode(status) != 0) {
            assertThat(data(reply)).as("an error echoes").isEqualTo(data(request));
        }
    }

    @Test
    @Tag("pitfall-25")
    void successNeverEchoesTheRequestsBytes() {
        byte[] unitInfo = data(ask(request(MadHeader.METHOD_GET, 0x10, 0)));
        assertThat(Arrays.copyOf(unitInfo, 5)).containsExactly(0, 1, 16, 0, 0x10);
        assertThat(Arrays.copyOfRange(unitInfo, 5, 192)).containsOnly(0);
        byte[] portInfo = data(ask(request(MadHeader.METHOD_GET, 0x01, 0)));
        assertThat(Arrays.copyOf(portInfo, 8)).containsExactly(1, 1, 0, 0, 0, 0, 0, 20);
        assertThat(Arrays.copyOfRange(portInfo, 8, 192)).containsOnly(0);
        assertThat(Arrays.copyOfRange(data(ask(request(MadHeader.METHOD_GET, 0x11, 1))), 128, 192))
                .containsOnly(0);
        assertThat(Arrays.copyOfRange(data(ask(request(MadHeader.METHOD_GET, 0x12, 0x10000))), 48, 192))
                .containsOnly(0);
    }

    @Test
    @Tag("pitfall-27")
    void everySetIsRefusedWithMethodGetResponse() {
        byte[] reply = ask(request(MadHeader.METHOD_SET, 0x01, 0));
        assertThat(header(reply).method()).isEqualTo(0x81);
        assertThat(header(reply).status()).isEqualTo(0x000C);
    }

    @Test
    @Tag("pitfall-28")
    void otherMethodsGetNoReplyAndNoAgentMeansNotSupported() {
        int before = wire.frames().size();
        for (int method : new int[] {3, 5, 6, 7, 0x81}) {
            wire.inject(ASKER, UNIT, request(method, 0x11, 1));
        }
        clock.advance(SECOND);
        assertThat(wire.frames()).hasSize(before + 5);
        agent.close();
        assertThat(header(ask(request(MadHeader.METHOD_GET, 0x11, 1))).status()).isEqualTo(0x000C);
    }

    @Test
    void aHundredThousandRequestsLeakNothing() {
        byte[] request = request(MadHeader.METHOD_GET, 0x11, 1);
        for (int i = 0; i < 100_000; i++) {
            wire.inject(ASKER, UNIT, request);
            clock.advance(SECOND / 1000);
            wire.frames().clear();
        }
        assertThat(agent.requests().get()).isEqualTo(100_000);
        assertThat(agent.repliesDropped().get()).isZero();
    }

    @Test
    void slotsShareBytesHighNibbleFirst() {
        IoUnitInfo info = new IoUnitInfo().wrap(ByteBuffer.allocate(IoUnitInfo.LENGTH), 0);
        info.slot(1, 1).slot(2, 0xF).slot(256, 1);
        assertThat(info.slot(1)).isEqualTo(1);
        assertThat(info.slot(2)).isEqualTo(0xF);
        assertThat(info.slot(255)).isZero();
        assertThat(info.slot(256)).isEqualTo(1);
        DeviceManagementAgent.setIoController(info, 2, 0);
        assertThat(info.slot(1)).isEqualTo(1);
        assertThat(info.slot(2)).isZero();
        assertThat(info.slot(0)).isEqualTo(IoUnitInfo.NO_SUCH_SLOT);
        assertThat(info.slot(257)).isEqualTo(IoUnitInfo.NO_SUCH_SLOT);
    }

    @Test
    void attributesSurviveEncodingAndAnyBytesDecode() {
        long seed = 99;
        Random random = new Random(seed);
        for (int i = 0; i < 1000; i++) {
            byte[] bytes = new byte[192];
            random.nextBytes(bytes);
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            ClassPortInfo info = ClassPortInfo.read(buffer, 0);
            IoControllerProfile profile = IoControllerProfile.read(buffer, 0);
            ServiceEntry entry = ServiceEntry.read(buffer, 0);
            assertThat(entry.srpIdExtension()).isEmpty();
            ByteBuffer again = ByteBuffer.allocate(192);
            info.write(again, 0);
            assertThat(ClassPortInfo.read(again, 0)).as("seed %d", seed).isEqualTo(info);
            IoControllerProfile ascii = withId(profile, "id " + i);
            ascii.write(again, 0);
            assertThat(IoControllerProfile.read(again, 0)).isEqualTo(ascii);
        }
        assertThat(ServiceEntry.srp(GUID, 5).name()).isEqualTo("SRP.T10:505400fffe5a0114");
        assertThat(ServiceEntry.srp(GUID, 5).srpIdExtension()).hasValue(GUID);
    }

    @Test
    @Tag("pitfall-28")
    @Tag("pitfall-30")
    void clientFindsTheController() throws VerbsException {
        Outcome outcome = discover(new DeviceManagementClient(asker));
        clock.advance(SECOND);
        assertThat(outcome.failures).isEmpty();
        assertThat(outcome.found).hasSize(1);
        DiscoveredController controller = outcome.found.getFirst();
        assertThat(controller.slot()).isEqualTo(1);
        assertThat(controller.profile()).isEqualTo(LINUX.profile());
        assertThat(controller.profile().isSrp()).isTrue();
        assertThat(controller.services()).containsExactly(ServiceEntry.srp(GUID, GUID));
    }

    @Test
    void clientSurvivesLossesAndGivesUpOnSilence() throws VerbsException {
        DeviceManagementClient client = new DeviceManagementClient(asker);
        wire.copies(frame -> wire.frames().size() % 3 == 0 ? 0 : 1);
        Outcome lossy = discover(client);
        clock.advance(30 * SECOND);
        assertThat(lossy.found).hasSize(1);
        wire.copies(frame -> 0);
        Outcome silent = discover(client);
        clock.advance(10 * SECOND);
        assertThat(silent.failures).hasSize(1);
        Outcome closed = discover(client);
        client.close();
        assertThat(closed.failures).containsExactly("closed");
    }

    @Test
    void clientToldThatThereIsNoAgentFails() throws VerbsException {
        agent.close();
        Outcome outcome = discover(new DeviceManagementClient(asker));
        clock.advance(SECOND);
        assertThat(outcome.failures).singleElement().asString().contains("0xc");
    }

    private static Outcome discover(DeviceManagementClient client) {
        Outcome outcome = new Outcome();
        client.discover(MadAddress.generalServices(0, UNIT), outcome);
        return outcome;
    }

    private byte[] ask(byte[] request) {
        int before = wire.frames().size();
        wire.inject(ASKER, UNIT, request);
        clock.advance(SECOND / 100);
        assertThat(wire.frames()).hasSize(before + 2);
        return wire.frames().getLast().mad();
    }

    private static byte[] request(int method, int attribute, int modifier) {
        byte[] mad = new byte[MadHeader.MAD_LENGTH];
        Arrays.fill(mad, 64, 256, (byte) 0xAA);
        header(mad).put(6, 1, method, 0x8877_6655_4433_2211L, attribute, modifier);
        return mad;
    }

    private static byte[] responseTo(byte[] request, List<byte[]> mads) {
        for (byte[] mad : mads) {
            if (header(mad).isResponse()
                    && header(mad).transactionId() == header(request).transactionId()) {
                return mad;
            }
        }
        return new byte[0];
    }

    private static MadHeader header(byte[] mad) {
        return new MadHeader().wrap(ByteBuffer.wrap(mad), 0);
    }

    private static byte[] data(byte[] mad) {
        return Arrays.copyOfRange(mad, 64, 256);
    }

    private static IoControllerProfile withId(IoControllerProfile p, String id) {
        return new IoControllerProfile(
                p.guid(),
                p.vendorId(),
                p.deviceId(),
                p.deviceVersion(),
                p.subsystemVendorId(),
                p.subsystemId(),
                p.ioClass(),
                p.ioSubclass(),
                p.protocol(),
                p.protocolVersion(),
                p.sendQueueDepth(),
                p.readQueueDepth(),
                p.sendMessageSize(),
                p.rdmaTransferSize(),
                p.operations(),
                p.services(),
                p.serviceEntries(),
                id);
    }

    private static final class Outcome implements DiscoveryListener {
        private final List<DiscoveredController> found = new ArrayList<>();
        private final List<String> failures = new ArrayList<>();

        @Override
        public void onDiscovered(List<DiscoveredController> controllers) {
            found.addAll(controllers);
        }

        @Override
        public void onDiscoveryFailed(String reason) {
            failures.add(reason);
        }
    }
}
