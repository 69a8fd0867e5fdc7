package dev.argus.trace;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Eight bytes at a time in a {@code long}, the first byte lowest (SIMD within a register).
 *
 * <p>All masks have bit 7 of a byte set where the byte matches, and are exact in every byte: the cheaper test with a
 * borrow would mark the byte above a match as well.
 */
final class Swar {
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long LOW_7 = 0x7F7F_7F7F_7F7F_7F7FL;
    private static final long HIGH = 0x8080_8080_8080_8080L;
    private static final long GATHER = 0x0102_0408_1020_4080L;

    private Swar() {}

    /** Eight bytes from {@code at}; the array must reach that far. */
    static long word(byte[] bytes, int at) {
        return (long) WORD.get(bytes, at);
    }

    /** The word with all eight bytes equal to {@code b}. */
    static long all(int b) {
        return b * ONES;
    }

    /** Mask of bytes that are zero. */
    static long zeros(long word) {
        return ~(((word & LOW_7) + LOW_7) | word) & HIGH;
    }

    /** Like {@link #zeros}, cheaper, and right up to the first zero byte: above it others may be marked. */
    static long someZero(long word) {
        return (word - ONES) & ~word & HIGH;
    }

    /** How many of the first bytes, of at most {@code limit} (not negative), are digits: 0 to 8. */
    static int digits(long word, int limit) {
        long x = word ^ all('0');
        long others = (((x & LOW_7) + all(0x76)) | x) & HIGH;
        return Math.min(Long.numberOfTrailingZeros(others) >>> 3, limit);
    }

    /** Mask of bytes that do not belong to a plain number: other than digits, point, slash and minus. */
    static long noNumber(long word) {
        long low = word & LOW_7;
        return (~(low + all(0x80 - '-')) | (low + all(0x7F - '9')) | word) & HIGH;
    }

    /** The number printed in the first {@code digits} (0 to 8) bytes, which must be digits. */
    static long decimal(long word, int digits) {
        long x = digits == 0 ? 0 : (word & all(0x0F)) << (64 - (digits << 3));
        x = ((x * (1 + (10 << 8))) >>> 8) & 0x00FF_00FF_00FF_00FFL;
        x = ((x * (1 + (100 << 16))) >>> 16) & 0x0000_FFFF_0000_FFFFL;
        return (x * (1 + (10_000L << 32))) >>> 32;
    }

    /** Mask of bytes that are not ASCII. */
    static long nonAscii(long word) {
        return word & HIGH;
    }

    /** The word with all bytes that are not ASCII cleared. */
    static long ascii(long word) {
        long high = (word & HIGH) >>> 7;
        return word & ~((high << 8) - high);
    }

    /** Mask of bytes above a space, taking all bytes from 0x80 as above. */
    static long aboveSpace(long word) {
        return (((word & LOW_7) + all(0x7F - 0x20)) | word) & HIGH;
    }

    /** Position (0..7) of the first match; the mask must not be 0. */
    static int first(long mask) {
        return Long.numberOfTrailingZeros(mask) >>> 3;
    }

    /**
     * Exchanges bit {@code 8 i + j} with bit {@code 8 j + i}: masks of eight words, shifted by one another and joined, become
     * one mask of 64 bytes in their order, and back (Warren, Hacker's Delight, section 7-3).
     */
    static long transpose(long bits) {
        long x = bits;
        long t = (x ^ (x >>> 7)) & 0x00AA_00AA_00AA_00AAL;
        x = x ^ t ^ (t << 7);
        t = (x ^ (x >>> 14)) & 0x0000_CCCC_0000_CCCCL;
        x = x ^ t ^ (t << 14);
        t = (x ^ (x >>> 28)) & 0x0000_0000_F0F0_F0F0L;
        return x ^ t ^ (t << 28);
    }

    /** Packs a mask into 8 bits, the first byte lowest. */
    static long pack(long mask) {
        return ((mask >>> 7) * GATHER) >>> 56;
    }
}
