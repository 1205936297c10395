package io.srpt.srp;

/**
 * Data buffer descriptor formats. In SRP_CMD each direction has a code; in the login units the same codes are bit
 * numbers of a mask.
 */
public final class BufferFormat {
    /** No data in this direction. */
    public static final int NONE = 0;
    /** One memory descriptor. */
    public static final int DIRECT = 1;
    /** A table of memory descriptors. */
    public static final int INDIRECT = 2;
    /** Data-out that travels in the information unit itself (SRP-2). */
    public static final int IMMEDIATE = 3;

    /** Login mask: direct and indirect, what every Linux peer offers. */
    public static final int LOGIN_FORMATS = (1 << DIRECT) | (1 << INDIRECT);

    private BufferFormat() {}
}
