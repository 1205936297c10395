package io.srpt.disni.provider;

import com.ibm.disni.verbs.IbvWC;
import io.srpt.disni.DisniSettings.MadSendMode;
import io.srpt.loop.RdmaEventLoop;
import io.srpt.mad.MadAddress;
import io.srpt.mad.MadBuffer;
import io.srpt.mad.MadBufferPool;
import io.srpt.mad.MadDropReason;
import io.srpt.mad.MadHeader;
import io.srpt.mad.MadTransport;
import io.srpt.mad.QueuePairMadTransport;
import io.srpt.verbs.AddressHandle;
import io.srpt.verbs.AddressVector;
import io.srpt.verbs.PostResult;
import io.srpt.verbs.QueuePairType;
import io.srpt.verbs.VerbsException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Management datagrams where queue pair 1 is the kernel's: they come through libibumad, and leave from a datagram queue pair
 * of ours, whose completions say when they are on the wire. Where that is not to be had (no right to the Q_Key), or not
 * wanted, they leave through libibumad as well and count as sent when the kernel has taken them.
 *
 * <p>Replies only: a response to a request of ours would go to queue pair 1.
 */
final class UserMadTransport implements MadTransport {
    private static final Logger LOG = LoggerFactory.getLogger(UserMadTransport.class);
    /** {@code IBV_WC_GENERAL_ERR}. */
    private static final int GENERAL_ERROR = 21;

    private final DisniDevice device;
    private final RdmaEventLoop loop;
    private final GidTables tables;
    private final MadBufferPool pool;
    private final IbvWC raw = new IbvWC();
    private final DisniCompletion completion = new DisniCompletion();
    private @Nullable QueuePairMadTransport queuePair;
    private @Nullable UserMad mads;
    private @Nullable Listener listener;

    /** Where the port's addresses are looked up. */
    @FunctionalInterface
    interface GidTables {
        GidTable now();
    }

    private UserMadTransport(
            DisniDevice device,
            RdmaEventLoop loop,
            GidTables tables,
            @Nullable QueuePairMadTransport queuePair,
            MadBufferPool pool) {
        this.device = device;
        this.loop = loop;
        this.tables = tables;
        this.queuePair = queuePair;
        this.pool = pool;
    }

    /** With {@code buffers} in all; {@code mode} is a wish. */
    static UserMadTransport create(
            DisniDevice device,
            DisniProtectionDomain domain,
            RdmaEventLoop loop,
            GidTables tables,
            MadSendMode mode,
            int buffers)
            throws VerbsException {
        if (mode == MadSendMode.UMAD) {
            return new UserMadTransport(device, loop, tables, null, MadBufferPool.allocate(domain, buffers));
        }
        QueuePairMadTransport sends = QueuePairMadTransport.create(device, domain, loop, QueuePairType.UD, buffers, 0);
        return new UserMadTransport(device, loop, tables, sends, sends.pool());
    }

    @Override
    public MadBufferPool pool() {
        return pool;
    }

    /** A port without the right to management datagrams is still a port: logins do not need them. */
    @Override
    public void start(Listener newListener) {
        listener = newListener;
        startSending(newListener);
        try {
            UserMad opened = UserMad.open(device.name(), DisniPort.NUMBER);
            mads = opened;
            opened.receive(loop, this::onDatagram);
            LOG.info(
                    "{}: discovery is answered; replies leave {}",
                    device.name(),
                    queuePair == null ? "through umad" : "from queue pair " + queuePair.queuePairNumber());
        } catch (VerbsException e) {
            LOG.warn("{}: discovery is not answered, logins are served: {}", device.name(), e.getMessage());
        }
    }

    private void startSending(Listener to) {
        QueuePairMadTransport sends = queuePair;
        if (sends == null) {
            return;
        }
        try {
            sends.start(to);
        } catch (VerbsException e) {
            LOG.warn("{}: replies leave through umad, not from a queue pair: {}", device.name(), e.getMessage());
            queuePair = null;
        }
    }

