package io.srpt.disni.provider;

import io.srpt.disni.DisniSettings;
import io.srpt.loop.RdmaEventLoop;
import io.srpt.mad.MadPort;
import io.srpt.mad.MadService;
import io.srpt.verbs.ConnectionManager;
import io.srpt.verbs.Gid;
import io.srpt.verbs.RdmaDevice;
import io.srpt.verbs.RdmaLoop;
import io.srpt.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The first port of a device. User space cannot set the port's capability bit IsDeviceManagementSupported, as the kernel's
 * target does: uverbs has no call that modifies a port, and umad has one for the subnet manager's bit only.
 */
final class DisniPort implements MadPort {
    static final int NUMBER = 1;

    private final DisniDevice device;
    private final RdmaEventLoop loop;
    private final List<Gid> wanted;
    private final int activeMtu;
    private final DisniConnectionManager connectionManager;
    private final DisniProtectionDomain domain;
    private final MadService mads;
    private volatile GidTable table;

    DisniPort(DisniDevice device, RdmaEventLoop loop, DisniSettings settings, DisniProtectionDomain domain)
            throws VerbsException {
        this.device = device;
        this.loop = loop;
        this.wanted = settings.addresses();
        this.domain = domain;
        ByteBuffer record = Records.allocate(Records.PORT);
        Records.check(
                VerbsNative.queryPort(device.context(), NUMBER, Records.address(record)),
                device.name() + ": asking port " + NUMBER);
        activeMtu = record.getInt(Records.PORT_MTU);
        table = GidTable.read(device.context(), NUMBER, wanted);
        connectionManager = new DisniConnectionManager(this, loop);
        mads = new MadService(
                device.name() + "/" + NUMBER,
                loop,
                UserMadTransport.create(device, domain, loop, this::table, settings.madSend(), settings.madBuffers()));
    }

    void start() throws VerbsException {
        mads.start();
    }

    GidTable table() {
        return table;
    }

    /** Addresses came or went. */
    void refresh() {
        table = GidTable.read(device.context(), NUMBER, wanted);
        connectionManager.refresh(table);
    }

    void onRemoved() {
        device.onRemoved();
    }

    void close() {
        connectionManager.close();
        mads.close();
        domain.close();
    }

    @Override
    public RdmaDevice device() {
        return device;
    }

    @Override
    public int number() {
        return NUMBER;
    }

    @Override
    public RdmaLoop loop() {
        return loop;
    }

    @Override
    public List<Gid> gids() {
        return table.gids();
    }

    @Override
    public int activeMtu() {
        return activeMtu;
    }

    @Override
    public ConnectionManager connectionManager() {
        return connectionManager;
    }

    @Override
    public MadService mads() {
        return mads;
    }
}
