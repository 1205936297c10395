package io.srpt.scsi;

import java.nio.ByteBuffer;

/**
 * The device identification page (SPC-4 §7.8.5): a list of designators, of the logical unit and of the target port that was
 * asked.
 *
 * <pre>
 *   0  protocol (4) | code set (4)      1  PIV | 0 | association (2) | type (4)      3  length      4  designator
 * </pre>
 *
 * <p>What a unit is called is the same on all ports. NAA comes first, since hosts take the first of the best kind.
 */
final class DeviceIdentification {
    private static final int HEADER = 4;
    /** Of {@link #writePort}. */
    static final int BYTES_OF_A_PORT = HEADER + 2 * Long.BYTES;

    private static final int CODE_SET_BINARY = 0x01;
    private static final int CODE_SET_ASCII = 0x02;
    private static final int TYPE_T10_VENDOR_ID = 0x01;
    private static final int TYPE_EUI_64 = 0x02;
    private static final int TYPE_NAA = 0x03;
    private static final int TYPE_RELATIVE_TARGET_PORT = 0x04;
    private static final int TYPE_TARGET_PORT_GROUP = 0x05;
    /** Association 1, and PIV: the protocol field counts. */
    private static final int OF_TARGET_PORT = 0x90;

    private static final int PROTOCOL_SRP = 0x40;

    private final ByteBuffer data;
    private final int start;
    private int at;

    private DeviceIdentification(ByteBuffer data, int at) {
        this.data = data;
        this.start = at;
        this.at = at;
    }

    /** Writes all designators at {@code offset} of zeroed {@code data}; returns their length. */
    static int write(ByteBuffer data, int offset, LogicalUnit unit, TargetPort port) {
        DeviceIdentification list = new DeviceIdentification(data, offset);
        list.unit(unit);
        list.port(port);
        UnitAccess access = unit.access();
        if (access != null) {
            list.group(access.of(port));
        }
        return list.at - list.start;
    }

    /** Writes at {@code offset} of zeroed {@code data} the designator that names {@code port}. */
    static void writePort(ByteBuffer data, int offset, TargetPort port) {
        new DeviceIdentification(data, offset).portName(port);
    }

    /** Whether {@code designator} is one of those of {@code unit} itself; {@code type} with its association. */
    static boolean designates(LogicalUnit unit, int codeSet, int type, ByteBuffer designator) {
        DeviceIdentification list = new DeviceIdentification(ByteBuffer.allocate(VpdPages.MAX_LENGTH), 0);
        list.unit(unit);
        for (int at = 0, length; at < list.at; at += HEADER + length) {
            length = list.data.get(at + 3) & 0xFF;
            boolean same = list.data.get(at) == codeSet
                    && list.data.get(at + 1) == type
                    && list.data.slice(at + HEADER, length).equals(designator);
            if (same) {
                return true;
            }
        }
        return false;
    }

    private void unit(LogicalUnit unit) {
        data.put(designator(CODE_SET_BINARY, TYPE_NAA, unit.naaIdentifier().length), unit.naaIdentifier());

        LogicalUnitConfig config = unit.config();
        int vendor = designator(
                CODE_SET_ASCII, TYPE_T10_VENDOR_ID, 24 + config.serial().length());
        InquiryCommand.putText(data, vendor, LogicalUnitConfig.VENDOR, 8);
        InquiryCommand.putText(data, vendor + 8, config.product(), 16);
        InquiryCommand.putText(data, vendor + 24, config.serial(), 0);
    }

    private void port(TargetPort port) {
        portName(port);
        int relative =
                designator(PROTOCOL_SRP | CODE_SET_BINARY, OF_TARGET_PORT | TYPE_RELATIVE_TARGET_PORT, Integer.BYTES);
        data.putInt(relative, port.relativeId());
    }

    private void portName(TargetPort port) {
        int identifier = designator(PROTOCOL_SRP | CODE_SET_BINARY, OF_TARGET_PORT | TYPE_EUI_64, 2 * Long.BYTES);
        data.putLong(identifier, port.extension());
        data.putLong(identifier + Long.BYTES, port.guid());
    }

    private void group(AluaGroup group) {
        int body = designator(PROTOCOL_SRP | CODE_SET_BINARY, OF_TARGET_PORT | TYPE_TARGET_PORT_GROUP, Integer.BYTES);
        data.putInt(body, group.id());
    }

    /** Writes the header of the next designator; returns where its {@code length} bytes belong. */
    private int designator(int codeSet, int type, int length) {
        data.put(at, (byte) codeSet);
        data.put(at + 1, (byte) type);
        data.put(at + 3, (byte) length);
        int body = at + HEADER;
        at = body + length;
        return body;
    }
}
