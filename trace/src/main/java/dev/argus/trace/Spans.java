package dev.argus.trace;

/** Ranges of bytes, two numbers in a {@code long}: what is written once for each value of an event. */
final class Spans {
    /** No range. */
    static final long NONE = -1;

    private Spans() {}

    /** The range of the bytes {@code [from, to)}; neither is negative. */
    static long of(int from, int to) {
        return ((long) from << 32) | to;
    }

    /** True for a range, also an empty one. */
    static boolean isAny(long span) {
        return span >= 0;
    }

    static int from(long span) {
        return (int) (span >>> 32);
    }

    static int to(long span) {
        return (int) span;
    }

    static int length(long span) {
        return to(span) - from(span);
    }
}
