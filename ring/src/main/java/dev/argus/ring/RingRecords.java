package dev.argus.ring;

import dev.argus.model.CollectiveOp;

/** The records of a ring: numbers of their types, their flags, and the words they are made of ({@link RingLayout} has the picture). */
public final class RingRecords {
    static final int KERNEL = 1;
    static final int COPY = 2;
    static final int SET = 3;
    static final int LAUNCH = 4;
    static final int STEP = 5;
    static final int SPAN = 6;
    static final int COLLECTIVE = 7;
    static final int COLLECTIVE_MORE = 8;
    static final int GROUP = 9;
    static final int IDENTITY = 10;
    static final int STRING = 11;
    static final int STRING_MORE = 12;
    static final int CLOCK = 13;
    static final int LOSS = 14;
    static final int REPORTED = 15;

    private static final int UNKNOWN_OP = 14;

    /** Flag of kernels: a node of a graph. */
    public static final int GRAPH = 1;

    /** Flag of kernels, copies, sets, launches, spans and collectives: the duration was longer than fits. */
    public static final int CUT = 2;

    /** Flag of steps: seen on the GPU. */
    public static final int STEP_ON_GPU = 1;

    /** Flag of steps: other signals were off by interleaving. */
    public static final int STEP_SIGNALS_OFF = 2;

    /** Flag of steps: has begun, the end follows. */
    public static final int STEP_BEGIN = 4;

    /** Flag of spans and collectives: has begun, the end follows. */
    public static final int BEGIN = 1;

    /** Flag of collectives: the times are of the work itself. */
    public static final int TIMES_OF_WORK = 4;

    /** Flag of collectives: the times are of the call that launched it. */
    public static final int TIMES_OF_CALL = 8;

    /** Flag of collectives: several operations in one. */
    public static final int COALESCED = 16;

    /** Operations of collectives by their numbers. */
    private static final CollectiveOp[] OPS = {
        CollectiveOp.UNKNOWN,
        CollectiveOp.ALL_REDUCE,
        CollectiveOp.ALL_GATHER,
        CollectiveOp.REDUCE_SCATTER,
        CollectiveOp.ALL_TO_ALL,
        CollectiveOp.ALL_TO_ALL_V,
        CollectiveOp.BARRIER,
        CollectiveOp.BROADCAST,
        CollectiveOp.REDUCE,
        CollectiveOp.GATHER,
        CollectiveOp.SCATTER,
        CollectiveOp.SEND,
        CollectiveOp.RECV,
        CollectiveOp.SEND_RECV
    };

    private RingRecords() {}

    /** The operation of a number. */
    static CollectiveOp op(int number) {
        return number < OPS.length ? OPS[number] : CollectiveOp.UNKNOWN;
    }

    /** The number of an operation in a COLLECTIVE record. */
    public static int number(CollectiveOp op) {
        for (int i = 1; i < OPS.length; i++) {
            if (OPS[i] == op) {
                return i;
            }
        }
        return UNKNOWN_OP;
    }

    /** First word: type, three bytes, four bytes. */
    static long head(int type, int one, int two, int three, int id) {
        return (type & 0xffL)
                | ((one & 0xffL) << 8)
                | ((two & 0xffL) << 16)
                | ((three & 0xffL) << 24)
                | ((long) id << 32);
    }

    /** First word with flags of two bytes: type, a byte, flags, four bytes. */
    static long wide(int type, int one, int flags, int id) {
        return (type & 0xffL) | ((one & 0xffL) << 8) | ((flags & 0xffffL) << 16) | ((long) id << 32);
    }

    /** Third word: duration (cut to what fits) and thread or stream. */
    static long span(long duration, int thread) {
        return Math.min(duration, RingLayout.LONGEST) | ((thread & 0xff_ffffL) << RingLayout.DURATION_BITS);
    }

    /** Two halves, the lower one first. */
    static long pair(int low, int high) {
        return (low & 0xffff_ffffL) | ((long) high << 32);
    }

    static int type(long head) {
        return (int) head & 0xff;
    }

    static int one(long head) {
        return (int) (head >>> 8) & 0xff;
    }

    static int two(long head) {
        return (int) (head >>> 16) & 0xff;
    }

    static int three(long head) {
        return (int) (head >>> 24) & 0xff;
    }

    static int flags(long head) {
        return (int) (head >>> 16) & 0xffff;
    }

    static int low(long word) {
        return (int) word;
    }

    static int high(long word) {
        return (int) (word >>> 32);
    }

    static long duration(long word) {
        return word & RingLayout.LONGEST;
    }

    static int thread(long word) {
        return (int) (word >>> RingLayout.DURATION_BITS);
    }
}
