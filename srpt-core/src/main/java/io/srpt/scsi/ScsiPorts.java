package io.srpt.scsi;

import java.nio.ByteBuffer;

/**
 * The SCSI ports page (SPC-5 §7.7.14): all ports of the target, with the designators that name each.
 *
 * <pre>
 *  { 0 (2) | relative port (2) | 0 (2) | initiator port name length: 0 (2) | 0 (2) | length of what follows (2) | designators } ...
 * </pre>
 */
final class ScsiPorts {
    private static final int HEADER = 12;
    private static final int BYTES_OF_A_PORT = HEADER + DeviceIdentification.BYTES_OF_A_PORT;
    /** As many as the page length can tell of. */
    private static final int MOST = 0xFFFF / BYTES_OF_A_PORT;

    private ScsiPorts() {}

    /** Bytes behind the page's header. */
    static int length(TargetPorts ports) {
        return Math.min(ports.all().size(), MOST) * BYTES_OF_A_PORT;
    }

    /** Writes the ports at {@code offset} of zeroed {@code data}; returns their length. */
    static int write(ByteBuffer data, int offset, TargetPorts ports) {
        int at = offset;
        for (TargetPort port : ports.all()) {
            if (at - offset == MOST * BYTES_OF_A_PORT) {
                break;
            }
            data.putShort(at + 2, (short) port.relativeId());
            data.putShort(at + 10, (short) DeviceIdentification.BYTES_OF_A_PORT);
            DeviceIdentification.writePort(data, at + HEADER, port);
            at += BYTES_OF_A_PORT;
        }
        return at - offset;
    }
}
