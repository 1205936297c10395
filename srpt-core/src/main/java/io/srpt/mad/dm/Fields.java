package io.srpt.mad.dm;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Fields that several attributes have. */
final class Fields {
    private Fields() {}

    static void clear(ByteBuffer buffer, int offset, int length) {
        for (int i = 0; i < length; i++) {
            buffer.put(offset + i, (byte) 0);
        }
    }

    /** Writes text into {@code length} bytes that are zero, cut if too long; at least one zero stays at the end. */
    static void putText(ByteBuffer buffer, int offset, int length, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        buffer.put(offset, bytes, 0, Math.min(bytes.length, length - 1));
    }

    /** Reads text up to the first zero byte or the end of the field. */
    static String getText(ByteBuffer buffer, int offset, int length) {
        byte[] bytes = new byte[length];
        buffer.get(offset, bytes);
        int end = 0;
        while (end < length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }
}
