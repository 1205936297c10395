package io.srpt.roce.packet;

/**
 * Arithmetic modulo the CRC-32 polynomial P, in the reflected form that registers have: bit 31 is the coefficient of
 * x^0, bit 0 that of x^31. P is primitive, so x has the order 2^32 - 1 and x^-n is x^(2^32 - 1 - n). Stateless.
 */
final class CrcPolynomial {

    /** P without its x^32, reflected. */
    private static final int POLYNOMIAL = 0xEDB8_8320;

    private static final int ONE = 0x8000_0000;
    private static final int X = 0x4000_0000;
    private static final long ORDER = 0xFFFF_FFFFL;

    /** Bytes hashed behind the IPv4 identification of a datagram of n bytes: 14 of IPv4, 8 of UDP, n without the ICRC. */
    private static final int AFTER_IDENTIFICATION = 14 + 8 - Icrc.LENGTH;

    /** Any packet with a payload of the largest path MTU. */
    private static final int MAX_TABLED_LENGTH = 4096 + PathMtu.MAX_HEADER_BYTES;

    /** By length / 4. */
    private static final int[] IDENTIFICATION_INVERSE = new int[MAX_TABLED_LENGTH / 4 + 1];

    static {
        int step = power(ORDER - 32);
        IDENTIFICATION_INVERSE[0] = computeInverse(0);
        for (int i = 1; i < IDENTIFICATION_INVERSE.length; i++) {
            IDENTIFICATION_INVERSE[i] = multiply(IDENTIFICATION_INVERSE[i - 1], step);
        }
    }

    private CrcPolynomial() {}

    /** {@code a * b mod P}; without branches, since the bits are random. */
    static int multiply(int a, int b) {
        int product = 0;
        int shifted = b;
        for (int bit = 31; bit >= 0; bit--) {
            product ^= shifted & -(a >>> bit & 1);
            shifted = shifted >>> 1 ^ POLYNOMIAL & -(shifted & 1);
        }
        return product;
    }

    /** {@code x^exponent mod P}, exponent 0 .. 2^32 - 1. */
    static int power(long exponent) {
        int result = ONE;
        int square = X;
        for (long rest = exponent; rest != 0; rest >>>= 1) {
            if ((rest & 1) != 0) {
                result = multiply(result, square);
            }
            square = multiply(square, square);
        }
        return result;
    }

    /**
     * What turns a difference of two checksums into the difference of the 32 bits from the IPv4 identification on, first
     * byte in the low eight bits, for datagrams of {@code length} bytes from BTH to ICRC.
     */
    static int identificationInverse(int length) {
        return length <= MAX_TABLED_LENGTH ? IDENTIFICATION_INVERSE[length >> 2] : computeInverse(length);
    }

    private static int computeInverse(int length) {
        // The register is multiplied by x^8 for each byte: the two of the field, and all that follow.
        return power(ORDER - 8L * (2 + AFTER_IDENTIFICATION + length));
    }
}
