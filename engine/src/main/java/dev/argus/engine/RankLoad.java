package dev.argus.engine;

/**
 * L2: in some steps a rank had more to do than its peers, by the threads that all its kernels launched.
 *
 * @param attempt attempt of the job
 * @param rank the rank
 * @param steps those steps, the framework's numbers, ascending
 * @param moreRatio work over the peers' median, less 1, by step
 */
@SuppressWarnings("ArrayRecordComponent")
public record RankLoad(int attempt, int rank, long[] steps, double[] moreRatio) implements Partial {
    /** Work differs by less between ranks that do the same. */
    static final double LEAST = 0.01;

    /** How much more the rank had to do, mean over a stretch of steps; steps not listed count as 0. */
    double over(long first, long last, int count) {
        double sum = 0;
        for (int i = 0; i < steps.length; i++) {
            sum += steps[i] >= first && steps[i] <= last ? moreRatio[i] : 0;
        }
        return sum / Math.max(1, count);
    }
}
