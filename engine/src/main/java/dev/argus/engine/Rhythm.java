package dev.argus.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * Whether long steps of a job come as regularly as what a job does on purpose: a checkpoint or an evaluation that nothing in the records marks.
 *
 * <p>Steps in a row are one time. At least {@value #LEAST_TIMES} times, one as many steps after the other as the next; times that are missing between (a window that was not recorded, a
 * pause that was short) are allowed up to a fifth of those that could be. Chance hardly does that: three times at random among hundred steps are evenly apart once in 69. Cost: O(n) in the steps.
 */
final class Rhythm {
    private static final int LEAST_TIMES = 3;
    private static final double LEAST_COVERED = 0.8;

    private Rhythm() {}

    /**
     * Steps from one time to the next, 2 or more; -1 if there is no such rhythm.
     *
     * @param steps numbers of long steps, ascending
     */
    static long of(long[] steps) {
        List<Long> times = times(steps);
        if (times.size() < LEAST_TIMES) {
            return -1;
        }
        long apart = Long.MAX_VALUE;
        for (int i = 1; i < times.size(); i++) {
            apart = Math.min(apart, times.get(i) - times.get(i - 1));
        }
        for (int i = 1; i < times.size(); i++) {
            if ((times.get(i) - times.getFirst()) % apart != 0) {
                return -1;
            }
        }
        double possible = (times.getLast() - times.getFirst()) / (double) apart + 1;
        return apart >= 2 && times.size() >= LEAST_COVERED * possible ? apart : -1;
    }

    /** The first step of each time: steps in a row are one. */
    static List<Long> times(long[] steps) {
        List<Long> times = new ArrayList<>();
        for (int i = 0; i < steps.length; i++) {
            if (i == 0 || steps[i] != steps[i - 1] + 1) {
                times.add(steps[i]);
            }
        }
        return times;
    }
}
