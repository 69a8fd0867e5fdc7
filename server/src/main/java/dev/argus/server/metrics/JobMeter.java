package dev.argus.server.metrics;

import dev.argus.hostlocal.metrics.Metric;

/**
 * What is kept of a job between scrapes: its histogram of step times, and a lost time that never falls, as counters must not.
 *
 * <p>Thread-safe. Footprint: some 300 bytes.
 */
final class JobMeter {
    /** Upper edges of the bins in seconds: from steps of small models to those with a checkpoint. */
    private static final double[] EDGES = {
        0.01,
        0.02,
        0.05,
        0.1,
        0.2,
        0.3,
        0.5,
        0.75,
        1,
        1.5,
        2,
        3,
        4,
        5,
        7.5,
        10,
        15,
        20,
        30,
        60,
        120,
        300,
        Double.POSITIVE_INFINITY
    };

    private static final double NANOS = 1e9;

    private final long[] counts = new long[EDGES.length];
    private double sum;
    private final Rising lost = new Rising();
    private final Rising measured = new Rising();

    /** A number that falls only where an attempt began anew; as a counter it never does. */
    private static final class Rising {
        private int attempt;
        private double before;
        private double most;

        /** With what is known now; a new attempt may go on with the number or begin anew. */
        double next(int ofAttempt, double value) {
            if (ofAttempt != attempt && value < most) {
                before += most;
                most = 0;
            }
            attempt = ofAttempt;
            most = Math.max(most, value);
            return before + most;
        }
    }

    /** A step ended. */
    synchronized void step(long nanos) {
        double seconds = nanos / NANOS;
        int bin = 0;
        while (seconds > EDGES[bin]) {
            bin++;
        }
        counts[bin]++;
        sum += seconds;
    }

    /** Lost time so far, given what is said of it now. */
    synchronized double lost(int attempt, double gpuSeconds) {
        return lost.next(attempt, gpuSeconds);
    }

    /** Measured time so far, given what is said of it now. */
    synchronized double measured(int attempt, double seconds) {
        return measured.next(attempt, seconds);
    }

    /** Writes the histogram. */
    synchronized void write(Samples to, String job) {
        to.histogram(Metric.STEP_DURATION, EDGES, counts.clone(), sum, job);
    }
}
