package dev.argus.model;

import java.util.Arrays;

/**
 * What is kept of the durations of one kernel on one stream in one window: count and sum exact, the distribution within a stated
 * bound. Immutable; the arrays belong to the record and must not be changed.
 *
 * <table>
 * <caption>Forms</caption>
 * <tr><th>form</th><th>holds</th><th>rebuilt as</th></tr>
 * <tr><td>{@link Form#EVENTS}</td><td>every duration, exact, ascending; at most {@value #FEW}</td><td>their step function</td></tr>
 * <tr><td>{@link Form#STEPS}</td><td>the bin of every duration, ascending; at most {@value #FEW}</td><td>a step function with the exact mean</td></tr>
 * <tr><td>{@link Form#KNOTS}</td><td>knots of the quantile function on two grids, and where modes begin</td><td>linear between knots, with the exact mean</td></tr>
 * </table>
 *
 * <p>Modes follow each other upwards; the first knot of a mode is its minimum, the last its maximum, and its count is the
 * distance of their places. The bound holds for the whole and for each mode.
 *
 * @param form which arrays are filled
 * @param count number of events, exact
 * @param sumNanos sum of durations, exact
 * @param positionBits resolution of the places; 0 where there are none
 * @param places KNOTS: places between the events, ascending; first 0, last all events
 * @param bins KNOTS and STEPS: log-spaced bins of durations, 128 an octave, ascending
 * @param modeFirst KNOTS: index of the first knot of each mode, ascending from 0
 * @param events EVENTS: durations in nanoseconds
 * @param boundUnits W1 between the events and what is rebuilt is at most so many times {@link #BOUND_UNIT} of the mean
 */
@SuppressWarnings("ArrayRecordComponent")
public record DurationSummary(
        Form form,
        long count,
        long sumNanos,
        int positionBits,
        int[] places,
        int[] bins,
        int[] modeFirst,
        long[] events,
        int boundUnits) {

    /** How a summary holds its distribution. */
    public enum Form {
        EVENTS,
        STEPS,
        KNOTS
    }

    /** Up to so many events are kept one by one. */
    public static final int FEW = 8;

    /** The bound is stated in steps of 0.05 % of the mean. */
    public static final double BOUND_UNIT = 0.0005;

    private static final int[] NONE = {};
    private static final long[] NO_EVENTS = {};

    /**
     * Checks that the parts belong together.
     *
     * @throws IllegalArgumentException if they do not, with the part that is wrong
     */
    public DurationSummary {
        require(count >= 0 && sumNanos >= 0 && boundUnits >= 0, "count, sum or bound is negative");
        switch (form) {
            case EVENTS -> {
                require(events.length == count && places.length + bins.length + modeFirst.length == 0, "parts");
                require(ascending(events) && sum(events) == sumNanos, "events do not ascend from 0 to their sum");
            }
            case STEPS -> {
                require(bins.length == count && count > 0, "bins for the events");
                require(places.length + modeFirst.length + events.length == 0, "parts");
                require(ascending(bins) && bins[0] >= 0, "bins do not ascend");
            }
            case KNOTS -> {
                require(places.length == bins.length && places.length >= 2 && events.length == 0, "knots");
                require(places[0] == 0 && ascending(places) && bins[0] >= 0 && ascending(bins), "knots do not ascend");
                require(modeFirst.length > 0 && modeFirst[0] == 0, "the first mode does not begin at the first knot");
                for (int m = 0; m < modeFirst.length; m++) {
                    int next = m + 1 < modeFirst.length ? modeFirst[m + 1] : places.length;
                    require(next - modeFirst[m] >= 2, "a mode has fewer than 2 knots");
                }
            }
        }
    }

    /** Of every duration, ascending. */
    public static DurationSummary ofEvents(long[] ascending) {
        return new DurationSummary(
                Form.EVENTS, ascending.length, sum(ascending), 0, NONE, NONE, NONE, ascending.clone(), 0);
    }

    /** Of the bin of every duration, ascending. */
    public static DurationSummary ofSteps(long sumNanos, int[] bins, int boundUnits) {
        return new DurationSummary(
                Form.STEPS, bins.length, sumNanos, 0, NONE, bins.clone(), NONE, NO_EVENTS, boundUnits);
    }

    /** Of knots. */
    public static DurationSummary ofKnots(
            long count, long sumNanos, int positionBits, int[] places, int[] bins, int[] modeFirst, int boundUnits) {
        return new DurationSummary(
                Form.KNOTS,
                count,
                sumNanos,
                positionBits,
                places.clone(),
                bins.clone(),
                modeFirst.clone(),
                NO_EVENTS,
                boundUnits);
    }

    /** Of knots whose arrays nobody changes any more: they are not copied, and windows of one shape may share them. */
    public static DurationSummary ofSharedKnots(
            long count, long sumNanos, int positionBits, int[] places, int[] bins, int[] modeFirst, int boundUnits) {
        return new DurationSummary(
                Form.KNOTS, count, sumNanos, positionBits, places, bins, modeFirst, NO_EVENTS, boundUnits);
    }

    /** The bound as a share of the mean. */
    public double boundRatio() {
        return boundUnits * BOUND_UNIT;
    }

    /** Mean duration in nanoseconds; 0 when empty. */
    public double meanNanos() {
        return count == 0 ? 0 : (double) sumNanos / count;
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalArgumentException("summary of durations: " + what);
        }
    }

    private static boolean ascending(int[] values) {
        for (int i = 1; i < values.length; i++) {
            if (values[i - 1] > values[i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean ascending(long[] values) {
        for (int i = 1; i < values.length; i++) {
            if (values[i - 1] > values[i]) {
                return false;
            }
        }
        return values.length == 0 || values[0] >= 0;
    }

    private static long sum(long[] values) {
        long sum = 0;
        for (long value : values) {
            sum += value;
        }
        return sum;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DurationSummary that
                && form == that.form
                && count == that.count
                && sumNanos == that.sumNanos
                && positionBits == that.positionBits
                && boundUnits == that.boundUnits
                && Arrays.equals(places, that.places)
                && Arrays.equals(bins, that.bins)
                && Arrays.equals(modeFirst, that.modeFirst)
                && Arrays.equals(events, that.events);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(31 * count + sumNanos) ^ Arrays.hashCode(bins) ^ Arrays.hashCode(events);
    }

    @Override
    public String toString() {
        return form + " n=" + count + " sum=" + sumNanos + " bits=" + positionBits + " places="
                + Arrays.toString(places)
                + " bins=" + Arrays.toString(bins) + " modes=" + Arrays.toString(modeFirst) + " events="
                + Arrays.toString(events) + " bound=" + boundUnits;
    }
}
