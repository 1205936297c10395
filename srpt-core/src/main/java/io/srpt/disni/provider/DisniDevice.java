package io.srpt.disni.provider;

import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.impl.NatIbvContext;
import io.srpt.disni.DisniSettings;
import io.srpt.loop.DescriptorWatch;
import io.srpt.loop.RdmaEventLoop;
import io.srpt.verbs.AddressVector;
import io.srpt.verbs.CompletionListener;
import io.srpt.verbs.CompletionQueue;
import io.srpt.verbs.DeviceAttributes;
import io.srpt.verbs.DeviceEventListener;
import io.srpt.verbs.DeviceResources;
import io.srpt.verbs.Gid;
import io.srpt.verbs.ProtectionDomain;
import io.srpt.verbs.QueuePairEventListener;
import io.srpt.verbs.RdmaDevice;
import io.srpt.verbs.RdmaLoop;
import io.srpt.verbs.RdmaPort;
import io.srpt.verbs.VerbsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An RDMA device of this machine. The context is librdmacm's, so that its connections and our queue pairs are of one device. */
final class DisniDevice implements RdmaDevice {
    private static final Logger LOG = LoggerFactory.getLogger(DisniDevice.class);
    private static final int MAX_SEGMENTS = 16;

    private final String name;
    private final Runnable onClosed;
    private final long context;
    private final IbvContext verbsContext;
    private final DeviceAttributes attributes;
    private final TargetTable targets = new TargetTable();
    private final DisniCounters counters = new DisniCounters();
    private final ByteBuffer path = Records.allocate(Records.PATH);
    private final ByteBuffer asyncRecord = Records.allocate(Records.ASYNC);
    private final List<DeviceEventListener> listeners = new CopyOnWriteArrayList<>();
    private final DisniPort port;
    private final DescriptorWatch watch;
    private boolean closed;

    DisniDevice(RdmaEventLoop loop, DisniSettings settings, Runnable onClosed) throws VerbsException {
        this.name = settings.device();
        this.onClosed = onClosed;
        context = VerbsNative.deviceContext(name);
        if (context <= 0) {
            throw new VerbsException(
                    "there is no RDMA device " + name + "; there are: " + String.join(", ", NativeProvider.names()));
        }
        try {
            verbsContext = new NatIbvContext(context, Dispatcher.INSTANCE);
        } catch (IOException e) {
            throw new VerbsException(name + " cannot be used: " + e.getMessage(), e);
        }
        attributes = query();
        port = new DisniPort(this, loop, settings, new DisniProtectionDomain(this, verbsContext));
        int descriptor = (int) Records.check(VerbsNative.asyncDescriptor(context), name + ": asynchronous events");
        watch = loop.watch(descriptor, this::onAsyncEvents);
        port.start();
    }

    private DeviceAttributes query() throws VerbsException {
        ByteBuffer record = Records.allocate(Records.DEVICE);
        Records.check(VerbsNative.queryDevice(context, Records.address(record)), name + ": asking the device");
        return new DeviceAttributes(
                record.getLong(0),
                record.getInt(Records.DEVICE_VENDOR),
                record.getInt(Records.DEVICE_PART),
                record.getInt(Records.DEVICE_VERSION),
                record.getInt(Records.DEVICE_REQUESTS),
                record.getInt(Records.DEVICE_SHARED_REQUESTS),
                Math.min(MAX_SEGMENTS, record.getInt(Records.DEVICE_SEGMENTS)),
                record.getInt(Records.DEVICE_READS),
                record.getInt(Records.DEVICE_ACK_DELAY));
    }

    long context() {
        return context;
    }

    TargetTable targets() {
        return targets;
    }

    DisniCounters counters() {
        return counters;
    }

    /** A {@code srpt_path}, good until the next call. */
    ByteBuffer pathRecord(AddressVector vector) {
        int index = port.table().entries().get(vector.sourceGidIndex()).deviceIndex();
        Records.path(path, vector, index, DisniPort.NUMBER);
        return path;
    }

    /** Our index of an address, 0 if it is not ours. */
    int indexOf(Gid gid) {
        return port.table().indexOf(gid);
    }

    // ---- events -------------------------------------------------------------------------------------------------

    private void onAsyncEvents() {
        while (!closed && VerbsNative.asyncEvent(context, Records.address(asyncRecord)) == 1) {
            onAsyncEvent(
                    asyncRecord.getInt(0),
                    asyncRecord.getInt(Records.ASYNC_PORT),
                    asyncRecord.getLong(Records.ASYNC_ELEMENT));
        }
    }

