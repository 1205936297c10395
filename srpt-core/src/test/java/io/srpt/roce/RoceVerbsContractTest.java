package io.srpt.roce;

import io.srpt.loop.VirtualLoop;
import io.srpt.roce.net.FaultSpec;
import io.srpt.roce.net.SimulatedNetwork;
import io.srpt.verbs.Gid;
import io.srpt.verbs.RdmaDevice;
import io.srpt.verbs.RdmaLoop;
import io.srpt.verbs.VerbsContract;
import io.srpt.verbs.VerbsException;
import java.util.List;

/** The software provider keeps the verbs contract, on a simulated network. */
class RoceVerbsContractTest extends VerbsContract {
    private static final long SETTLE_NANOS = 20_000_000;

    private final VirtualLoop loop = VirtualLoop.create("contract");
    private final SimulatedNetwork network = new SimulatedNetwork(FaultSpec.NONE);
    private int devices;

    @Override
    protected RdmaDevice openDevice() throws VerbsException {
        devices++;
        Gid gid = new Gid(0xFD5A_0000_0000_0000L, devices);
        return RoceDevice.open(
                loop, RoceConfiguration.of("roce" + devices, devices, 4096), List.of(network.newPort(gid, loop)));
    }

    @Override
    protected RdmaLoop loop() {
        return loop;
    }

    @Override
    protected void settle() {
        loop.advance(SETTLE_NANOS);
    }

    @Override
    protected void onLoop(Action action) throws VerbsException {
        action.run();
    }
}
