package io.srpt.disni.provider;

import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.SVCRegMr;
import com.ibm.disni.verbs.impl.NatObject;
import io.srpt.verbs.AddressHandle;
import io.srpt.verbs.AddressVector;
import io.srpt.verbs.MemoryRegion;
import io.srpt.verbs.ProtectionDomain;
import io.srpt.verbs.QueuePair;
import io.srpt.verbs.QueuePairInit;
import io.srpt.verbs.RdmaLoop;
import io.srpt.verbs.SharedReceiveQueue;
import io.srpt.verbs.VerbsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An {@code IbvPd}. */
final class DisniProtectionDomain implements ProtectionDomain {
    private static final Logger LOG = LoggerFactory.getLogger(DisniProtectionDomain.class);

    private final DisniDevice device;
    private final IbvPd domain;
    private boolean closed;

    DisniProtectionDomain(DisniDevice device, IbvContext context) throws VerbsException {
        this.device = device;
        try {
            domain = context.allocPd();
        } catch (IOException e) {
            throw new VerbsException(device.name() + ": no protection domain: " + e.getMessage(), e);
        }
    }

    long pointer() {
        return ((NatObject) domain).getObjId();
    }

    @Override
    public MemoryRegion register(ByteBuffer buffer, int access) throws VerbsException {
        long address = Records.address(buffer.duplicate().clear());
        try {
            SVCRegMr call = domain.regMr(address, buffer.capacity(), access).execute();
            IbvMr region = call.getMr();
            call.free();
            return new DisniMemoryRegion(device, region, buffer, address);
        } catch (IOException e) {
            throw new VerbsException(
                    device.name() + ": " + buffer.capacity() + " bytes could not be registered: " + e.getMessage()
                            + "; is the limit of locked memory large enough (ulimit -l, LimitMEMLOCK=infinity)?",
                    e);
        }
    }

    @Override
    public QueuePair createQueuePair(QueuePairInit init) throws VerbsException {
        return new DisniQueuePair(device, this, init);
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(RdmaLoop loop, int maxRequests, int maxSegments)
            throws VerbsException {
        return new DisniSharedReceiveQueue(device, this, maxRequests, maxSegments);
    }

    @Override
    public AddressHandle createAddressHandle(AddressVector vector) throws VerbsException {
        ByteBuffer path = device.pathRecord(vector);
        long pointer = VerbsNative.createAddressHandle(pointer(), Records.address(path));
        Records.check(pointer, device.name() + ": an address handle for " + vector.destination());
        return new DisniAddressHandle(device, vector, pointer);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            RdmaVerbs.open().deallocPd(domain);
        } catch (IOException e) {
            LOG.warn("{}: a protection domain could not be freed: {}", device.name(), e.getMessage());
        }
    }
}
