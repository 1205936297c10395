package io.srpt.target;

import io.srpt.scsi.DataDirection;
import io.srpt.srp.PortId;
import io.srpt.srp.SrpCommand;
import io.srpt.srp.SrpResponse;
import java.nio.ByteBuffer;

/**
 * What a context tells {@link CommandListener}s of its command; used again with the context. A command that came before
 * anyone listened is not reported. The status is read from the response that was sent.
 */
final class CommandReport implements CommandOutcome {
    private static final int NOT_OBSERVED = 0;
    private static final int MIN_SENSE = 4;
    private static final int DESCRIPTOR_FORMAT = 0x72;
    private static final int FIXED_CODE_END = 14;

    private final SrptPort port;
    private final SrptChannel channel;
    private final CommandContext context;
    private final SrpResponse response = new SrpResponse();
    private long startedNanos = NOT_OBSERVED;
    private long endedNanos;
    private long lun;
    private int operationCode;
    private boolean acknowledged;

    CommandReport(SrptPort port, SrptChannel channel, CommandContext context) {
        this.port = port;
        this.channel = channel;
        this.context = context;
    }

    /** The context begins with {@code command}. */
    void start(SrpCommand command) {
        if (!port.commandListeners().isEmpty()) {
            startedNanos = port.rdmaPort().loop().nanoTime();
            operationCode = command.buffer().get(command.cdbOffset()) & 0xFF;
            lun = command.lun();
        }
    }

    /** The response came to the initiator. */
    void onAcknowledged() {
        acknowledged = true;
    }

    /** The context is about to be freed, with its task and its response still in place. */
    void end() {
        if (startedNanos != NOT_OBSERVED) {
            endedNanos = port.rdmaPort().loop().nanoTime();
            response.wrap(channel.responses().buffer(), channel.responses().offset(context.index()));
            port.commandListeners().onCommand(this);
            startedNanos = NOT_OBSERVED;
        }
        acknowledged = false;
    }

    @Override
    public String port() {
        return port.name();
    }

    @Override
    public long channel() {
        return channel.id();
    }

    @Override
    public PortId initiatorPort() {
        return channel.initiatorPort();
    }

    @Override
    public long lun() {
        return lun;
    }

    @Override
    public int operationCode() {
        return operationCode;
    }

    @Override
    public DataDirection direction() {
        return context.direction();
    }

    @Override
    public long bytes() {
        return context.bytesMoved();
    }

    @Override
    public int status() {
        return acknowledged ? response.status() : NO_RESPONSE;
    }

    @Override
    public int senseKey() {
        if (!hasSense()) {
            return 0;
        }
        return senseByte(isDescriptorFormat() ? 1 : 2) & 0x0F;
    }

    @Override
    public int senseCode() {
        if (!hasSense()) {
            return 0;
        }
        if (isDescriptorFormat()) {
            return senseByte(2) << Byte.SIZE | senseByte(3);
        }
        return response.senseLength() < FIXED_CODE_END ? 0 : senseByte(12) << Byte.SIZE | senseByte(13);
    }

    @Override
    public long nanos() {
        return endedNanos - startedNanos;
    }

    private boolean hasSense() {
        return acknowledged
                && (response.flags() & SrpResponse.SENSE_VALID) != 0
                && response.senseLength() >= MIN_SENSE;
    }

    private boolean isDescriptorFormat() {
        return (senseByte(0) & 0x7F) >= DESCRIPTOR_FORMAT;
    }

    private int senseByte(int index) {
        ByteBuffer buffer = response.buffer();
        return buffer.get(response.senseOffset() + index) & 0xFF;
    }

    @Override
    public String toString() {
        return "command 0x" + Integer.toHexString(operationCode) + " of " + channel;
    }
}
