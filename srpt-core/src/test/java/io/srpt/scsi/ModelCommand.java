package io.srpt.scsi;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.Set;

/**
 * One random command and what a disk must answer to it, told from the standard and from {@link ModelDisk}, not from the device
 * server.
 */
final class ModelCommand {
    /** What the blocks of the range are after it. */
    enum Effect {
        NONE,
        READS,
        WRITES
    }

    private static final String GOOD = "GOOD";
    private static final int[] READS = {0x28, 0xA8, 0x88};
    private static final int[] WRITES = {0x2A, 0xAA, 0x8A, 0x2E, 0xAE, 0x8E};
    private static final int[] VERIFIES = {0x2F, 0xAF, 0x8F};

    final ModelDisk disk;
    final int lba;
    final int count;
    byte[] cdb = {};
    byte[] out = {};
    int inLength;
    Effect effect = Effect.NONE;
    /** What a write leaves on the medium. */
    byte[] after = {};
    /** The answers that are right: {@code GOOD}, or sense data. */
    Set<String> expected = Set.of(GOOD);

    private final Random random;

    private ModelCommand(ModelDisk disk, Random random, int lba, int count) {
        this.disk = disk;
        this.random = random;
        this.lba = lba;
        this.count = count;
    }

    /** A command on {@code [lba, lba + count)}, valid but, now and then, for one thing. */
    static ModelCommand on(ModelDisk disk, Random random, int lba, int count) {
        ModelCommand command = new ModelCommand(disk, random, lba, count);
        command.choose(disk.isCertain(lba, count) ? random.nextInt(11) : random.nextInt(4));
        if (disk.readOnly && command.effect == Effect.WRITES) {
            command.effect = Effect.NONE;
            command.expected = Set.of("7/27/00");
        }
        if (random.nextInt(6) == 0) {
            command.spoil();
        }
        return command;
    }

    boolean overlaps(ModelDisk other, int from, int blocks) {
        return disk == other && lba < from + blocks && from < lba + count;
    }

    private void choose(int kind) {
        switch (kind) {
            case 0, 1 -> read(READS[random.nextInt(READS.length)]);
            case 2 -> write(WRITES[random.nextInt(WRITES.length)], disk.random(random, count));
            case 3 -> writeSame(random.nextInt(3));
            case 4 -> verify(VERIFIES[random.nextInt(VERIFIES.length)]);
            case 5 -> compareAndWrite();
            case 6 -> orWrite();
            case 7 -> unmap();
            case 8 -> write(0x9C, disk.random(random, count));
            case 9 -> synchronize();
            default -> other();
        }
    }

    private void read(int operation) {
        cdb = rangeCdb(operation);
        inLength = count * disk.blockSize + (random.nextInt(4) == 0 ? random.nextInt(2000) - 1000 : 0);
        inLength = Math.max(0, inLength);
        effect = Effect.READS;
    }

    private void write(int operation, byte[] bytes) {
        cdb = rangeCdb(operation);
        out = bytes;
        after = bytes;
        effect = Effect.WRITES;
    }

    private void writeSame(int form) {
        byte[] block = random.nextInt(4) == 0 ? new byte[disk.blockSize] : disk.random(random, 1);
        boolean unmap = disk.thin && random.nextBoolean();
        boolean noData = form != 0 && random.nextInt(3) == 0;
        if (form == 2) {
            cdb = HexFormat.of().parseHex("7f000000000000180" + "00d" + "00".repeat(22));
            ByteBuffer.wrap(cdb).putLong(12, lba).putInt(28, count);
        } else {
            cdb = rangeCdb(form == 0 ? 0x41 : 0x93);
        }
        cdb[form == 2 ? 10 : 1] = (byte) ((unmap ? 0x08 : 0) | (noData ? 0x01 : 0));
        out = noData ? new byte[0] : block;
        after = new byte[count * disk.blockSize];
        if (!noData) {
            for (int i = 0; i < after.length; i++) {
                after[i] = block[i % disk.blockSize];
            }
        }
        effect = Effect.WRITES;
    }

    private void verify(int operation) {
        cdb = rangeCdb(operation);
        int byteCheck = random.nextInt(3);
        byte[] there = disk.bytes(lba, count);
        if (byteCheck == 1) {
            cdb[1] = 2;
            out = maybeChanged(there);
            expected = Set.of(Arrays.equals(out, there) ? GOOD : "E/1D/00");
        } else if (byteCheck == 2) {
            cdb[1] = 6;
            out = Arrays.copyOf(there, disk.blockSize);
            boolean all = true;
            for (int i = 0; i < there.length; i++) {
                all &= there[i] == out[i % disk.blockSize];
            }
            expected = Set.of(all ? GOOD : "E/1D/00");
        }
    }

