package io.srpt.srp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The information units that Linux initiator and target exchanged over RoCEv2 on IPv4, put together again from the SEND
 * packets of a capture.
 */
final class CapturedUnits {
    private static final int PCAP_HEADER = 24;
    private static final int RECORD_HEADER = 16;
    private static final int CAPTURED_LENGTH = 8;
    private static final int ETHERTYPE = 12;
    private static final int IP = 14;
    private static final int IP_DESTINATION = IP + 16;
    private static final int BTH = IP + 20 + 8;
    private static final int PAYLOAD = BTH + 12;
    private static final int ICRC = 4;
    private static final int SEND_FIRST = 0;
    private static final int SEND_LAST = 2;
    private static final int SEND_ONLY = 4;

    private CapturedUnits() {}

    /** All units of {@code type}, in the order of the capture. */
    static List<byte[]> read(int type) throws IOException {
        ByteBuffer file;
        try (InputStream in = CapturedUnits.class.getResourceAsStream("/captures/srp-login-io.pcap")) {
            file = ByteBuffer.wrap(Objects.requireNonNull(in).readAllBytes());
        }
        Map<Long, ByteArrayOutputStream> messages = new HashMap<>();
        List<byte[]> units = new ArrayList<>();
        int at = PCAP_HEADER;
        while (at < file.limit()) {
            file.order(ByteOrder.LITTLE_ENDIAN);
            int length = file.getInt(at + CAPTURED_LENGTH);
            file.order(ByteOrder.BIG_ENDIAN);
            packet(file, at + RECORD_HEADER, length, messages, units);
            at += RECORD_HEADER + length;
        }
        units.removeIf(unit -> (unit[0] & 0xFF) != type);
        return units;
    }

    private static void packet(
            ByteBuffer file, int at, int length, Map<Long, ByteArrayOutputStream> messages, List<byte[]> units) {
        int opcode = file.get(at + BTH) & 0xFF;
        if ((file.getShort(at + ETHERTYPE) & 0xFFFF) != 0x0800 || opcode > SEND_ONLY) {
            return;
        }
        long destination = ((long) file.getInt(at + IP_DESTINATION) << 32) | file.getInt(at + BTH + 4);
        int padding = (file.get(at + BTH + 1) >>> 4) & 0x03;
        byte[] payload = new byte[length - PAYLOAD - ICRC - padding];
        file.get(at + PAYLOAD, payload);
        ByteArrayOutputStream message = messages.computeIfAbsent(destination, key -> new ByteArrayOutputStream());
        if (opcode == SEND_FIRST || opcode == SEND_ONLY) {
            message.reset();
        }
        message.writeBytes(payload);
        if (opcode == SEND_LAST || opcode == SEND_ONLY) {
            units.add(message.toByteArray());
        }
    }
}
