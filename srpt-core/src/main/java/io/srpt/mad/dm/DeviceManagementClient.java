package io.srpt.mad.dm;

import io.srpt.mad.MadAddress;
import io.srpt.mad.MadAgent;
import io.srpt.mad.MadBuffer;
import io.srpt.mad.MadHeader;
import io.srpt.mad.MadService;
import io.srpt.mad.ReceivedMad;
import io.srpt.time.Deadline;
import io.srpt.verbs.PostResult;
import io.srpt.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks an I/O unit for its controllers: IOUnitInfo, then for each slot with a controller IOControllerProfile and its
 * ServiceEntries, four at a time. One question is under way at a time, each repeated a few times.
 *
 * <p>A slot that answers with an error status is left out.
 *
 * <p>Threads: the port's loop.
 */
public final class DeviceManagementClient implements AutoCloseable {
    private static final long DEFAULT_TIMEOUT_NANOS = 1_000_000_000L;
    private static final int DEFAULT_RETRIES = 3;

    private final MadService service;
    private final MadAgent agent;
    private final MadHeader header = new MadHeader();
    private final long timeoutNanos;
    private final int retries;
    private final List<Discovery> discoveries = new ArrayList<>();

    /** With a time-out of one second and three repetitions a question. */
    public DeviceManagementClient(MadService service) throws VerbsException {
        this(service, DEFAULT_TIMEOUT_NANOS, DEFAULT_RETRIES);
    }

    /** With a time-out and repetitions of its own. */
    public DeviceManagementClient(MadService service, long timeoutNanos, int retries) throws VerbsException {
        this.service = service;
        this.timeoutNanos = timeoutNanos;
        this.retries = retries;
        agent = service.register(
                DeviceManagement.CLASS, DeviceManagement.CLASS_VERSION, (ignored, mad) -> onResponse(mad));
    }

    /** Asks {@code unit}; the outcome comes to {@code listener} once, never during the call. */
    public void discover(MadAddress unit, DiscoveryListener listener) {
        Discovery discovery = new Discovery(unit, listener);
        discoveries.add(discovery);
        discovery.ask(DeviceManagement.ATTRIBUTE_IO_UNIT_INFO, 0);
    }

    /** Ends; discoveries under way fail. */
    @Override
    public void close() {
        agent.close();
        for (Discovery discovery : List.copyOf(discoveries)) {
            discovery.fail("closed");
        }
    }

    private void onResponse(ReceivedMad mad) {
        try {
            long transactionId =
                    header.wrap(mad.buffer().buffer(), MadBuffer.MAD_OFFSET).transactionId();
            for (int i = 0; i < discoveries.size(); i++) {
                if (discoveries.get(i).transactionId == transactionId) {
                    discoveries.get(i).onResponse(mad.buffer().buffer());
                    return;
                }
            }
        } finally {
            mad.release();
        }
    }

    /** One run through an I/O unit's attributes. */
    private final class Discovery {
        private final MadAddress unit;
        private final DiscoveryListener listener;
        private final List<Integer> slots = new ArrayList<>();
        private final List<DiscoveredController> found = new ArrayList<>();
        private final List<ServiceEntry> services = new ArrayList<>();
        private @Nullable IoControllerProfile profile;
        private long transactionId;
        private int attribute;

        /** Fires when the question and all its repetitions went unanswered. */
        private final Deadline giveUp = new Deadline() {
            @Override
            protected void onDeadline() {
                fail("no answer from " + unit.gid() + " to attribute 0x" + Integer.toHexString(attribute));
            }
        };

        Discovery(MadAddress unit, DiscoveryListener listener) {
            this.unit = unit;
            this.listener = listener;
        }

        /** A question that could not be sent is treated as one that is not answered. */
        void ask(int attributeId, int modifier) {
            attribute = attributeId;
            transactionId = agent.nextTransactionId();
            MadBuffer buffer = agent.allocate();
            boolean sent = false;
            if (buffer != null) {
                header.wrap(buffer.buffer(), MadBuffer.MAD_OFFSET)
                        .put(
                                DeviceManagement.CLASS,
                                DeviceManagement.CLASS_VERSION,
                                MadHeader.METHOD_GET,
                                transactionId,
                                attributeId,
                                modifier);
                sent = agent.sendRequest(buffer, unit, timeoutNanos, retries) == PostResult.OK;
            }
            long patience = sent ? timeoutNanos * (retries + 2L) : 0;
            service.loop().schedule(giveUp, service.loop().nanoTime() + patience);
        }

        void onResponse(ByteBuffer reply) {
            int status = header.status();
            int data = MadBuffer.MAD_OFFSET + DeviceManagement.DATA_OFFSET;
            if (header.attributeId() != attribute) {
                fail("answer with attribute 0x" + Integer.toHexString(header.attributeId()));
                return;
            }
            switch (attribute) {
                case DeviceManagement.ATTRIBUTE_IO_UNIT_INFO -> onIoUnitInfo(status, reply, data);
                case DeviceManagement.ATTRIBUTE_IO_CONTROLLER_PROFILE -> onProfile(status, reply, data);
                default -> onServiceEntries(status, reply, data);
            }
        }

        private void onIoUnitInfo(int status, ByteBuffer reply, int data) {
            if (status != MadHeader.STATUS_OK) {
                fail("IOUnitInfo refused with status 0x" + Integer.toHexString(status));
                return;
            }
            IoUnitInfo info = new IoUnitInfo().wrap(reply, data);
            for (int slot = 1; slot <= info.maxControllers(); slot++) {
                if (info.slot(slot) == IoUnitInfo.PRESENT) {
                    slots.add(slot);
                }
            }
            askNextSlot();
        }

        private void onProfile(int status, ByteBuffer reply, int data) {
            if (status != MadHeader.STATUS_OK) {
                slots.removeFirst();
                askNextSlot();
                return;
            }
            profile = IoControllerProfile.read(reply, data);
            services.clear();
            askNextServices(profile);
        }

        private void onServiceEntries(int status, ByteBuffer reply, int data) {
            IoControllerProfile current = profile;
            if (current == null || status != MadHeader.STATUS_OK) {
                slots.removeFirst();
                askNextSlot();
                return;
            }
            int count = Math.min(ServiceEntry.COUNT, current.serviceEntries() - services.size());
            for (int i = 0; i < count; i++) {
                services.add(ServiceEntry.read(reply, data + i * ServiceEntry.LENGTH));
            }
            askNextServices(current);
        }

        private void askNextServices(IoControllerProfile current) {
            int slot = slots.getFirst();
            int first = services.size();
            if (first < current.serviceEntries()) {
                int last = Math.min(first + ServiceEntry.COUNT, current.serviceEntries()) - 1;
                ask(
                        DeviceManagement.ATTRIBUTE_SERVICE_ENTRIES,
                        DeviceManagement.serviceEntriesModifier(slot, first, last));
                return;
            }
            found.add(new DiscoveredController(slot, current, List.copyOf(services)));
            slots.removeFirst();
            askNextSlot();
        }

        private void askNextSlot() {
            if (slots.isEmpty()) {
                end();
                listener.onDiscovered(List.copyOf(found));
            } else {
                ask(DeviceManagement.ATTRIBUTE_IO_CONTROLLER_PROFILE, slots.getFirst());
            }
        }

        void fail(String reason) {
            end();
            listener.onDiscoveryFailed(reason);
        }

        private void end() {
            service.loop().cancel(giveUp);
            discoveries.remove(this);
        }
    }
}
