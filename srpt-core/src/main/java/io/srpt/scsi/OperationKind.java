package io.srpt.scsi;

/** What kind of command an operation code asks for: as coarse as operators look at them. */
public enum OperationKind {
    READ,
    /** All that changes blocks with data of its own. */
    WRITE,
    /** SYNCHRONIZE CACHE. */
    FLUSH,
    /** UNMAP and WRITE SAME; of the commands of variable length only WRITE SAME(32) exists. */
    UNMAP,
    /** PERSISTENT RESERVE IN and OUT, RESERVE and RELEASE. */
    RESERVE,
    /** All that asks about the disk or the unit, and what is not known. */
    OTHER;

    /** The kind of the command whose first byte is {@code operationCode}. */
    public static OperationKind of(int operationCode) {
        return switch (operationCode & 0xFF) {
            case 0x08, 0x28, 0xA8, 0x88 -> READ;
            case 0x0A, 0x2A, 0x2E, 0xAA, 0xAE, 0x8A, 0x8E, 0x89, 0x8B, 0x9C -> WRITE;
            case 0x35, 0x91 -> FLUSH;
            case 0x42, 0x41, 0x93, 0x7F -> UNMAP;
            case 0x16, 0x17, 0x56, 0x57, 0x5E, 0x5F -> RESERVE;
            default -> OTHER;
        };
    }
}
