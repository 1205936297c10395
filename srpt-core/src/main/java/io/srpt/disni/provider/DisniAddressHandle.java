package io.srpt.disni.provider;

import io.srpt.verbs.AddressHandle;
import io.srpt.verbs.AddressVector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An address handle: of a device, or for libibumad, which needs none ({@code pointer} 0). */
final class DisniAddressHandle implements AddressHandle {
    private static final Logger LOG = LoggerFactory.getLogger(DisniAddressHandle.class);

    private final DisniDevice device;
    private final AddressVector vector;
    private final long pointer;
    private boolean closed;

    DisniAddressHandle(DisniDevice device, AddressVector vector, long pointer) {
        this.device = device;
        this.vector = vector;
        this.pointer = pointer;
        device.counters().addressHandles().increment();
    }

    long pointer() {
        return pointer;
    }

    @Override
    public AddressVector vector() {
        return vector;
    }

    @Override
    public void close() {
        if (closed) {
            device.counters().doubleReleases().increment();
            return;
        }
        closed = true;
        device.counters().addressHandles().decrement();
        int result = pointer == 0 ? 0 : VerbsNative.destroyAddressHandle(pointer);
        if (result < 0) {
            LOG.warn("{}: an address handle could not be freed: error {}", device.name(), -result);
        }
    }
}
