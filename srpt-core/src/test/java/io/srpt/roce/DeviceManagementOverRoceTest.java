package io.srpt.roce;

import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.TestProfile;
import io.srpt.loop.VirtualLoop;
import io.srpt.mad.MadAddress;
import io.srpt.mad.MadHeader;
import io.srpt.mad.dm.DeviceManagementAgent;
import io.srpt.mad.dm.IoControllerDescription;
import io.srpt.roce.net.Datagram;
import io.srpt.roce.net.DatagramPort;
import io.srpt.roce.net.DatagramReceiver;
import io.srpt.roce.net.FaultSpec;
import io.srpt.roce.net.SimulatedNetwork;
import io.srpt.roce.packet.Bth;
import io.srpt.roce.packet.Deth;
import io.srpt.roce.packet.FlowHeader;
import io.srpt.roce.packet.Icrc;
import io.srpt.roce.packet.Opcode;
import io.srpt.verbs.Gid;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A scripted peer asks the Device Management agent on QP1, packet by packet. */
class DeviceManagementOverRoceTest implements DatagramReceiver {
    private static final int QUERIES = TestProfile.count(10_000, 1_000_000);
    private static final int MAD_OFFSET = Bth.LENGTH + Deth.LENGTH;
    private static final int[] ATTRIBUTES = {0x0001, 0x0010, 0x0011, 0x0012, 0x0055};

    private final VirtualLoop loop = VirtualLoop.create("queries");
    private final Gid asker = Gid.parse("192.0.2.21");
    private final Gid ours = Gid.parse("192.0.2.20");
    private final Icrc icrc = new Icrc();
    private final Map<Long, Integer> answers = new HashMap<>();

    @Test
    @Tag("pitfall-29")
    @Tag("pitfall-31")
    @Tag("pitfall-32")
    void everyTransactionIsAnsweredOnceAndNothingIsHeldAfterwards() throws Exception {
        SimulatedNetwork network = new SimulatedNetwork(FaultSpec.NONE);
        DatagramPort port = network.newPort(asker, loop);
        port.open(this);
        RoceDevice device =
                RoceDevice.open(loop, RoceConfiguration.of("roce", 0x20, 4096), List.of(network.newPort(ours, loop)));
        new DeviceManagementAgent(device.madPort().mads(), IoControllerDescription.of(0x1234, device.attributes()));
        long idle = device.madPort().mads().pool().inUse().get();

        for (int i = 0; i < QUERIES; i++) {
            ask(port, 0x1_0000_0000L + i, ATTRIBUTES[i % ATTRIBUTES.length]);
            if (i % 32 == 31) {
                loop.advance(100_000);
            }
        }
        loop.advance(100_000);

        assertThat(answers).hasSize(QUERIES);
        assertThat(answers.values()).allMatch(count -> count == 1);
        assertThat(device.madPort().mads().pool().inUse().get()).isEqualTo(idle);
        assertThat(device.counters().addressHandles().get()).isZero();
        assertThat(device.counters().doubleReleases().get()).isZero();
    }

    private void ask(DatagramPort port, long transaction, int attribute) {
        Datagram slot = port.claim();
        assertThat(slot).isNotNull();
        ByteBuffer buffer = slot.buffer();
        for (int i = 0; i < MAD_OFFSET + MadHeader.MAD_LENGTH; i++) {
            buffer.put(i, (byte) 0);
        }
        new Bth().wrap(buffer, 0).put(Opcode.UD_SEND_ONLY, false, 0, Bth.DEFAULT_PARTITION_KEY, 1, true, (int)
                transaction);
        new Deth().wrap(buffer, Bth.LENGTH).put(MadAddress.QUEUE_KEY, 1);
        buffer.putInt(MAD_OFFSET, 0x0106_0101);
        buffer.putLong(MAD_OFFSET + 8, transaction);
        buffer.putShort(MAD_OFFSET + 16, (short) attribute);
        buffer.putInt(MAD_OFFSET + 20, attribute == 0x0011 ? 1 : 0x0001_0000);
        int length = icrc.appendTo(
                buffer, 0, MAD_OFFSET + MadHeader.MAD_LENGTH, new FlowHeader(asker, ours, FlowHeader.ROCE_PORT));
        port.send(slot.length(length).remote(ours.high(), ours.low(), FlowHeader.ROCE_PORT));
    }

    @Override
    public void onDatagram(Datagram datagram) {
        ByteBuffer buffer = datagram.buffer();
        assertThat(buffer.get(MAD_OFFSET + 3)).as("GetResp").isEqualTo((byte) 0x81);
        assertThat(new Deth().wrap(buffer, Bth.LENGTH).queueKey()).isEqualTo(MadAddress.QUEUE_KEY);
        answers.merge(buffer.getLong(MAD_OFFSET + 8), 1, Integer::sum);
    }

    @Override
    public void onWritable() {}
}
