package io.srpt.roce;

import io.srpt.verbs.AddressHandle;
import io.srpt.verbs.AddressVector;

/** A path for datagrams, counted so that a leak or a second release shows. */
final class RoceAddressHandle implements AddressHandle {
    private final AddressVector vector;
    private final RoceCounters counters;
    private boolean closed;

    RoceAddressHandle(AddressVector vector, RoceCounters counters) {
        this.vector = vector;
        this.counters = counters;
        counters.addressHandles().increment();
    }

    @Override
    public AddressVector vector() {
        return vector;
    }

    @Override
    public void close() {
        if (closed) {
            counters.doubleReleases().increment();
            assert false : "address handle to " + vector.destination() + " was released twice";
            return;
        }
        closed = true;
        counters.addressHandles().decrement();
    }
}
