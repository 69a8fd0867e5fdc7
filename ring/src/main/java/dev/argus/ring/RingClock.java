package dev.argus.ring;

/**
 * Places the times of a producer on CLOCK_MONOTONIC, by interpolation between the pairs of its CLOCK records, and from there on epoch time by one
 * offset for the whole session, so that a correction of the wall clock tears no step apart.
 *
 * <p>Times before the first pair and behind the last are extrapolated, the latter with the drift last seen over a second or more. Where a clock
 * was stepped between two pairs, each time belongs to the nearer one. A clock that went back begins anew, and what came before is
 * forgotten. Keeps the last {@value #MOST} pairs. Pure; belongs to one thread.
 */
public final class RingClock {
    private static final int MOST = 64;
    private static final long LATEST = 1L << 62;

    /** No host runs for 73 years; and sums of such times with an offset do not overflow. */
    private static final long LATEST_MONOTONIC = 1L << 61;

    /** Two clocks of one host that differ more between two pairs: one was stepped. */
    private static final long STEP_NANOS = 1_000_000;

    private static final double MOST_DRIFT = 1e-3;

    /** A drift is believed over a second or more. */
    private static final long DRIFT_BASE_NANOS = 1_000_000_000;

    private final boolean monotonic;
    private final boolean offsetGiven;
    private final long[] here = new long[MOST];
    private final long[] there = new long[MOST];
    private int size;
    private boolean offsetKnown;
    private long offset;
    private long anchorHere;
    private long anchorThere;
    private double drift;
    private long restarts;
    private long refused;
    private long unplaced;

    // the piece of the last answer: there = base + (t - from) * (1 + skew), for from' <= t < to'
    private long pieceLow = 1;
    private long pieceHigh;
    private long pieceFrom;
    private long pieceBase;
    private double pieceSkew;

    /**
     * The offset is that of the first pair.
     *
     * @param clock as in {@link RingHeader#clock}
     */
    public RingClock(int clock) {
        monotonic = clock == RingHeader.MONOTONIC;
        offsetGiven = false;
    }

    /**
     * With the offset of a session.
     *
     * @param clock as in {@link RingHeader#clock}
     * @param epochOffset epoch time less CLOCK_MONOTONIC, nanoseconds; the same for all rings of a host, so that their events keep their order
     */
    public RingClock(int clock, long epochOffset) {
        monotonic = clock == RingHeader.MONOTONIC;
        offsetGiven = true;
        offsetKnown = true;
        offset = epochOffset;
    }

    /**
     * Takes a pair; pairs whose CLOCK_MONOTONIC does not grow are refused and counted.
     *
     * @return whether it was taken
     */
    public boolean add(long hereNanos, long monotonicNanos, long realtimeNanos) {
        if (outside(hereNanos)
                || monotonicNanos < 0
                || monotonicNanos > LATEST_MONOTONIC
                || outside(realtimeNanos)
                || (size > 0 && monotonicNanos <= there[size - 1])) {
            refused++;
            return false;
        }
        if (!offsetKnown && !offsetGiven) {
            offset = realtimeNanos - monotonicNanos;
            offsetKnown = true;
        }
        if (size > 0 && hereNanos <= here[size - 1]) {
            restarts++;
            size = 0;
            drift = 0;
        }
        if (size == MOST) {
            System.arraycopy(here, MOST / 2, here, 0, MOST / 2);
            System.arraycopy(there, MOST / 2, there, 0, MOST / 2);
            size = MOST / 2;
        }
        if (size == 0 || stepped(here[size - 1], there[size - 1], hereNanos, monotonicNanos)) {
            anchorHere = hereNanos;
            anchorThere = monotonicNanos;
        } else if (hereNanos - anchorHere >= DRIFT_BASE_NANOS) {
            long base = hereNanos - anchorHere;
            drift = (double) (monotonicNanos - anchorThere - base) / base;
            anchorHere = hereNanos;
            anchorThere = monotonicNanos;
        }
        here[size] = hereNanos;
        there[size] = monotonicNanos;
        size++;
        pieceHigh = 0;
        pieceLow = 1;
        return true;
    }

    private static boolean outside(long time) {
        return time < 0 || time > LATEST;
    }

    private static boolean stepped(long h0, long t0, long h1, long t1) {
        long base = h1 - h0;
        return Math.abs((t1 - t0) - base) > STEP_NANOS + MOST_DRIFT * base;
    }

    /** CLOCK_MONOTONIC of a time of the producer, nanoseconds. */
    public long monotonic(long time) {
        if (monotonic) {
            return time;
        }
        if (time < pieceLow || time >= pieceHigh) {
            find(time);
        }
        long since = time - pieceFrom;
        return pieceBase + since + (long) (since * pieceSkew);
    }

    /** Epoch time of a time of the producer, nanoseconds. */
    public long epoch(long time) {
        return Math.clamp(monotonic(time), -LATEST_MONOTONIC, LATEST_MONOTONIC) + offset;
    }

    /** Epoch time less CLOCK_MONOTONIC; 0 before the first pair if none was given. */
    public long epochOffset() {
        return offset;
    }

    private void find(long time) {
        if (size == 0) {
            unplaced++;
            piece(time, time, time, time, 0); // an empty piece: asked again next time
            return;
        }
        int last = size - 1;
        if (time >= here[last]) {
            piece(here[last], Long.MAX_VALUE, here[last], there[last], drift);
            return;
        }
        if (time < here[0]) {
            boolean known = size > 1 && !stepped(here[0], there[0], here[1], there[1]);
            double skew = known && here[1] - here[0] >= DRIFT_BASE_NANOS ? skew(0) : drift;
            piece(Long.MIN_VALUE, here[0], here[0], there[0], skew);
            return;
        }
        int i = last - 1;
        while (here[i] > time) {
            i--;
        }
        if (!stepped(here[i], there[i], here[i + 1], there[i + 1])) {
            piece(here[i], here[i + 1], here[i], there[i], skew(i));
        } else {
            aroundStep(i, time);
        }
    }

    /** Each half runs with its own pair, and neither beyond the other pair. */
    private void aroundStep(int i, long time) {
        long middle = here[i] + (here[i + 1] - here[i]) / 2;
        long elapsed = there[i + 1] - there[i];
        long before = Math.min(middle, here[i] + elapsed);
        long after = Math.max(middle, here[i + 1] - elapsed);
        if (time < before) {
            piece(here[i], before, here[i], there[i], 0);
        } else if (time >= after) {
            piece(after, here[i + 1], here[i + 1], there[i + 1], 0);
        } else if (time < middle) {
            piece(before, middle, time, there[i + 1], -1); // the clock never showed it: where it was stepped
        } else {
            piece(middle, after, time, there[i], -1);
        }
    }

    private double skew(int i) {
        long base = here[i + 1] - here[i];
        return (double) ((there[i + 1] - there[i]) - base) / base;
    }

    private void piece(long low, long high, long from, long base, double skew) {
        pieceLow = low;
        pieceHigh = high;
        pieceFrom = from;
        pieceBase = base;
        pieceSkew = skew;
    }

    /** How often the producer's clock went back. */
    public long restarts() {
        return restarts;
    }

    /** Pairs that were not possible. */
    public long refused() {
        return refused;
    }

    /** Times that were asked for before the first pair. */
    public long unplaced() {
        return unplaced;
    }
}
