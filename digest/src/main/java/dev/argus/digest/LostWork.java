package dev.argus.digest;

/**
 * Finds launches whose kernel is not in the record: lost buffers, a cut file. A step that lost work must not be compared, for
 * missing is never fast and a hole in the record is no idle GPU.
 */
final class LostWork {
    /** A step that lost more than this share of its kernels is not compared. */
    private static final double MAX_RATIO = 0.02;

    /** Fewer lost launches than this are no loss: they may have failed. */
    private static final int MIN_LOST = 5;

    private final int[] launched;
    private final int[] lost;

    LostWork(EventStore store, StepClock clock) {
        launched = new int[clock.size()];
        lost = new int[clock.size()];
        long[] found = store.correlations();
        Correlations.sort(found, found.length);
        int next = 0; // behind the one found last: kernels mostly run in the order of their launches
        for (int row = 0; row < store.launchSize(); row++) {
            int step = store.startsKernel(row) ? clock.at(store.launchStart(row)) : StepClock.NONE;
            if (step != StepClock.NONE) {
                launched[step]++;
                long wanted = store.launchCorrelation(row);
                int at = Correlations.find(found, found.length, wanted, next);
                lost[step] += at < 0 ? 1 : 0;
                next = at < 0 ? next : at + 1;
            }
        }
    }

    /** True if the step lost so much that its totals mean nothing. */
    boolean spoils(int step) {
        return lost[step] >= MIN_LOST && lost[step] > MAX_RATIO * launched[step];
    }

    /** Launches without their kernel in spoilt steps. */
    long lost() {
        long sum = 0;
        for (int step = 0; step < lost.length; step++) {
            sum += spoils(step) ? lost[step] : 0;
        }
        return sum;
    }
}