    private void compareAndWrite() {
        if (count > disk.maxCompareBlocks) {
            synchronize();
            return;
        }
        cdb = rangeCdb(0x8A);
        cdb[0] = (byte) 0x89;
        cdb[13] = (byte) count;
        cdb[12] = 0;
        byte[] there = disk.bytes(lba, count);
        byte[] compare = maybeChanged(there);
        after = disk.random(random, count);
        out = Arrays.copyOf(compare, 2 * compare.length);
        System.arraycopy(after, 0, out, compare.length, after.length);
        boolean equal = Arrays.equals(compare, there);
        effect = equal || disk.readOnly ? Effect.WRITES : Effect.NONE;
        expected = Set.of(equal ? GOOD : "E/1D/00");
    }

    private byte[] maybeChanged(byte[] bytes) {
        byte[] changed = bytes.clone();
        if (random.nextInt(3) == 0) {
            changed[random.nextInt(changed.length)] ^= (byte) (1 + random.nextInt(255));
        }
        return changed;
    }

    private void orWrite() {
        write(0x8B, disk.random(random, count));
        byte[] there = disk.bytes(lba, count);
        after = out.clone();
        for (int i = 0; i < there.length; i++) {
            after[i] |= there[i];
        }
    }

    /** Two descriptors, one of them empty. */
    private void unmap() {
        if (!disk.thin) {
            cdb = new byte[] {0x42, 0, 0, 0, 0, 0, 0, 0, 24, 0};
            out = new byte[24];
            expected = Set.of("5/20/00");
            return;
        }
        cdb = new byte[] {0x42, 0, 0, 0, 0, 0, 0, 0, 40, 0};
        out = ByteBuffer.allocate(40)
                .putShort(0, (short) 38)
                .putShort(2, (short) 32)
                .putLong(8, random.nextInt(disk.blocks))
                .putLong(24, lba)
                .putInt(32, count)
                .array();
        after = new byte[count * disk.blockSize];
        effect = Effect.WRITES;
    }

    private void synchronize() {
        cdb = rangeCdb(random.nextBoolean() ? 0x35 : 0x91);
    }

    private void other() {
        switch (random.nextInt(3)) {
            case 0 -> cdb = new byte[6]; // TEST UNIT READY
            case 1 -> {
                cdb = new byte[] {(byte) 0xC1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
                expected = Set.of("5/20/00");
            }
            default -> {
                cdb = rangeCdb(0x9E); // a service action that is not there
                cdb[1] = 0x1F;
                expected = Set.of("5/24/00");
            }
        }
    }

    private byte[] rangeCdb(int operation) {
        int length = switch (operation >> 5) {
            case 1, 2 -> 10;
            case 4 -> 16;
            default -> 12;
        };
        ByteBuffer to = ByteBuffer.allocate(length).put(0, (byte) operation);
        switch (length) {
            case 10 -> to.putInt(2, lba).putShort(7, (short) count);
            case 12 -> to.putInt(2, lba).putInt(6, count);
            default -> to.putLong(2, lba).putInt(10, count);
        }
        if (operation == 0x9C) {
            to.putInt(10, 0).putShort(12, (short) count);
        }
        return to.array();
    }

    /** Makes one thing of it wrong; a disk that is read-only may say that first. */
    private void spoil() {
        boolean block = effect != Effect.NONE && (cdb[0] & 0xFF) != 0x42 && (cdb[0] & 0xFF) != 0x7F;
        String sense = switch (random.nextInt(4)) {
            case 0 -> {
                cdb = Arrays.copyOf(cdb, cdb.length - 1);
                yield "5/24/00";
            }
            case 1 -> {
                boolean variable = (cdb[0] & 0xFF) == 0x7F;
                cdb[variable ? 1 : cdb.length - 1] |= 0x04; // NACA
                yield "5/24/00";
            }
            case 2 -> block ? protect() : null;
            default -> block ? beyondTheEnd() : null;
        };
        if (sense != null && !expected.contains("5/20/00")) {
            expected = disk.readOnly ? union(expected, sense) : Set.of(sense);
            effect = Effect.NONE;
        }
    }

    private static Set<String> union(Set<String> some, String other) {
        return some.contains("7/27/00") ? Set.of("7/27/00", other) : Set.of(other);
    }

    private String protect() {
        cdb[1] |= 0x20;
        return "5/24/00";
    }

    private String beyondTheEnd() {
        ByteBuffer fields = ByteBuffer.wrap(cdb);
        if (cdb.length == 16) {
            fields.putLong(2, random.nextBoolean() ? disk.blocks : -1 - random.nextInt(1000));
        } else {
            fields.putInt(2, disk.blocks + random.nextInt(1000));
        }
        return "5/21/00";
    }

    /** Whether the data-in is what the range holds, as far as the initiator's buffer reaches. */
    boolean isRightData(byte[] in) {
        int whole = in.length / disk.blockSize;
        int expectedLength = Math.min(inLength, count * disk.blockSize);
        return in.length == expectedLength && disk.mayRead(lba, Arrays.copyOf(in, whole * disk.blockSize));
    }

    @Override
    public String toString() {
        return HexFormat.ofDelimiter(" ").formatHex(cdb) + " on LUN " + disk.lun + ", out " + out.length + ", in "
                + inLength + ", expected " + expected;
    }
}
