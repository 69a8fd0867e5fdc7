package dev.argus.wire;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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

    private static final int SEEN_BITS = 6;

    private static final int LEAST = 512;
    private static final int SLOWEST = 46;
    private static final int[] RATE = new int[SLOWEST + 1];

    static {
        for (int i = 0; i < RATE.length; i++) {
            RATE[i] = (int) (65536 / (i + 1.6));
        }
    }

    /**
     * Probabilities of all contexts; they outlive a frame. A context is one {@code int}: the probability of 0 above, how often it was seen below.
     * Contexts lie in pages, and a page that was never used is shared by all: a stream meets few of them, and a server
     * holds the models of every rank. What a frame changes can be undone while it is noted ({@link #note()}), page by page.
     */
    static final class Models {
        private static final int PAGE_BITS = 5;
        private static final int PAGE = 1 << PAGE_BITS;
        private static final int[] FRESH = new int[PAGE];

        static {
            Arrays.fill(FRESH, 1 << (PROBABILITY_BITS - 1 + SEEN_BITS));
        }

        /** Pages there is room for when a frame begins to be noted; a usual one changes some sixty. */
        private static final int NOTED = 64;

        private static final int[] NONE = {};

        private final int[][] pages;

        /** Bit by page: those that {@link #old} holds as they were. */
        private final long[] noted;

        private int @Nullable [] old;
        private int notes;
        private int[] places = NONE;

        /** The page asked for last, which is noted and not shared; mostly the next one too. */
        private int[] last = NONE;

        private int lastAt = -1;

        Models(int contexts) {
            pages = new int[(contexts + PAGE - 1) >>> PAGE_BITS][];
            noted = new long[(pages.length + 63) >>> 6];
            reset();
        }

        void reset() {
            Arrays.fill(pages, FRESH);
            lastAt = -1;
        }

        /** The page of a context, to be changed. */
        private int[] page(int context) {
            int at = context >>> PAGE_BITS;
            return at == lastAt ? last : other(at);
        }

        @SuppressWarnings("ReferenceEquality") // the shared page, not one of equal content
        private int[] other(int at) {
            int[] page = pages[at];
            if (old != null && (noted[at >>> 6] >>> at & 1) == 0) {
                note(at, page);
            }
            if (page == FRESH) {
                page = FRESH.clone();
                pages[at] = page;
            }
            last = page;
            lastAt = at;
            return page;
        }

        private void note(int at, int[] page) {
            int[] to = Objects.requireNonNull(old);
            noted[at >>> 6] |= 1L << at;
            if (notes == places.length) {
                places = Arrays.copyOf(places, 2 * notes);
                to = Arrays.copyOf(to, to.length * 2);
                old = to;
            }
            places[notes] = at;
            System.arraycopy(page, 0, to, notes++ * PAGE, PAGE);
        }

        /** From here on changes are noted. */
        void note() {
            old = new int[NOTED * PAGE];
            places = new int[NOTED];
            notes = 0;
            lastAt = -1;
            Arrays.fill(noted, 0);
        }

        /** Keeps what was changed. */
        void keep() {
            old = null;
            places = NONE;
            last = NONE;
            lastAt = -1;
        }

        /** Undoes what was changed since it is noted. */
        void undo() {
            int[] from = old;
            for (int i = 0; from != null && i < notes; i++) {
                System.arraycopy(from, i * PAGE, pages[places[i]], 0, PAGE);
            }
            keep();
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

    /** What a range leaves to each of so many equal values; a shift, where they are a power of two. */
    static long share(long range, int values) {
        return (values & (values - 1)) == 0 ? range >>> Integer.numberOfTrailingZeros(values) : range / values;
    }

    /** One bit of a context. */
    final int bit(int context, int value) {
        int[] page = models.page(context);
        int at = context & (Models.PAGE - 1);
        int model = page[at];
        int p = model >>> SEEN_BITS;
        int bit = coded(p, value);
        int seen = model & ((1 << SEEN_BITS) - 1);
        int target = bit == 0 ? (1 << PROBABILITY_BITS) - LEAST : LEAST;
        int moved = p + (int) (((long) (target - p) * RATE[seen]) >> 16);
        page[at] = moved << SEEN_BITS | Math.min(SLOWEST, seen + 1);
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
