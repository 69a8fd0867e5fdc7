package dev.argus.trace;

/**
 * Brackets outside strings, 64 bytes at a time: quotes and brackets become bits, a prefix sum of quote bits tells what lies
 * inside strings.
 *
 * <p>After Langdale and Lemire, "Parsing gigabytes of JSON per second" (2019), without vectors: eight words of eight bytes,
 * each of which gives every eighth bit of a mask. Knows whether a string or an escape goes on into the next block. One thread.
 */
final class JsonBlock {
    static final int BYTES = 64;

    private static final long HIGH = Swar.all(0x80);
    private static final long QUOTE = Swar.all('"');
    private static final long BACKSLASH = Swar.all('\\');
    private static final long EVEN_BITS = 0x5555_5555_5555_5555L;

    private long quotes;
    private long opens;
    private long closes;
    private long inString;
    private long escape;

    /** The next block is the first, and begins outside strings. */
    void begin() {
        inString = 0;
        escape = 0;
    }

    /** True if the block's end lies inside a string. */
    boolean inString() {
        return inString != 0;
    }

    /** True if the block ends with a backslash that escapes what follows. */
    boolean escapes() {
        return escape != 0;
    }

    /** Number of opening brackets outside strings. */
    int opening() {
        return Long.bitCount(opens);
    }

    /** Number of closing brackets outside strings. */
    int closing() {
        return Long.bitCount(closes);
    }

    /** Takes the next block, which follows the one before. */
    void read(byte[] b, int p) {
        boolean slashes = words(b, p, false);
        if (slashes || escape != 0) {
            long backslashes = backslashes(b, p);
            long escaped = escaped(backslashes, escape);
            escape = escapesNext(backslashes, escape);
            quotes &= ~escaped;
        }
        long inside = prefixXor(quotes) ^ inString;
        inString = inside >> 63;
        long outside = ~Swar.transpose(inside);
        opens &= outside;
        closes &= outside;
    }

    /**
     * Turns quotes and brackets into bits; true if there may be a backslash.
     *
     * <p>Of ASCII only {@code [ \ ] ^ _ { | } ~} and DEL, their bit 5 set and 5 added, have bit 7; of these the brackets are odd
     * and have no bit 2 then, and those that close have bit 1.
     */
    private boolean words(byte[] b, int p, boolean wide) {
        long any = 0;
        long quote = 0;
        long bracket = 0;
        long close = 0;
        long even = 0;
        for (int i = 0; i < BYTES; i += 8) {
            long w = wide ? Swar.ascii(Swar.word(b, p + i)) : Swar.word(b, p + i);
            long late = (w | Swar.all(0x20)) + Swar.all(0x05);
            long odd = w << 7;
            long found = late & odd & ~(late << 5) & HIGH;
            any |= w;
            even |= late & ~odd;
            quote = (quote >>> 1) | ((HIGH - (w ^ QUOTE)) & HIGH);
            bracket = (bracket >>> 1) | found;
            close = (close >>> 1) | (found & (late << 6));
        }
        if ((any & HIGH) != 0) {
            return words(b, p, true);
        }
        quotes = Swar.transpose(quote);
        closes = close;
        opens = bracket ^ close;
        return (even & HIGH) != 0;
    }

    /** Offset in the block behind the bracket that closes the last of {@code open} levels; -1 if it is not in the block. */
    int end(int open) {
        long opening = Swar.transpose(opens);
        long both = opening | Swar.transpose(closes);
        int depth = open;
        while (both != 0) {
            long bit = both & -both;
            depth += (opening & bit) != 0 ? 1 : -1;
            if (depth == 0) {
                return Long.numberOfTrailingZeros(bit) + 1;
            }
            both ^= bit;
        }
        return -1;
    }

    private static long backslashes(byte[] b, int p) {
        long bits = 0;
        for (int i = 0; i < 64; i += 8) {
            bits |= Swar.pack(Swar.zeros(Swar.word(b, p + i) ^ BACKSLASH)) << i;
        }
        return bits;
    }

    /** Bits of the bytes that a backslash before them escapes. */
    private static long escaped(long backslashes, long escape) {
        long slashes = backslashes & ~escape;
        long follows = (slashes << 1) | escape;
        long oddStarts = slashes & ~EVEN_BITS & ~follows;
        long sum = oddStarts + slashes;
        return (EVEN_BITS ^ (sum << 1)) & follows;
    }

    /** 1 if the first byte behind the block is escaped, else 0. */
    private static long escapesNext(long backslashes, long escape) {
        long slashes = backslashes & ~escape;
        long follows = (slashes << 1) | escape;
        long oddStarts = slashes & ~EVEN_BITS & ~follows;
        return Long.compareUnsigned(oddStarts + slashes, slashes) < 0 ? 1 : 0;
    }

    private static long prefixXor(long bits) {
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
