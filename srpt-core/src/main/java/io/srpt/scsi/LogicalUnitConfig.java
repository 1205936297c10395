package io.srpt.scsi;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What a disk says about itself; see {@link #defaults} and the {@code with…} methods.
 *
 * @param serial unit serial number, printable ASCII, 1 to 64 characters; every identifier is derived from it, so it must be
 *     unique, stable over restarts, and equal on all ports of the disk
 * @param product product identification, printable ASCII, up to 16 characters
 * @param revision product revision level, printable ASCII, up to 4 characters
 * @param blockSize logical block length in bytes, 512 or 4096
 * @param physicalBlockSize physical block length in bytes, a power of two not below {@code blockSize}, up to 65536
 * @param maxTransferBytes the most that one command may move, a positive multiple of {@code blockSize} below 2 GiB
 * @param rotational false for a medium without seek time
 */
public record LogicalUnitConfig(
        String serial,
        String product,
        String revision,
        int blockSize,
        int physicalBlockSize,
        int maxTransferBytes,
        boolean rotational) {
    /** Vendor identification of every disk, 8 characters. */
    public static final String VENDOR = "SRPT    ";

    private static final int DEFAULT_MAX_TRANSFER = 4 << 20;

    public LogicalUnitConfig {
        requireAscii("serial", serial, 1, 64);
        requireAscii("product", product, 0, 16);
        requireAscii("revision", revision, 0, 4);
        if (blockSize != 512 && blockSize != 4096) {
            throw new IllegalArgumentException("block size " + blockSize + ": use 512 or 4096");
        }
        if (physicalBlockSize < blockSize || physicalBlockSize > 65536 || Integer.bitCount(physicalBlockSize) != 1) {
            throw new IllegalArgumentException("physical block size " + physicalBlockSize + ": use a power of two from "
                    + blockSize + " to 65536");
        }
        if (maxTransferBytes < blockSize || maxTransferBytes % blockSize != 0) {
            throw new IllegalArgumentException("maximum transfer " + maxTransferBytes
                    + ": use a positive multiple of the block size " + blockSize);
        }
    }

    /** A 512-byte-block disk on 4096-byte physical blocks that takes up to 4 MiB a command. */
    public static LogicalUnitConfig defaults(String serial) {
        return new LogicalUnitConfig(serial, "VIRTUAL DISK", "0.1", 512, 4096, DEFAULT_MAX_TRANSFER, false);
    }

    public LogicalUnitConfig withProduct(String newProduct) {
        return new LogicalUnitConfig(
                serial, newProduct, revision, blockSize, physicalBlockSize, maxTransferBytes, rotational);
    }

    public LogicalUnitConfig withRevision(String newRevision) {
        return new LogicalUnitConfig(
                serial, product, newRevision, blockSize, physicalBlockSize, maxTransferBytes, rotational);
    }

    public LogicalUnitConfig withBlockSizes(int logical, int physical) {
        return new LogicalUnitConfig(serial, product, revision, logical, physical, maxTransferBytes, rotational);
    }

    public LogicalUnitConfig withMaxTransferBytes(int bytes) {
        return new LogicalUnitConfig(serial, product, revision, blockSize, physicalBlockSize, bytes, rotational);
    }

    /**
     * A serial number of 16 hexadecimal digits that the same parts always give, such as the target's service GUID, the LUN
     * and the store's identity.
     */
    public static String serialFrom(String... parts) {
        byte[] hash = sha256(String.join("\0", parts));
        return HexFormat.of().withUpperCase().formatHex(hash, 0, 8);
    }

    /**
     * The NAA designator of the disk: format 6, a company id with the locally administered bit, then 100 bits that the
     * serial number determines.
     */
    byte[] naaIdentifier() {
        byte[] naa = new byte[16];
        System.arraycopy(sha256(serial), 0, naa, 0, naa.length);
        naa[0] = 0x60;
        naa[1] = 0x25;
        naa[2] = 0x35;
        naa[3] = (byte) (0x20 | naa[3] & 0x0F);
        return naa;
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static void requireAscii(String what, String text, int min, int max) {
        boolean printable = text.chars().allMatch(c -> c >= 0x20 && c < 0x7F);
        if (!printable || text.length() < min || text.length() > max) {
            throw new IllegalArgumentException(
                    what + " '" + text + "': use " + min + " to " + max + " printable ASCII characters");
        }
    }
}
