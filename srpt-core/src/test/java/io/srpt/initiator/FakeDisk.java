package io.srpt.initiator;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Answers the commands that a {@link ScriptedTarget} received, as a disk of 64 blocks would. */
final class FakeDisk {
    static final int BLOCK_SIZE = 512;
    static final int BLOCKS = 64;

    final byte[] blocks = new byte[BLOCKS * BLOCK_SIZE];
    int unitAttentions;
    int reads;
    int writes;

    private final ScriptedTarget target;

    FakeDisk(ScriptedTarget target) {
        this.target = target;
    }

    /** Answers the oldest request; false if there is none. */
    boolean answerOne() {
        if (target.device.connection == null || target.pending() == 0) {
            return false;
        }
        ByteBuffer unit = target.next();
        long tag = unit.getLong(8);
        if (unit.get(0) == 1) {
            target.send(ScriptedTarget.taskResponse(tag, 0));
            return true;
        }
        ByteBuffer answer = execute(unit, tag);
        target.send(answer == null ? ScriptedTarget.response(tag, 1) : answer);
        return true;
    }

    private @Nullable ByteBuffer execute(ByteBuffer unit, long tag) {
        if (unitAttentions > 0) {
            unitAttentions--;
            return checkCondition(tag, 6, 0x29);
        }
        int operation = unit.get(32) & 0xFF;
        switch (operation) {
            case 0x00, 0x35 -> {}
            case 0x12 -> {
                byte[] data = new byte[36];
                System.arraycopy("FAKE    disk            1.0 ".getBytes(StandardCharsets.US_ASCII), 0, data, 8, 28);
                return dataIn(unit, tag, data);
            }
            case 0x9E -> {
                return dataIn(
                        unit,
                        tag,
                        ByteBuffer.allocate(32)
                                .putLong(0, BLOCKS - 1)
                                .putInt(8, BLOCK_SIZE)
                                .array());
            }
            case 0xA0 -> {
                ByteBuffer luns = ByteBuffer.allocate(24).putInt(0, 16).putLong(16, 5L << 48);
                return dataIn(unit, tag, luns.array());
            }
            case 0x88 -> {
                reads++;
                buffer(unit).put(0, blocks, offset(unit), unit.getInt(60));
            }
            case 0x8A -> {
                writes++;
                if (unit.get(5) == 0x30) {
                    unit.get(68, blocks, offset(unit), unit.getInt(48));
                } else {
                    buffer(unit).get(0, blocks, offset(unit), unit.getInt(60));
                }
            }
            default -> {
                return checkCondition(tag, 5, 0x20);
            }
        }
        return null;
    }

    private ByteBuffer dataIn(ByteBuffer unit, long tag, byte[] data) {
        int asked = unit.getInt(60);
        int moved = Math.min(asked, data.length);
        buffer(unit).put(0, data, 0, moved);
        return ScriptedTarget.response(tag, 1)
                .put(18, (byte) (moved < asked ? 0x20 : 0))
                .putInt(24, asked - moved);
    }

    private ByteBuffer buffer(ByteBuffer unit) {
        return target.device.memory(unit.getInt(56), unit.getLong(48), unit.getInt(60));
    }

    private static int offset(ByteBuffer unit) {
        return (int) unit.getLong(34) * BLOCK_SIZE;
    }

    private static ByteBuffer checkCondition(long tag, int key, int asc) {
        ByteBuffer answer = ByteBuffer.allocate(36 + 18).put(0, ScriptedTarget.response(tag, 1), 0, 36);
        answer.put(18, (byte) 2).put(19, (byte) 2).putInt(28, 18);
        return answer.put(36, (byte) 0x70).put(38, (byte) key).put(36 + 12, (byte) asc);
    }
}
