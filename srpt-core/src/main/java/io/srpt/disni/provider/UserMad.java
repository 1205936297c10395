package io.srpt.disni.provider;

import io.srpt.loop.DescriptorWatch;
import io.srpt.loop.RdmaEventLoop;
import io.srpt.verbs.VerbsException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The kernel's agent for Device Management at one port: what {@code /dev/infiniband/umadN} gives a process. */
final class UserMad implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(UserMad.class);
    private static final int MAX_DATAGRAMS_A_TURN = 64;

    private final int umad;
    private final int agent;
    private final ByteBuffer received = Records.allocate(Records.MAD);
    private final ByteBuffer sent = Records.allocate(Records.MAD);
    private @Nullable DescriptorWatch watch;

    private UserMad(int umad, int agent) {
        this.umad = umad;
        this.agent = agent;
    }

    /** Registers the agent. */
    static UserMad open(String device, int port) throws VerbsException {
        ByteBuffer agent = Records.allocate(Integer.BYTES);
        int umad = VerbsNative.openMads(device, port, Records.address(agent));
        if (umad == -Records.EBUSY) {
            throw new VerbsException("Device Management of " + device + "/" + port
                    + " has an owner already: the kernel's ib_srpt (rmmod ib_srpt) or another srpt");
        }
        if (umad < 0) {
            throw new VerbsException("/dev/infiniband/umad of " + device + "/" + port + " cannot be opened (error "
                    + -umad + "): is the module ib_umad loaded, and may this user open it?");
        }
        return new UserMad(umad, agent.getInt(0));
    }

    /** Hands each datagram that comes to {@code listener}, whose argument is good during the call. */
    void receive(RdmaEventLoop loop, java.util.function.Consumer<ByteBuffer> listener) {
        watch = loop.watch(VerbsNative.madDescriptor(umad), () -> onReadable(listener));
    }

    private void onReadable(java.util.function.Consumer<ByteBuffer> listener) {
        for (int i = 0; i < MAX_DATAGRAMS_A_TURN; i++) {
            int result = VerbsNative.receiveMad(umad, Records.address(received));
            if (result <= 0) {
                if (result < 0) {
                    LOG.debug("A management datagram could not be taken: error {}", -result);
                }
                return;
            }
            listener.accept(received);
        }
    }

    /** A record to fill for {@link #send}. */
    ByteBuffer sendRecord() {
        return sent;
    }

    /** Gives the datagram in {@link #sendRecord} to the kernel; 0, or minus an error number. */
    int send() {
        return VerbsNative.sendMad(umad, agent, Records.address(sent));
    }

    @Override
    public void close() {
        DescriptorWatch watching = watch;
        if (watching != null) {
            watching.close();
        }
        VerbsNative.closeMads(umad, agent);
    }
}
