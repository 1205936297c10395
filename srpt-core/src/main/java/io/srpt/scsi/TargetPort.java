package io.srpt.scsi;

import java.util.HexFormat;

/**
 * A SCSI target port: one port of an RDMA device on which the target is offered.
 *
 * <p>All ports of an SRP target answer to the same SRP target port identifier; what tells them apart is the relative target
 * port identifier, which is also what commands and designators name a port by.
 *
 * @param relativeId relative target port identifier (SAM-5 §4.6.4), from 1 on
 * @param extension the first half of the SRP target port identifier
 * @param guid its second half
 */
public record TargetPort(int relativeId, long extension, long guid) {
    /** The highest relative target port identifier. */
    public static final int MAX_RELATIVE_ID = 0xFFFF;

    /** Checks the identifier. */
    public TargetPort {
        if (relativeId < 1 || relativeId > MAX_RELATIVE_ID) {
            throw new IllegalArgumentException("relative target port " + relativeId + " is not in 1..65535");
        }
    }

    /** The SRP target port identifier, 32 hexadecimal digits, and the relative identifier. */
    @Override
    public String toString() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(extension) + hex.toHexDigits(guid) + ",t," + relativeId;
    }
}