    /** Whether replies leave from a queue pair of ours. */
    boolean sendsFromQueuePair() {
        return queuePair != null;
    }

    @Override
    public boolean takesResponses() {
        return false;
    }

    private void onDatagram(ByteBuffer record) {
        Listener to = listener;
        if (to == null) {
            return;
        }
        if (record.getInt(0) != 0) {
            // The kernel's word about a send of ours; replies have none.
            return;
        }
        MadBuffer buffer = pool.acquire();
        if (buffer == null) {
            to.onReceiveDropped(MadDropReason.POOL_EMPTY);
            return;
        }
        buffer.buffer().put(MadBuffer.MAD_OFFSET, record, Records.MAD_DATA, MadHeader.MAD_LENGTH);
        raw.setStatus(0);
        raw.setByte_len(MadBuffer.LENGTH);
        raw.setSrc_qp(record.getInt(Records.MAD_QUEUE_PAIR));
        raw.setPkey_index((short) record.getInt(Records.MAD_PKEY_INDEX));
        completion.show(raw, buffer.token(), MadAddress.GENERAL_SERVICES, true);
        completion.datagram(
                Records.gid(record, Records.MAD_GID), tables.now().indexOfDevice(record.getInt(Records.MAD_GID_INDEX)));
        to.onReceive(buffer, completion);
    }

    @Override
    public AddressHandle createAddressHandle(AddressVector vector) throws VerbsException {
        QueuePairMadTransport sends = queuePair;
        return sends == null ? new DisniAddressHandle(device, vector, 0) : sends.createAddressHandle(vector);
    }

    @Override
    public PostResult send(MadBuffer buffer, AddressHandle handle, int remoteQueuePair, int pkeyIndex) {
        QueuePairMadTransport sends = queuePair;
        return sends == null
                ? sendThroughKernel(buffer, handle.vector(), remoteQueuePair, pkeyIndex)
                : sends.send(buffer, handle, remoteQueuePair, pkeyIndex);
    }

    private PostResult sendThroughKernel(MadBuffer buffer, AddressVector to, int remoteQueuePair, int pkeyIndex) {
        UserMad port = mads;
        if (port == null) {
            return PostResult.WRONG_STATE;
        }
        ByteBuffer record = port.sendRecord();
        record.putInt(Records.MAD_QUEUE_PAIR, remoteQueuePair);
        record.putInt(Records.MAD_PKEY_INDEX, pkeyIndex);
        record.putInt(
                Records.MAD_GID_INDEX,
                tables.now().entries().get(to.sourceGidIndex()).deviceIndex());
        record.putInt(Records.MAD_HOP_LIMIT, to.hopLimit());
        record.putInt(Records.MAD_HAS_GRH, 1);
        Records.gid(record, Records.MAD_GID, to.destination());
        record.put(Records.MAD_DATA, buffer.buffer(), MadBuffer.MAD_OFFSET, MadHeader.MAD_LENGTH);
        int status = port.send();
        long token = buffer.token();
        loop.execute(() -> onKernelTook(token, status));
        return PostResult.OK;
    }

    private void onKernelTook(long token, int status) {
        Listener to = listener;
        if (to != null) {
            raw.setStatus(status == 0 ? 0 : GENERAL_ERROR);
            raw.setOpcode(0);
            raw.setByte_len(MadHeader.MAD_LENGTH);
            to.onSendCompletion(token, completion.show(raw, token, MadAddress.GENERAL_SERVICES, false));
        }
    }

    @Override
    public void close() {
        listener = null;
        UserMad open = mads;
        mads = null;
        if (open != null) {
            open.close();
        }
        QueuePairMadTransport sends = queuePair;
        if (sends == null) {
            pool.close();
        } else {
            sends.close();
        }
    }
}
