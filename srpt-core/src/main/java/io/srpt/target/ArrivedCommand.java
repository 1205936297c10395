package io.srpt.target;

import io.srpt.srp.PortId;

/** A command that came: a view that is valid during {@link CommandInterceptor#intercept} only. */
public interface ArrivedCommand {
    /** Name of the port. */
    String port();

    /** The channel's id. */
    long channel();

    /** Who sent the command. */
    PortId initiatorPort();

    /** Its tag, as eight bytes that mean nothing here. */
    long tag();

    /** The eight raw bytes of the LUN. */
    long lun();

    /** Bytes of the CDB. */
    int cdbLength();

    /** Byte {@code index} of the CDB, 0 to 255; below {@link #cdbLength()}. */
    int cdbByte(int index);

    /** Byte 0 of the CDB. */
    default int operationCode() {
        return cdbByte(0);
    }

    /** Bytes of data that the initiator describes. */
    long dataLength();
}
