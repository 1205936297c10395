package io.srpt.scsi;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The text in which reservations are kept.
 *
 * <pre>
 *   srpt-reservations 1
 *   disk 60253532…                                          its NAA identifier
 *   type 5                                                  or none
 *   holder 000…a 1                                          initiator port and relative target port; or none
 *   registration 000…a 1 0000000000000001                   and the key; in their order
 *   crc32c 1a2b3c4d                                         of all lines above
 * </pre>
 */
final class ReservationText {
    private static final String HEADER = "srpt-reservations 1";
    private static final String NONE = "none";
    private static final HexFormat HEX = HexFormat.of();

    private ReservationText() {}

    static byte[] encode(String disk, ReservationState state) {
        ReservationType type = state.type();
        StringBuilder text = new StringBuilder(HEADER).append('\n');
        text.append("disk ").append(disk).append('\n');
        text.append("type ").append(type == null ? NONE : String.valueOf(type.code()));
        text.append("\nholder ").append(format(state.holder())).append('\n');
        state.keys()
                .forEach((nexus, key) -> text.append("registration ")
                        .append(format(nexus))
                        .append(' ')
                        .append(HEX.toHexDigits(key))
                        .append('\n'));
        return (text + checkLine(text.toString())).getBytes(StandardCharsets.US_ASCII);
    }

    private static String format(@Nullable NexusId nexus) {
        return nexus == null ? NONE : nexus.initiatorPort() + " " + nexus.targetPort();
    }

    private static String checkLine(String text) {
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.US_ASCII));
        return "crc32c " + HEX.toHexDigits((int) crc.getValue()) + "\n";
    }

    /**
     * Reads what {@link #encode} wrote for {@code disk}.
     *
     * @throws IllegalArgumentException if it is anything else
     */
    static ReservationState decode(String disk, byte[] bytes) {
        String text = new String(bytes, StandardCharsets.US_ASCII);
        int end = text.lastIndexOf("crc32c ");
        if (end < 0 || !text.substring(end).equals(checkLine(text.substring(0, end)))) {
            throw new IllegalArgumentException("it is damaged");
        }
        String[] lines = text.substring(0, end).split("\n");
        if (lines.length < 4 || !lines[0].equals(HEADER)) {
            throw new IllegalArgumentException("it is of another version");
        }
        if (!lines[1].equals("disk " + disk)) {
            throw new IllegalArgumentException("it is of another disk");
        }
        Map<NexusId, Long> keys = new LinkedHashMap<>();
        for (int i = 4; i < lines.length; i++) {
            String[] words = lines[i].split(" ");
            keys.put(nexus(words), HexFormat.fromHexDigitsToLong(words[3]));
        }
        String[] type = lines[2].split(" ");
        String[] holder = lines[3].split(" ");
        return new ReservationState(
                keys,
                type[1].equals(NONE) ? null : ReservationType.of(Integer.parseInt(type[1])),
                holder[1].equals(NONE) ? null : nexus(holder),
                true,
                0);
    }

    /** Of a line: its second word is the initiator port, its third one the target port. */
    private static NexusId nexus(String[] words) {
        return new NexusId(
                new TransportId(
                        HexFormat.fromHexDigitsToLong(words[1], 0, 16),
                        HexFormat.fromHexDigitsToLong(words[1], 16, 32)),
                Integer.parseInt(words[2]));
    }
}
