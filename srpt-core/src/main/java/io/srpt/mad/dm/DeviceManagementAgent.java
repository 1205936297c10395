package io.srpt.mad.dm;

import static io.srpt.mad.dm.DeviceManagement.DATA_LENGTH;
import static io.srpt.mad.dm.DeviceManagement.DATA_OFFSET;
import static io.srpt.mad.dm.DeviceManagement.MAX_CONTROLLERS;
import static io.srpt.mad.dm.DeviceManagement.STATUS_NO_CONTROLLER;

import io.srpt.counter.Counter;
import io.srpt.mad.MadAgent;
import io.srpt.mad.MadBuffer;
import io.srpt.mad.MadHeader;
import io.srpt.mad.MadService;
import io.srpt.mad.ReceivedMad;
import io.srpt.verbs.PostResult;
import io.srpt.verbs.VerbsException;
import java.nio.ByteBuffer;

/**
 * Answers Device Management requests for one I/O unit with one controller, in slot 1 of 16.
 *
 * <p>A reply is a copy of the request with method 0x81. When it succeeds the attribute's 192 bytes are written anew, what
 * is not used as zero; an error leaves them as they came:
 *
 * <table>
 *   <caption>Statuses</caption>
 *   <tr><th>request</th><th>status</th></tr>
 *   <tr><td>Get of an unknown attribute, any Set</td><td>0x000C</td></tr>
 *   <tr><td>another method</td><td>0x0008</td></tr>
 *   <tr><td>slot 0 or above 16</td><td>0x001C</td></tr>
 *   <tr><td>slot 2 to 16; service entries with first above last, or last above 1</td><td>0x0100</td></tr>
 * </table>
 *
 * <p>Unlike the Linux driver it does not answer for slot 2, which is not installed.
 *
 * <p>Threads: the port's loop; counters from anywhere.
 */
public final class DeviceManagementAgent implements AutoCloseable {
    private static final int RESPONSE_TIME_VALUE = 20;
    private static final int CHANGE_ID = 1;
    private static final int CONTROLLER_SLOT = 1;

    private static final ClassPortInfo CLASS_PORT_INFO =
            new ClassPortInfo(MadHeader.BASE_VERSION, DeviceManagement.CLASS_VERSION, 0, 0, RESPONSE_TIME_VALUE);

    private final MadAgent agent;
    private final MadHeader header = new MadHeader();
    private final IoUnitInfo ioUnitInfo = new IoUnitInfo();
    private final Counter requests = new Counter();
    private final Counter errorReplies = new Counter();
    private final Counter repliesDropped = new Counter();
    private IoControllerDescription description;

    /** Registers for Get and Set with {@code service}; throws if another agent has them. */
    public DeviceManagementAgent(MadService service, IoControllerDescription description) throws VerbsException {
        this.description = description;
        agent = service.register(
                DeviceManagement.CLASS,
                DeviceManagement.CLASS_VERSION,
                (ignored, mad) -> onMadReceived(mad),
                MadHeader.METHOD_GET,
                MadHeader.METHOD_SET);
    }

    /** Replaces what it tells. */
    public void description(IoControllerDescription newDescription) {
        description = newDescription;
    }

    /** Requests that came. */
    public Counter requests() {
        return requests;
    }

    /** Requests answered with a status other than 0. */
    public Counter errorReplies() {
        return errorReplies;
    }

    /** Requests that got no answer because no buffer was free or the send was refused. */
    public Counter repliesDropped() {
        return repliesDropped;
    }

    /** Unregisters: requests are then answered with 0x000C by the MAD service. */
    @Override
    public void close() {
        agent.close();
    }

    /** Its agent: who replaces its receive handler gets the requests, and can hand them to {@link #onMadReceived}. */
    public MadAgent agent() {
        return agent;
    }

    /** Answers one request ({@code srpt_mad_recv_handler}) and releases it. Port's loop. */
    public void onMadReceived(ReceivedMad request) {
        requests.increment();
        try {
            MadBuffer reply = agent.allocate();
            if (reply == null) {
                repliesDropped.increment();
                return;
            }
            reply.copyFrom(request.buffer());
            answer(reply.buffer());
            if (agent.send(reply, request.source()) != PostResult.OK) {
                repliesDropped.increment();
            }
        } finally {
            request.release();
        }
    }

