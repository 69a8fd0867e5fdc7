package dev.argus.engine.replay;

/**
 * Operations of the ranks of a job with what each of them waits for, to be played again with other durations.
 *
 * <p>The what-if analysis of Lin et al., Understanding Stragglers in Large Model Training Using What-if Analysis
 * (arXiv:2505.05713): an operation starts when all it depends on has ended; a meeting (a collective, or a send and its receive) goes
 * on when its last member has started and lasts its transfer. Departures: dependencies are read from the record instead of
 * being written down for one framework ({@link ScheduleBuilder}), and a transfer is the shortest member's duration instead of
 * the time since the last start, so that clocks of hosts need not agree.
 *
 * <p>Immutable. Cost of a replay: O(operations + dependencies). Footprint: 40 bytes an operation and 4 a dependency.
 */
public final class Schedule {
    private final int[] ranks;
    private final int[] kinds;
    private final long[] nanos;

    /** Dependencies of operation i: {@code needs[needsFrom[i]] .. needs[needsFrom[i + 1] - 1]}. */
    private final int[] needsFrom;

    private final int[] needs;

    /** Operations in an order in which they can be played; members of one meeting stand together. */
    private final int[] order;

    /** Meeting of an operation; -1 for own work. */
    private final int[] meetings;

    Schedule(int[] ranks, int[] kinds, long[] nanos, int[] needsFrom, int[] needs, int[] order, int[] meetings) {
        this.ranks = ranks;
        this.kinds = kinds;
        this.nanos = nanos;
        this.needsFrom = needsFrom;
        this.needs = needs;
        this.order = order;
        this.meetings = meetings;
    }

    /** How long an operation lasts: own work, or the transfer of a meeting. */
    @FunctionalInterface
    public interface Durations {
        /** Nanoseconds of an operation, by its number in the order in which it was added. */
        double of(int operation);
    }

    /** Number of operations. */
    public int size() {
        return ranks.length;
    }

    /** Rank of an operation. */
    public int rank(int operation) {
        return ranks[operation];
    }

    /** Kind of an operation, as it was added: operations of one kind are alike. */
    public int kind(int operation) {
        return kinds[operation];
    }

    /** Nanoseconds of an operation as recorded: own work, or the transfer of its meeting. */
    public long nanos(int operation) {
        return nanos[operation];
    }

    /** True for a collective or a send or receive with a partner; false for own work. */
    public boolean meets(int operation) {
        return meetings[operation] >= 0;
    }

    /** Nanoseconds from the first start to the last end with the durations recorded: what waits for nothing starts at once. */
    public double replay() {
        return replay(i -> nanos[i]);
    }

    /** Nanoseconds from the first start to the last end with other durations. */
    public double replay(Durations durations) {
        double[] end = new double[ranks.length];
        double last = 0;
        int at = 0;
        while (at < order.length) {
            int until = at + 1;
            double start = start(order[at], end);
            while (until < order.length && together(order[at], order[until])) {
                start = Math.max(start, start(order[until], end));
                until++;
            }
            for (; at < until; at++) {
                int operation = order[at];
                end[operation] = start + durations.of(operation);
                last = Math.max(last, end[operation]);
            }
        }
        return last;
    }

    private boolean together(int one, int other) {
        return meetings[one] >= 0 && meetings[one] == meetings[other];
    }

    private double start(int operation, double[] end) {
        double start = 0;
        for (int i = needsFrom[operation]; i < needsFrom[operation + 1]; i++) {
            start = Math.max(start, end[needs[i]]);
        }
        return start;
    }
}
