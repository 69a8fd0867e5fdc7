package dev.argus.digest.clocks;

import dev.argus.stats.LongOrder;
import java.util.Arrays;

/**
 * When two saw the same moment, and how far apart they were: at most so many, spread evenly over the time. When there is no room every
 * second one is given up, and from then on half as many are taken.
 */
final class Meetings {
    private final int most;
    private long[] at = new long[8];
    private long[] apart = new long[8];
    private int[] step = new int[8];
    private int n;
    private long seen;
    private long stride = 1;

    Meetings(int most) {
        this.most = most;
    }

    void add(long time, long distance, int ofStep) {
        if (seen++ % stride != 0) {
            return;
        }
        if (n == most) {
            for (int i = 0; 2 * i < n; i++) {
                at[i] = at[2 * i];
                apart[i] = apart[2 * i];
                step[i] = step[2 * i];
            }
            n = (n + 1) / 2;
            stride *= 2;
        }
        if (n == at.length) {
            at = Arrays.copyOf(at, 2 * n);
            apart = Arrays.copyOf(apart, 2 * n);
            step = Arrays.copyOf(step, 2 * n);
        }
        at[n] = time;
        apart[n] = distance;
        step[n++] = ofStep;
    }

    /** How many are kept. */
    int size() {
        return n;
    }

    /** How many there were. */
    long seen() {
        return seen;
    }

    /** The distances kept. */
    double[] distances() {
        double[] all = new double[n];
        for (int i = 0; i < n; i++) {
            all[i] = apart[i];
        }
        return all;
    }

    /** The distance over time. */
    ClockTrack track() {
        int[] order = LongOrder.ascending(at, n);
        long[] times = new long[n];
        long[] distances = new long[n];
        int[] steps = new int[n];
        for (int i = 0; i < n; i++) {
            times[i] = at[order[i]];
            distances[i] = apart[order[i]];
            steps[i] = step[order[i]];
        }
        return ClockTrack.of(times, distances, steps);
    }
}