    /** Turns the copy of a request into its reply. */
    private void answer(ByteBuffer reply) {
        header.wrap(reply, MadBuffer.MAD_OFFSET);
        int status = switch (header.method()) {
            case MadHeader.METHOD_GET ->
                managementMethodGet(
                        header.attributeId(), header.attributeModifier(), reply, MadBuffer.MAD_OFFSET + DATA_OFFSET);
            case MadHeader.METHOD_SET -> MadHeader.STATUS_ATTRIBUTE_NOT_SUPPORTED;
            default -> MadHeader.STATUS_METHOD_NOT_SUPPORTED;
        };
        header.method(MadHeader.METHOD_GET_RESPONSE).status(status);
        if (status != MadHeader.STATUS_OK) {
            errorReplies.increment();
        }
    }

    /** Writes the attribute asked for at {@code offset} and returns the status ({@code srpt_mgmt_method_get}). */
    int managementMethodGet(int attributeId, int modifier, ByteBuffer reply, int offset) {
        return switch (attributeId) {
            case DeviceManagement.ATTRIBUTE_CLASS_PORT_INFO -> getClassPortInfo(reply, offset);
            case DeviceManagement.ATTRIBUTE_IO_UNIT_INFO -> getIoUnitInfo(reply, offset);
            case DeviceManagement.ATTRIBUTE_IO_CONTROLLER_PROFILE -> getIoController(modifier, reply, offset);
            case DeviceManagement.ATTRIBUTE_SERVICE_ENTRIES -> getServiceEntries(modifier, reply, offset);
            default -> MadHeader.STATUS_ATTRIBUTE_NOT_SUPPORTED;
        };
    }

    /** {@code srpt_get_class_port_info}. */
    int getClassPortInfo(ByteBuffer reply, int offset) {
        Fields.clear(reply, offset, DATA_LENGTH);
        CLASS_PORT_INFO.write(reply, offset);
        return MadHeader.STATUS_OK;
    }

    /** {@code srpt_get_iou}. */
    int getIoUnitInfo(ByteBuffer reply, int offset) {
        Fields.clear(reply, offset, DATA_LENGTH);
        ioUnitInfo.wrap(reply, offset).changeId(CHANGE_ID).maxControllers(MAX_CONTROLLERS);
        setIoController(ioUnitInfo, CONTROLLER_SLOT, IoUnitInfo.PRESENT);
        return MadHeader.STATUS_OK;
    }

    /** {@code srpt_set_ioc}. */
    static void setIoController(IoUnitInfo unit, int slot, int value) {
        unit.slot(slot, value);
    }

    /** {@code srpt_get_ioc}: {@code slot} is the whole attribute modifier. */
    int getIoController(int slot, ByteBuffer reply, int offset) {
        int status = checkSlot(slot);
        if (status == MadHeader.STATUS_OK) {
            Fields.clear(reply, offset, DATA_LENGTH);
            description.profile().write(reply, offset);
        }
        return status;
    }

    /** {@code srpt_get_svc_entries}: entry 0 is given whatever part of the valid range is asked for. */
    int getServiceEntries(int modifier, ByteBuffer reply, int offset) {
        int last = modifier >>> 8 & 0xFF;
        int first = modifier & 0xFF;
        int status = checkSlot(modifier >>> 16);
        if (status != MadHeader.STATUS_OK) {
            return status;
        }
        if (first > last || last > 1) {
            return STATUS_NO_CONTROLLER;
        }
        Fields.clear(reply, offset, DATA_LENGTH);
        long guid = description.serviceGuid();
        ServiceEntry.srp(guid, guid).write(reply, offset);
        return MadHeader.STATUS_OK;
    }

    private static int checkSlot(int slot) {
        if (slot < 1 || slot > MAX_CONTROLLERS) {
            return MadHeader.STATUS_BAD_VALUE;
        }
        return slot == CONTROLLER_SLOT ? MadHeader.STATUS_OK : STATUS_NO_CONTROLLER;
    }
}
