package dev.argus.agent;

import dev.argus.stats.Robust;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * What recording costs a job, measured on the job itself: steps are recorded and not recorded in turn (the control word of the ring says so to all ranks),
 * and each run of recorded steps is held against the run of unrecorded ones after it. Differences between runs next to each other do not contain what slowly
 * changes in a job; their median does not contain its hiccups.
 *
 * <p>State: {@value #PAIRS} ratios and the steps of two runs. Deterministic.
 */
public final class OverheadMeter {
    static final int PAIRS = 256;
    private static final int MOST_RUN = 255;
    private static final int LEAST_PAIRS = 6;
    private static final double NORMAL_95 = 1.96;

    private final Deque<Double> ratios = new ArrayDeque<>();
    private final List<Double> run = new ArrayList<>();
    private double recordedNanos = Double.NaN;
    private boolean recording = true;
    private long lastStep = Long.MIN_VALUE;

    /**
     * The measure.
     *
     * @param ratio what recording adds to a step: 0.004 for 0.4 %; below 0 where noise is larger
     * @param low lower end of the interval that holds the true median in 95 of 100 cases
     * @param high upper end
     * @param pairs runs compared
     */
    public record Estimate(double ratio, double low, double high, int pairs) {}

    /**
     * Takes a step of the job; steps that are missing end a run.
     *
     * @param step its number
     * @param nanos its length, start to start
     * @param recorded false when signals were off
     */
    public void add(long step, double nanos, boolean recorded) {
        if (step <= lastStep) {
            return;
        }
        boolean gap = lastStep != Long.MIN_VALUE && step != lastStep + 1;
        lastStep = step;
        if (gap) {
            run.clear();
            recordedNanos = Double.NaN;
        }
        if (recorded != recording) {
            end();
            recording = recorded;
        }
        if (run.size() < MOST_RUN) {
            run.add(nanos);
        }
    }

    private void end() {
        double median = run.isEmpty()
                ? Double.NaN
                : Robust.median(run.stream().mapToDouble(d -> d).toArray());
        run.clear();
        if (recording) {
            recordedNanos = median;
            return;
        }
        double ratio = recordedNanos / median - 1;
        if (!Double.isNaN(ratio) && !Double.isInfinite(ratio)) {
            ratios.addLast(ratio);
            if (ratios.size() > PAIRS) {
                ratios.removeFirst();
            }
        }
        recordedNanos = Double.NaN;
    }

    /** What is known so far; an interval without bounds before {@value #LEAST_PAIRS} pairs. */
    public Estimate estimate() {
        double[] sorted = ratios.stream().mapToDouble(d -> d).toArray();
        Arrays.sort(sorted);
        int n = sorted.length;
        if (n == 0) {
            return new Estimate(Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, 0);
        }
        double median = Robust.median(sorted);
        if (n < LEAST_PAIRS) {
            return new Estimate(median, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, n);
        }
        // order statistics around the median: each ratio lies below it with probability one half
        int reach = (int) Math.ceil(NORMAL_95 * Math.sqrt(n) / 2);
        int low = Math.max(0, n / 2 - reach);
        int high = Math.min(n - 1, (n - 1) / 2 + reach);
        return new Estimate(median, sorted[low], sorted[high], n);
    }
}
