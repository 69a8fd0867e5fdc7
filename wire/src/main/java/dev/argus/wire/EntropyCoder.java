package dev.argus.wire;

/**
 * One side of an adaptive binary range coder. A layout is written once, as calls that take the value to be written and return the
 * value written or read: the writing side returns what it was given, the reading side ignores its argument. So writing and
 * reading cannot differ.
 *
 * <p>The coder is the carry-propagating one of Martin (Range encoding, 1979) with 32 bits of range, as made popular by LZMA;
 * the models differ: a probability moves by 1 / (seen + 1.6), never less than 1/48, so that frames of a few hundred bytes
 * learn quickly. A symbol costs at least 0.011 bits, which bounds what a hostile frame can claim.
 */
abstract class EntropyCoder {
    /** Contexts of a {@link #number}. */
    static final int NUMBER = 192;

    /** Contexts of a {@link #signed}. */
    static final int SIGNED = NUMBER + 2;

    static final int PROBABILITY_BITS = 16;

    private static final int LEAST = 512;
    private static final int SLOWEST = 46;
    private static final int[] RATE = new int[SLOWEST + 1];

    static {
        for (int i = 0; i < RATE.length; i++) {
            RATE[i] = (int) (65536 / (i + 1.6));
        }
    }

    /** Probabilities of all contexts; they outlive a frame. */
    static final class Models {
        private final int[] zero;
        private final byte[] seen;

        Models(int contexts) {
            zero = new int[contexts];
            seen = new byte[contexts];
            reset();
        }

        void reset() {
            java.util.Arrays.fill(zero, 1 << (PROBABILITY_BITS - 1));
            java.util.Arrays.fill(seen, (byte) 0);
        }

        void copyFrom(Models other) {
            System.arraycopy(other.zero, 0, zero, 0, zero.length);
            System.arraycopy(other.seen, 0, seen, 0, seen.length);
        }
    }

    final Models models;

    EntropyCoder(Models models) {
        this.models = models;
    }

    /** Codes a bit with 16-bit probability of 0. */
    abstract int coded(int probability, int bit);

    /** Codes a value below a bound, 1..2^16, all equally likely. */
    abstract int even(int value, int bound);

    /** One bit of a context. */
    final int bit(int context, int value) {
        int p = models.zero[context];
        int bit = coded(p, value);
        int seen = models.seen[context];
        int target = bit == 0 ? (1 << PROBABILITY_BITS) - LEAST : LEAST;
        models.zero[context] = p + (int) (((long) (target - p) * RATE[seen]) >> 16);
        if (seen < SLOWEST) {
            models.seen[context]++;
        }
        return bit;
    }

    /** A flag of a context. */
    final boolean flag(int context, boolean value) {
        return bit(context, value ? 1 : 0) != 0;
    }

    /** A value of a few bits, each in the context of those above it: 2^bits contexts. */
    final int tree(int context, int bits, int value) {
        int node = 1;
        for (int i = bits - 1; i >= 0; i--) {
            node = node << 1 | bit(context + node, value >>> i & 1);
        }
        return node - (1 << bits);
    }

    /** A value &gt;= 0: its length by a tree, its two highest free bits by contexts, the rest plain. */
    final long number(int context, long value) {
        int length = tree(context, 6, 64 - Long.numberOfLeadingZeros(value));
        if (length <= 1) {
            return length;
        }
        long result = 1;
        int rest = length - 1;
        if (length <= 32) {
            result = result << 1 | bit(context + 64 + length, (int) (value >>> --rest & 1));
            if (rest > 0) {
                int second = context + 97 + 2 * length + (int) (result & 1);
                result = result << 1 | bit(second, (int) (value >>> --rest & 1));
            }
        }
        return bits(result, rest, value);
    }

    /** So many more bits, all equally likely, below those given. */
    final long bits(long above, int bits, long value) {
        long result = above;
        int rest = bits;
        while (rest > 0) {
            int chunk = Math.min(rest, 16);
            rest -= chunk;
            result = result << chunk | even((int) (value >>> rest & ((1 << chunk) - 1)), 1 << chunk);
        }
        return result;
    }

    /** Any value, 64 bits, all equally likely. */
    final long word(long value) {
        return bits(0, 64, value);
    }

    /** A value of either sign. */
    final long signed(int context, long value) {
        if (!flag(context, value != 0)) {
            return 0;
        }
        boolean negative = flag(context + 1, value < 0);
        long size = number(context + 2, negative ? -(value + 1) : value - 1);
        return negative ? -size - 1 : size + 1;
    }

    /** A value below a bound of up to 2^32. */
    final int below(int value, int bound) {
        if (bound <= 1) {
            return 0;
        }
        int bits = 32 - Integer.numberOfLeadingZeros(bound - 1);
        if (bits <= 16) {
            return even(value, bound);
        }
        int low = bits - 16;
        int high = even(value >>> low, ((bound - 1) >>> low) + 1);
        return high << low | even(value & ((1 << low) - 1), 1 << low);
    }
}
