package io.srpt.reactor.fault;

import io.srpt.scsi.ScsiStatus;
import io.srpt.srp.PortId;
import io.srpt.target.ArrivedCommand;
import io.srpt.target.CommandFault;
import java.time.Duration;

/**
 * A command that has just come, and to which something can happen. An immutable copy; two are equal only if they are the same
 * arrival.
 *
 * <p>Threads: any. A decision counts on the loop, and before the next command comes, only.
 */
public final class InjectableCommand {
    private final String port;
    private final long channel;
    private final PortId initiatorPort;
    private final long tag;
    private final long lun;
    private final byte[] cdb;
    private final long dataLength;

    InjectableCommand(ArrivedCommand command) {
        port = command.port();
        channel = command.channel();
        initiatorPort = command.initiatorPort();
        tag = command.tag();
        lun = command.lun();
        dataLength = command.dataLength();
        cdb = new byte[command.cdbLength()];
        for (int i = 0; i < cdb.length; i++) {
            cdb[i] = (byte) command.cdbByte(i);
        }
    }

    /** Name of the port, such as {@code roce-eth0/1}. */
    public String port() {
        return port;
    }

    /** The channel's id. */
    public long channel() {
        return channel;
    }

    /** Who sent it. */
    public PortId initiatorPort() {
        return initiatorPort;
    }

    /** Its tag. */
    public long tag() {
        return tag;
    }

    /** The eight raw bytes of the LUN. */
    public long lun() {
        return lun;
    }

    /** Byte 0 of the CDB. */
    public int operationCode() {
        return cdbByte(0);
    }

    /** Whether it is a command of this kind. */
    public boolean is(OperationCode code) {
        return operationCode() == code.code();
    }

    /** Bytes of the CDB. */
    public int cdbLength() {
        return cdb.length;
    }

    /** Byte {@code index} of the CDB, 0 to 255. */
    public int cdbByte(int index) {
        return cdb[index] & 0xFF;
    }

    /** Bytes of data that the initiator describes. */
    public long dataLength() {
        return dataLength;
    }

    /** Whether it is a READ, WRITE or VERIFY of blocks with {@code block} among them. */
    public boolean touches(long block) {
        long first;
        long count;
        switch (operationCode()) {
            case 0x08, 0x0A -> {
                first = number(1, 3) & 0x1F_FFFF;
                count = cdbByte(4) == 0 ? 256 : cdbByte(4);
            }
            case 0x28, 0x2A, 0x2E, 0x2F -> {
                first = number(2, 4);
                count = number(7, 2);
            }
            case 0xA8, 0xAA, 0xAE, 0xAF -> {
                first = number(2, 4);
                count = number(6, 4);
            }
            case 0x88, 0x8A, 0x8E, 0x8F -> {
                first = number(2, 8);
                count = number(10, 4);
            }
            default -> {
                return false;
            }
        }
        return block - first >= 0 && block - first < count;
    }

    private long number(int at, int length) {
        long value = 0;
        for (int i = at; i < at + length; i++) {
            value = value << Byte.SIZE | cdbByte(i);
        }
        return value;
    }

    /** It begins after {@code time}; commands that come meanwhile overtake it. It can be aborted while it waits. */
    public CommandInjection delay(Duration time) {
        return inject(CommandFault.delay(time));
    }

    /** It is never answered; a task management function or the end of its channel ends it. */
    public CommandInjection drop() {
        return inject(CommandFault.DROP);
    }

    /** It is not carried out, and answered with {@code status}, which is not GOOD, and without sense. */
    public CommandInjection fail(ScsiStatus status) {
        return inject(CommandFault.fail(status));
    }

    /** It is not carried out, and answered with CHECK CONDITION and this sense. */
    public CommandInjection checkCondition(int senseKey, int asc, int ascq) {
        return inject(CommandFault.checkCondition(senseKey, asc, ascq));
    }

    /** Its channel ends, and all commands of it. */
    public CommandInjection killChannel() {
        return inject(CommandFault.KILL_CHANNEL);
    }

    /** Nothing happens to it, whatever later pipelines say. */
    public CommandInjection pass() {
        return inject(CommandFault.PASS);
    }

    /** {@code fault} happens to it. */
    public CommandInjection inject(CommandFault fault) {
        return new CommandInjection(this, fault);
    }

    @Override
    public String toString() {
        return "command 0x" + Integer.toHexString(operationCode()) + " of channel " + channel;
    }
}
