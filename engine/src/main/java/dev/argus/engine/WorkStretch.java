package dev.argus.engine;

import dev.argus.stats.Segment;
import java.util.Arrays;

/** A stretch of steps of one rank, its quiet ends cut off, and what lies outside it. */
final class WorkStretch {
    /** A step at the end of a stretch belongs to it when it has at least this share of the mean. */
    private static final double END_SHARE = 0.35;

    /** Pauses that are more steps apart than this, by their mean, are not one stretch. */
    private static final int THIN_STEPS = 6;

    final int first;
    final int last;
    final int length;
    final int active;
    final double mean;
    /** The mean without the step that has most; the mean where there is no other. */
    final double rest;
    /** The mean of all steps, quiet ones included, without the one that has most. */
    final double whole;

    final double total;
    final int seen;
    final int outside;
    final double before;
    /** Cells from this value on make the stretch one. */
    final double bar;

    WorkStretch(WorkNoise n, int r, double[] excess, Segment segment, double perStep, boolean mayRamp) {
        double[] inside = Arrays.copyOfRange(excess, segment.first(), segment.last() + 1);
        double level = mean(excess, segment.first(), segment.last(), perStep);
        int a = segment.first();
        int b = segment.last();
        double end = mayRamp && ramp(inside) ? perStep : Math.max(perStep, END_SHARE * level);
        while (a < b && !(excess[a] >= end)) {
            a++;
        }
        while (b > a && !(excess[b] >= end)) {
            b--;
        }
        first = a;
        last = b;
        bar = Math.max(perStep, 0.2 * level);
        int count = 0;
        int kept = 0;
        double sum = 0;
        for (int s = a; s <= b; s++) {
            if (Double.isNaN(excess[s])) {
                continue;
            }
            kept++;
            sum += excess[s];
            count += excess[s] >= bar ? 1 : 0;
        }
        active = count;
        length = Math.max(1, kept);
        total = sum;
        whole = kept > 1 ? (sum - Math.max(0, largest(excess, a, b))) / (kept - 1) : sum;
        mean = mean(excess, a, b, bar);
        rest = rest(excess, a, b, bar, mean);
        int all = 0;
        int out = 0;
        double outSum = 0;
        for (int s = 0; s < excess.length; s++) {
            if (!Double.isNaN(n.excess[r][s])) {
                all++;
                if (s < a || s > b) {
                    out++;
                    outSum += n.excess[r][s];
                }
            }
        }
        seen = all;
        outside = out;
        before = out > 0 ? Math.max(0, outSum / out) : 0;
    }

    private static double mean(double[] excess, int first, int last, double bar) {
        double sum = 0;
        int n = 0;
        for (int s = first; s <= last; s++) {
            if (excess[s] >= bar) {
                sum += excess[s];
                n++;
            }
        }
        return n > 0 ? sum / n : 0;
    }

    private static double largest(double[] excess, int first, int last) {
        double most = Double.NEGATIVE_INFINITY;
        for (int s = first; s <= last; s++) {
            most = excess[s] > most ? excess[s] : most;
        }
        return most;
    }

    /** What a stretch is worth without its largest step: a few long kernels in one step are no slow rank. */
    private static double rest(double[] excess, int first, int last, double bar, double mean) {
        double sum = 0;
        double most = 0;
        int n = 0;
        for (int s = first; s <= last; s++) {
            if (excess[s] >= bar) {
                sum += excess[s];
                most = Math.max(most, excess[s]);
                n++;
            }
        }
        return n > 1 ? (sum - most) / (n - 1) : mean;
    }

    /**
     * The part of the stretch that is no thinner than one step in {@value #THIN_STEPS}: a pause long before the others is not where they began, though
     * the quiet steps between cost the whole less than it brings.
     */
    Segment dense(double[] excess) {
        double[] over = Arrays.copyOfRange(excess, first, last + 1);
        double quiet = mean / THIN_STEPS;
        for (int i = 0; i < over.length; i++) {
            over[i] -= quiet;
        }
        Segment best = Segment.best(over, -quiet);
        return best == null ? segment() : new Segment(first + best.first(), first + best.last(), total);
    }

    Segment segment() {
        return new Segment(first, last, total);
    }

    /**
     * True when the excess grows steadily: a fitted line rises by more than 0.4 of the mean to either side, explains most of the
     * variance, and more of it than the best single step up would.
     */
    static boolean ramp(double[] excess) {
        int n = excess.length;
        if (n < 5) {
            return false;
        }
        double mx = (n - 1) / 2.0;
        double my = Arrays.stream(excess).average().orElse(0);
        double sxy = 0;
        double sxx = 0;
        double syy = 0;
        for (int i = 0; i < n; i++) {
            sxy += (i - mx) * (excess[i] - my);
            sxx += (i - mx) * (i - mx);
            syy += (excess[i] - my) * (excess[i] - my);
        }
        double slope = sxy / sxx;
        double explained = syy > 0 ? sxy * sxy / (sxx * syy) : 0;
        return slope * mx > 0.4 * my && explained > 0.6 && explained > stepExplains(excess, my, syy);
    }

    /** Share of the variance that the best split in two levels explains. */
    private static double stepExplains(double[] excess, double mean, double variance) {
        double best = 0;
        double left = 0;
        double all = mean * excess.length;
        for (int k = 1; k < excess.length; k++) {
            left += excess[k - 1];
            double a = left / k - mean;
            double b = (all - left) / (excess.length - k) - mean;
            best = Math.max(best, k * a * a + (excess.length - k) * b * b);
        }
        return variance > 0 ? best / variance : 0;
    }
}
