package dev.argus.trace;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What leads from one value to the next in the objects of one file, remembered as bytes.
 *
 * <p>A profiler prints all events of a kind with the same keys in the same order and with the same white space. Between
 * the end of a value and the begin of the next stand the same bytes again and again: {@code , "tid": }. A {@link Step} is
 * such a run of bytes and the key it holds; steps that followed one another form a tree. Where the bytes at hand are those
 * of a step that came here before, the key is known after a comparison word by word, without searching its end and without
 * a look-up; where not, the scanner reads the key, and the tree learns.
 *
 * <p>The tree only guesses what to compare with. What a step says of its bytes is a function of the bytes and the table of
 * keys alone, hence right wherever the same bytes come again. Bounded: {@value #MAX_STEPS} steps a file, {@value #MAX_WAYS}
 * behind one another, runs of at most {@value #MAX_RUN} bytes; what goes beyond is read each time. One thread.
 */
final class KeyTrail {
    static final int MAX_STEPS = 1024;
    static final int MAX_WAYS = 8;
    static final int MAX_RUN = 120;

    private static final int TURNS = 16;
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private final KeyTable keys;
    private final int turningKey;
    private final Step start = new Step();
    private @Nullable Step at = start;
    private int steps;

    /** A trail that divides behind the value of one key of a table, which tells what kind of object it is. */
    KeyTrail(KeyTable keys, int turningKey) {
        this.keys = keys;
        this.turningKey = turningKey;
    }

    /** Steps learned so far. */
    int steps() {
        return steps;
    }

    /** At the begin of an object. */
    void begin() {
        at = start;
    }

    /** The step last taken, or null where the way is not known. */
    @Nullable
    Step at() {
        return at;
    }

    /** Goes on from a step. */
    void at(@Nullable Step step) {
        at = step;
    }

    /** Behind a value that divides the trail: its first eight bytes. */
    void turn(long value) {
        Step here = at;
        if (here != null) {
            at = turned(here, value);
        }
    }

    /** From where the trail goes on behind a value that begins with these eight bytes; values may share a way. */
    Step turned(Step step, long value) {
        Step[] turns = step.turns;
        if (turns == null) {
            return step;
        }
        int turn = (int) ((value * MIX) >>> 60);
        Step way = turns[turn];
        if (way == null && steps < MAX_STEPS) {
            way = new Step();
            turns[turn] = way;
            steps++;
        }
        return way == null ? step : way;
    }

    /** The bytes from {@code from} to {@code to} were read as key {@code id} of the table, behind the step last taken. */
    void learn(byte[] b, int from, int to, KeyTable table, int id) {
        Step here = at;
        if (here == null) {
            return;
        }
        Step step = here.way(b, from, to, table);
        if (step == null && here.count < MAX_WAYS && steps < MAX_STEPS && to - from <= MAX_RUN && to > from) {
            step = new Step(b, from, to, table, id, table == keys && id == turningKey);
            here.add(step);
            steps++;
        }
        at = step;
    }

    /** A run of bytes that holds a key, and the steps that came behind it. */
    static final class Step {
        /** Bytes of the run. */
        final int length;
        /** What was read: a key of the table, or -1 for the end of the object. */
        final int id;

        private final byte[] run;
        private final @Nullable KeyTable table;
        private final long word0;
        private final long word1;
        private final long mask0;
        private final long mask1;
        private final Step @Nullable [] turns;

        private @Nullable Step likely;
        private @Nullable Step ways;
        private @Nullable Step sibling;
        private int count;

        /** Of no bytes: where an object begins, or behind a value that divides the trail. */
        private Step() {
            this(new byte[0], 0, 0, null, 0, false);
        }

        private Step(byte[] b, int from, int to, @Nullable KeyTable table, int id, boolean turning) {
            length = to - from;
            this.id = id;
            this.table = table;
            run = Arrays.copyOfRange(b, from, to);
            byte[] head = Arrays.copyOf(run, 16);
            word0 = Swar.word(head, 0);
            word1 = Swar.word(head, 8);
            mask0 = mask(length);
            mask1 = mask(length - 8);
            turns = turning ? new Step[TURNS] : null;
        }

        private static long mask(int bytes) {
            return bytes >= 8 ? -1 : bytes <= 0 ? 0 : (1L << (8 * bytes)) - 1;
        }

        /**
         * The step behind this one whose bytes stand at {@code p}, or null.
         *
         * @param b 16 bytes behind {@code limit} must be readable
         */
        @Nullable
        Step next(byte[] b, int p, int limit, KeyTable keys) {
            Step step = likely;
            return step == null || step.matches(b, p, limit, keys) ? step : other(b, p, limit, keys);
        }

        private @Nullable Step other(byte[] b, int p, int limit, KeyTable keys) {
            for (Step step = ways; step != null; step = step.sibling) {
                if (step.matches(b, p, limit, keys)) {
                    likely = step;
                    return step;
                }
            }
            return null;
        }

        private boolean matches(byte[] b, int p, int limit, KeyTable keys) {
            long differs = ((Swar.word(b, p) ^ word0) & mask0) | ((Swar.word(b, p + 8) ^ word1) & mask1);
            return differs == 0 && p + length <= limit && keys == table && (length <= 16 || restMatches(b, p));
        }

        private boolean restMatches(byte[] b, int p) {
            for (int i = 16; i < length - 8; i += 8) {
                if (Swar.word(run, i) != Swar.word(b, p + i)) {
                    return false;
                }
            }
            return Swar.word(run, length - 8) == Swar.word(b, p + length - 8);
        }

        /** The step of exactly these bytes, or null. */
        private @Nullable Step way(byte[] b, int from, int to, KeyTable keys) {
            for (Step step = ways; step != null; step = step.sibling) {
                if (step.length == to - from && step.matches(b, from, to, keys)) {
                    return step;
                }
            }
            return null;
        }

        private void add(Step step) {
            step.sibling = ways;
            ways = step;
            likely = step;
            count++;
        }

        /** True if the trail divides behind this key's value. */
        boolean turns() {
            return turns != null;
        }
    }
}
