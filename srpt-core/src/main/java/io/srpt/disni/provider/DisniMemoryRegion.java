package io.srpt.disni.provider;

import com.ibm.disni.verbs.IbvMr;
import io.srpt.verbs.MemoryRegion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An {@code IbvMr}. */
final class DisniMemoryRegion implements MemoryRegion {
    private static final Logger LOG = LoggerFactory.getLogger(DisniMemoryRegion.class);

    private final DisniDevice device;
    private final IbvMr region;
    private final ByteBuffer buffer;
    private final long address;
    private boolean closed;

    DisniMemoryRegion(DisniDevice device, IbvMr region, ByteBuffer buffer, long address) {
        this.device = device;
        this.region = region;
        this.buffer = buffer.duplicate().clear().order(ByteOrder.BIG_ENDIAN);
        this.address = address;
        device.counters().regions().increment();
        device.counters().registeredBytes().add(buffer.capacity());
    }

    @Override
    public long address() {
        return address;
    }

    @Override
    public long length() {
        return buffer.capacity();
    }

    @Override
    public int localKey() {
        return region.getLkey();
    }

    @Override
    public int remoteKey() {
        return region.getRkey();
    }

    @Override
    public ByteBuffer buffer() {
        return buffer;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        device.counters().regions().decrement();
        device.counters().registeredBytes().add(-buffer.capacity());
        try {
            region.deregMr().execute().free();
        } catch (IOException e) {
            LOG.warn("{}: memory could not be deregistered: {}", device.name(), e.getMessage());
        }
    }
}
