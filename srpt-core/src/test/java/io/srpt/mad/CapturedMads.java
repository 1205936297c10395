package io.srpt.mad;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Management datagrams out of a capture of RoCEv2 packets (Ethernet, classic pcap format). */
public final class CapturedMads {
    private static final int UDP_PORT = 4791;
    private static final int UD_SEND_ONLY = 0x64;
    private static final int BTH_AND_DETH = 20;

    private CapturedMads() {}

    /** All 256-byte datagrams to queue pair 1 of {@code captures/name}, in order. */
    public static List<byte[]> read(String name) {
        byte[] file;
        try (InputStream in = CapturedMads.class.getResourceAsStream("/captures/" + name)) {
            if (in == null) {
                throw new IllegalArgumentException("no capture " + name);
            }
            file = in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ByteBuffer pcap = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        List<byte[]> mads = new ArrayList<>();
        for (int at = 24; at < file.length; ) {
            int length = pcap.getInt(at + 8);
            byte[] mad = mad(ByteBuffer.wrap(file, at + 16, length).slice());
            if (mad != null) {
                mads.add(mad);
            }
            at += 16 + length;
        }
        return mads;
    }

    /** The datagrams of {@code captures/name} with a management class and an attribute. */
    public static List<byte[]> read(String name, int managementClass, int attributeId) {
        return read(name).stream()
                .filter(mad -> mad[MadHeader.MANAGEMENT_CLASS_OFFSET] == managementClass
                        && ByteBuffer.wrap(mad).getShort(MadHeader.ATTRIBUTE_ID_OFFSET) == attributeId)
                .toList();
    }

    private static byte[] mad(ByteBuffer frame) {
        int type = frame.getShort(12) & 0xFFFF;
        int ip = 14;
        int udp;
        if (type == 0x0800 && frame.get(ip + 9) == 17) {
            udp = ip + (frame.get(ip) & 0xF) * 4;
        } else if (type == 0x86DD && frame.get(ip + 6) == 17) {
            udp = ip + 40;
        } else {
            return null;
        }
        int bth = udp + 8;
        if ((frame.getShort(udp + 2) & 0xFFFF) != UDP_PORT
                || (frame.get(bth) & 0xFF) != UD_SEND_ONLY
                || frame.capacity() < bth + BTH_AND_DETH + MadHeader.MAD_LENGTH) {
            return null;
        }
        byte[] mad = new byte[MadHeader.MAD_LENGTH];
        frame.get(bth + BTH_AND_DETH, mad);
        return mad;
    }
}
