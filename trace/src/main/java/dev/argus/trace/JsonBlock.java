package dev.argus.trace;

/**
 * What tells strings and brackets in blocks of 64 bytes, eight words of ASCII at a time.
 *
 * <p>After Langdale and Lemire, "Parsing gigabytes of JSON per second" (2019), without vectors.
 */
final class JsonBlock {
    static final long HIGH = Swar.all(0x80);

    private static final long QUOTE = Swar.all('"');
    private static final long BACKSLASH = Swar.all('\\');
    private static final long EVEN_BITS = 0x5555_5555_5555_5555L;

    private JsonBlock() {}

    /** Mask of quotes in a word of ASCII. */
    static long quotes(long w) {
        return (HIGH - (w ^ QUOTE)) & HIGH;
    }

    /** Bit 7 of the bytes of ASCII that are one of {@code [ \\ ] ^ _ { | } ~} or DEL; bits 1 and 2 then tell which. */
    static long late(long w) {
        return (w | Swar.all(0x20)) + Swar.all(0x05);
    }

    /** Not 0 in bit 7 of some byte if there may be a backslash in the word; the others are {@code ^ | ~}. */
    static long slash(long w) {
        return late(w) & ~(w << 7);
    }

    static long brackets(long w) {
        long late = late(w);
        return late & (w << 7) & ~(late << 5) & HIGH;
    }

    /** Among brackets, those that close. */
    static long closing(long w) {
        return (late(w) << 6) & HIGH;
    }

    static long backslashes(byte[] b, int p) {
        long bits = 0;
        for (int i = 0; i < 64; i += 8) {
            bits |= Swar.pack(Swar.zeros(Swar.word(b, p + i) ^ BACKSLASH)) << i;
        }
        return bits;
    }

    /** Bits of the bytes that a backslash before them escapes. */
    static long escaped(long backslashes, long escape) {
        long slashes = backslashes & ~escape;
        long follows = (slashes << 1) | escape;
        long oddStarts = slashes & ~EVEN_BITS & ~follows;
        long sum = oddStarts + slashes;
        return (EVEN_BITS ^ (sum << 1)) & follows;
    }

    /** 1 if the first byte behind the block is escaped, else 0. */
    static long escapesNext(long backslashes, long escape) {
        long slashes = backslashes & ~escape;
        long follows = (slashes << 1) | escape;
        long oddStarts = slashes & ~EVEN_BITS & ~follows;
        return Long.compareUnsigned(oddStarts + slashes, slashes) < 0 ? 1 : 0;
    }

    static long prefixXor(long bits) {
        long x = bits;
        x ^= x << 1;
        x ^= x << 2;
        x ^= x << 4;
        x ^= x << 8;
        x ^= x << 16;
        x ^= x << 32;
        return x;
    }
}
