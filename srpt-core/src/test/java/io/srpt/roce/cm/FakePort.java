package io.srpt.roce.cm;

import io.srpt.verbs.CompletionListener;
import io.srpt.verbs.CompletionQueue;
import io.srpt.verbs.ConnectionManager;
import io.srpt.verbs.DeviceAttributes;
import io.srpt.verbs.DeviceEventListener;
import io.srpt.verbs.Gid;
import io.srpt.verbs.ProtectionDomain;
import io.srpt.verbs.RdmaDevice;
import io.srpt.verbs.RdmaLoop;
import io.srpt.verbs.RdmaPort;
import java.util.List;

/** The port of a device that has nothing but attributes. */
record FakePort(RdmaLoop loop, Gid gid, long nodeGuid, int activeMtu) implements RdmaPort, RdmaDevice {
    @Override
    public RdmaDevice device() {
        return this;
    }

    @Override
    public int number() {
        return 1;
    }

    @Override
    public List<Gid> gids() {
        return List.of(gid);
    }

    @Override
    public ConnectionManager connectionManager() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public DeviceAttributes attributes() {
        return new DeviceAttributes(nodeGuid, 0xFFFFFF, 0, 0, 4096, 4096, 32, 16, 15);
    }

    @Override
    public List<RdmaPort> ports() {
        return List.of(this);
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionQueue createCompletionQueue(RdmaLoop onLoop, int capacity, CompletionListener listener) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void addEventListener(DeviceEventListener listener) {}

    @Override
    public void removeEventListener(DeviceEventListener listener) {}

    @Override
    public void close() {}
}