    private void onAsyncEvent(int type, int portNumber, long element) {
        AsyncEvent event = AsyncEvent.of(type);
        LOG.debug("{}: asynchronous event {} of port {}", name, event, portNumber);
        if (event == null) {
            LOG.info("{}: asynchronous event {} is not known", name, type);
            return;
        }
        QueuePairEventListener.Event ofQueuePair = event.ofQueuePair();
        DeviceEventListener.Event ofDevice = event.ofDevice();
        if (ofQueuePair != null) {
            for (CompletionTarget target : targets.all()) {
                if (target instanceof DisniQueuePair queuePair && queuePair.pointer() == element) {
                    queuePair.onEvent(ofQueuePair);
                }
            }
        } else if (ofDevice != null) {
            if (ofDevice == DeviceEventListener.Event.GID_CHANGE) {
                port.refresh();
            }
            tell(ofDevice, portNumber);
        }
    }

    void onRemoved() {
        LOG.warn("{}: the device goes away", name);
        tell(DeviceEventListener.Event.DEVICE_FATAL, 0);
    }

    private void tell(DeviceEventListener.Event event, int portNumber) {
        for (DeviceEventListener listener : listeners) {
            listener.onDeviceEvent(this, event, portNumber);
        }
    }

    // ---- the owner ----------------------------------------------------------------------------------------------

    @Override
    public String name() {
        return name;
    }

    @Override
    public DeviceAttributes attributes() {
        return attributes;
    }

    @Override
    public List<RdmaPort> ports() {
        return List.of(port);
    }

    @Override
    public DeviceResources resources() {
        return new DeviceResources(
                counters.queuePairs().get(),
                counters.addressHandles().get(),
                counters.regions().get(),
                counters.registeredBytes().get());
    }

    @Override
    public ProtectionDomain allocateProtectionDomain() throws VerbsException {
        return new DisniProtectionDomain(this, verbsContext);
    }

    @Override
    public CompletionQueue createCompletionQueue(RdmaLoop owner, int capacity, CompletionListener listener)
            throws VerbsException {
        DisniCompletionQueue queue = new DisniCompletionQueue(this, verbsContext, owner, capacity, listener);
        owner.attach(queue);
        return queue;
    }

    @Override
    public void addEventListener(DeviceEventListener listener) {
        listeners.add(listener);
    }

    @Override
    public void removeEventListener(DeviceEventListener listener) {
        listeners.remove(listener);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            watch.close();
            port.close();
            onClosed.run();
        }
    }

    @Override
    public String toString() {
        return name;
    }

    /** {@code enum ibv_event_type}, and whom it concerns. */
    private enum AsyncEvent {
        CQ_ERR(0, null, null),
        QP_FATAL(1, QueuePairEventListener.Event.FATAL, null),
        QP_REQ_ERR(2, QueuePairEventListener.Event.FATAL, null),
        QP_ACCESS_ERR(3, QueuePairEventListener.Event.FATAL, null),
        COMM_EST(4, QueuePairEventListener.Event.COMMUNICATION_ESTABLISHED, null),
        DEVICE_FATAL(8, null, DeviceEventListener.Event.DEVICE_FATAL),
        PORT_ACTIVE(9, null, DeviceEventListener.Event.PORT_ACTIVE),
        PORT_ERR(10, null, DeviceEventListener.Event.PORT_ERROR),
        LID_CHANGE(11, null, DeviceEventListener.Event.LID_CHANGE),
        PKEY_CHANGE(12, null, DeviceEventListener.Event.PKEY_CHANGE),
        SM_CHANGE(13, null, DeviceEventListener.Event.SM_CHANGE),
        SRQ_ERR(14, null, DeviceEventListener.Event.SHARED_RECEIVE_QUEUE_ERROR),
        SRQ_LIMIT_REACHED(15, null, DeviceEventListener.Event.SHARED_RECEIVE_QUEUE_LIMIT),
        QP_LAST_WQE_REACHED(16, QueuePairEventListener.Event.LAST_WORK_REQUEST_REACHED, null),
        CLIENT_REREGISTER(17, null, DeviceEventListener.Event.CLIENT_REREGISTER),
        GID_CHANGE(18, null, DeviceEventListener.Event.GID_CHANGE);

        private final int code;
        private final QueuePairEventListener.@Nullable Event queuePairEvent;
        private final DeviceEventListener.@Nullable Event deviceEvent;

        AsyncEvent(
                int code,
                QueuePairEventListener.@Nullable Event queuePairEvent,
                DeviceEventListener.@Nullable Event deviceEvent) {
            this.code = code;
            this.queuePairEvent = queuePairEvent;
            this.deviceEvent = deviceEvent;
        }

        QueuePairEventListener.@Nullable Event ofQueuePair() {
            return queuePairEvent;
        }

        DeviceEventListener.@Nullable Event ofDevice() {
            return deviceEvent;
        }

        static @Nullable AsyncEvent of(int code) {
            for (AsyncEvent event : values()) {
                if (event.code == code) {
                    return event;
                }
            }
            return null;
        }
    }
}
