package dev.argus.wire;

import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
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

    static final int SEEN_BITS = 6;

    private static final int LEAST = 512;
    private static final int SLOWEST = 46;
    private static final int[] RATE = new int[SLOWEST + 1];

    static {
        for (int i = 0; i < RATE.length; i++) {
            RATE[i] = (int) (65536 / (i + 1.6));
        }
    }

    /** Contexts by page; the models of a stream are kept page by page. */
    static final int PAGE_BITS = 5;

    private static final int PAGE = 1 << PAGE_BITS;

    /**
     * Probabilities of all contexts; they outlive a frame. A context is one {@code int}: the probability of 0 above, how often it was seen below.
     * Contexts lie in pages, and only pages that were used are held, one behind the other: a stream meets few of them, and a server
     * holds the models of every rank. While a frame is coded they lie on a {@link Bench}: what is not kept has changed nothing.
     */
    static final class Models {
        private final int pages;

        /** Numbers of the pages held, and what they hold. */
        private int[] held = {};

        private int[] values = {};
        private @Nullable Bench bench;

        Models(int contexts) {
            pages = (contexts + PAGE - 1) >>> PAGE_BITS;
        }

        void reset() {
            undo();
            held = new int[0];
            values = new int[0];
        }

        /** Where a frame is coded from here on, until it is kept or undone. */
        Bench open() {
            Bench open = bench;
            if (open == null) {
                open = Bench.free(pages);
                open.lay(held, values);
                bench = open;
            }
            return open;
        }

        /** Keeps what was changed. */
        void keep() {
            Bench open = bench;
            if (open != null) {
                if (open.size > held.length) {
                    held = Arrays.copyOf(open.touched, open.size);
                    values = new int[open.size << PAGE_BITS];
                }
                for (int i = 0; i < held.length; i++) {
                    System.arraycopy(open.contexts, held[i] << PAGE_BITS, values, i << PAGE_BITS, PAGE);
                }
            }
            undo();
        }

        /** Forgets what was changed since the models were opened. */
        void undo() {
            Bench open = bench;
            bench = null;
            if (open != null) {
                open.giveBack();
            }
        }
    }

    /**
     * All contexts in one array, for one frame at a time; a page that is not held is made when it is first touched. Lent by turns: there are
     * as many as frames were coded at the same time, some 50 KB each.
     */
    static final class Bench {
        private static final Queue<Bench> FREE = new ConcurrentLinkedQueue<>();
        private static final int FRESH = 1 << (PROBABILITY_BITS - 1 + SEEN_BITS);

        final int[] contexts;

        /** By page: it holds what it should. */
        final boolean[] laid;

        private final int[] touched;
        private int size;

        private Bench(int pages) {
            contexts = new int[pages << PAGE_BITS];
            laid = new boolean[pages];
            touched = new int[pages];
        }

        private static Bench free(int pages) {
            Bench free = FREE.poll();
            return free == null || free.laid.length < pages ? new Bench(pages) : free;
        }

        private void lay(int[] pages, int[] values) {
            for (int i = 0; i < pages.length; i++) {
                int page = pages[i];
                System.arraycopy(values, i << PAGE_BITS, contexts, page << PAGE_BITS, PAGE);
                laid[page] = true;
                touched[i] = page;
            }
            size = pages.length;
        }

        /** A page that is touched for the first time. */
        void make(int page) {
            Arrays.fill(contexts, page << PAGE_BITS, (page + 1) << PAGE_BITS, FRESH);
            laid[page] = true;
            touched[size++] = page;
        }

        private void giveBack() {
            for (int i = 0; i < size; i++) {
                laid[touched[i]] = false;
            }
            size = 0;
            FREE.add(this);
        }
    }

    final Models models;

    /** Of the bench on which the models lie. */
    final int[] contexts;

    private final Bench bench;
    private final boolean[] laid;

    EntropyCoder(Models models) {
        this.models = models;
        bench = models.open();
        contexts = bench.contexts;
        laid = bench.laid;
    }

    /** Codes a bit with 16-bit probability of 0. */
    abstract int coded(int probability, int bit);

    /** Codes a value below a bound, 1..2^16, all equally likely. */
    abstract int even(int value, int bound);

    /** What a range leaves to each of so many equal values; a shift, where they are a power of two. */
    static long share(long range, int values) {
        return (values & (values - 1)) == 0 ? range >>> Integer.numberOfTrailingZeros(values) : range / values;
    }

    /** To be called before a context is used. */
    final void touch(int context) {
        int page = context >>> PAGE_BITS;
        if (!laid[page]) {
            bench.make(page);
        }
    }

    /** One bit of a context. */
    int bit(int context, int value) {
        touch(context);
        int model = contexts[context];
        int bit = coded(model >>> SEEN_BITS, value);
        contexts[context] = moved(model, bit);
        return bit;
    }

    /** A context after it has seen a bit. */
    static int moved(int model, int bit) {
        int p = model >>> SEEN_BITS;
        int seen = model & ((1 << SEEN_BITS) - 1);
        int target = (1 << PROBABILITY_BITS) - LEAST - bit * ((1 << PROBABILITY_BITS) - 2 * LEAST);
        int moved = p + (int) (((long) (target - p) * RATE[seen]) >> 16);
        return moved << SEEN_BITS | Math.min(SLOWEST, seen + 1);
    }

    /** A flag of a context. */
    final boolean flag(int context, boolean value) {
        return bit(context, value ? 1 : 0) != 0;
    }

    /** A value of a few bits, each in the context of those above it: 2^bits contexts. */
    int tree(int context, int bits, int value) {
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
