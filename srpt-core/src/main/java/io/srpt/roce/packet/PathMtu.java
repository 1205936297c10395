package io.srpt.roce.packet;

import org.jspecify.annotations.Nullable;

/**
 * The five path MTUs of InfiniBand: payload bytes of a packet, without headers, and the code that names them in
 * management and connection messages. Immutable.
 */
public enum PathMtu {
    MTU_256(256, 1),
    MTU_512(512, 2),
    MTU_1024(1024, 3),
    MTU_2048(2048, 4),
    MTU_4096(4096, 5);

    /**
     * What must fit around the payload in one frame: GRH or IPv6 header 40, UDP 8, BTH 12, the largest extended header
     * 28, immediate data 4, ICRC 4.
     */
    public static final int MAX_HEADER_BYTES = 96;

    private static final PathMtu[] VALUES = values();

    private final int bytes;
    private final int code;
    private final int shift;

    PathMtu(int bytes, int code) {
        this.bytes = bytes;
        this.code = code;
        this.shift = Integer.numberOfTrailingZeros(bytes);
    }

    /** Payload bytes of a full packet. */
    public int bytes() {
        return bytes;
    }

    /** The code on the wire, 1..5. */
    public int code() {
        return code;
    }

    /** Packets a message of {@code length} bytes takes, and sequence numbers a READ of it consumes: at least one. */
    public int packetsFor(long length) {
        return length <= bytes ? 1 : (int) ((length + bytes - 1) >> shift);
    }

    /** Payload bytes of the last packet of a message of {@code length} bytes: 1..MTU, or 0 for an empty message. */
    public int lastPacketLength(long length) {
        return length == 0 ? 0 : (int) ((length - 1) & (bytes - 1)) + 1;
    }

    /** The MTU with this code on the wire, or null when there is none. */
    public static @Nullable PathMtu ofCode(int code) {
        return code < 1 || code > VALUES.length ? null : VALUES[code - 1];
    }

    /** The MTU of exactly this many bytes, or null when there is none. */
    public static @Nullable PathMtu ofBytes(int bytes) {
        PathMtu mtu = floor(bytes);
        return mtu != null && mtu.bytes == bytes ? mtu : null;
    }

    /** The largest MTU of at most {@code bytes}, or null below 256. */
    public static @Nullable PathMtu floor(int bytes) {
        for (int i = VALUES.length - 1; i >= 0; i--) {
            if (VALUES[i].bytes <= bytes) {
                return VALUES[i];
            }
        }
        return null;
    }

    /** The largest MTU that fits a network device's: 1500 gives 1024, 9000 gives 4096; null below 352. */
    public static @Nullable PathMtu ofInterfaceMtu(int interfaceMtu) {
        return floor(interfaceMtu - MAX_HEADER_BYTES);
    }
}
