package dev.argus.engine;

import dev.argus.engine.RankWork.Measure;
import dev.argus.stats.Robust;
import dev.argus.wire.WireReader;
import dev.argus.wire.WireWriter;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * How long each rank of a job that goes on warms up, learnt from its own steps alone.
 *
 * <p>A warm-up is over when the rank's own steps have settled: it is the first steps in a row, from the beginning of the job on, in which its own time is longer than
 * what it takes later (the lower quartile) by {@value #LEAST_RATIO} of a step and twice its noise. A fault that is there from the start is there later, too: then what
 * the rank takes later is no shorter, and there is no warm-up. Steps of a warm-up are evidence against nobody, and of a rank that has not {@value #SETTLED} steps behind
 * it nothing is known yet. What was found is final, so that a fault that is over does not become a warm-up.
 *
 * <p>Not applicable to a recording, which begins anywhere, or where the first step that was seen is none of the first {@value #FIRST_STEP}. State: a number a rank.
 */
final class WarmUp {
    private static final int FIRST_STEP = 10;

    /** Steps that must lie behind a warm-up to say that it is over. */
    static final int SETTLED = 4;

    /** Steps of a rank from which on it can be told what it takes later. */
    private static final int LEAST_STEPS = 2 * SETTLED;

    /** Half of what makes a step of the job an event ({@link Thresholds#eventRatio}). */
    private static final double LEAST_RATIO = 0.05;

    private static final double LATER = 0.25;
    private static final long NONE = -1;
    private static final int[] OWN = {Measure.COMPUTE, Measure.COPY, Measure.GAP, Measure.CPU_WAIT};

    /** Last step of the warm-up by rank, {@value #NONE} where there was none; of ranks that have settled. */
    private final Map<Integer, Long> last = new TreeMap<>();

    /**
     * Learns, and says from which place of the steps on each row can be judged.
     *
     * @param typicalStep typical step, nanoseconds
     * @return a place for each row of the matrix; the number of steps when nothing is known of the rank yet
     */
    int[] settled(StepMatrix m, double typicalStep) {
        int[] ranks = m.rows();
        int[] from = new int[ranks.length];
        boolean fromStart = m.size() > 0 && m.step(0) <= FIRST_STEP;
        for (int r = 0; r < ranks.length; r++) {
            Long known = last.get(ranks[r]);
            if (known == null) {
                from[r] = fromStart ? learn(m, ranks[r], typicalStep) : 0;
            } else {
                while (from[r] < m.size() && m.step(from[r]) <= known) {
                    from[r]++;
                }
            }
        }
        return from;
    }

    private int learn(StepMatrix m, int rank, double typicalStep) {
        double[] own = new double[m.size()];
        for (int measure : OWN) {
            double[] part = m.row(rank, measure);
            for (int s = 0; s < own.length; s++) {
                own[s] += part[s];
            }
        }
        double least = Math.max(LEAST_RATIO * typicalStep, 2 * noise(own));
        double later = Robust.quantile(own, LATER);
        int to = 0;
        while (to < own.length && !(own[to] < later + least)) {
            to++;
        }
        double[] behind = measured(own, to);
        if (measured(own, 0).length < LEAST_STEPS || behind.length < SETTLED || (to > 0 && falls(behind, least))) {
            return own.length;
        }
        last.put(rank, to == 0 ? NONE : m.step(to - 1));
        return to;
    }

    private static double[] measured(double[] own, int from) {
        return Arrays.stream(own, from, own.length)
                .filter(v -> !Double.isNaN(v))
                .toArray();
    }

    /** True if the last steps are still getting shorter. */
    private static boolean falls(double[] own, double least) {
        int n = own.length;
        return own[n - 4] + own[n - 3] - own[n - 2] - own[n - 1] >= 2 * least;
    }

    /** Standard deviation of a step, from second differences: a warm-up that falls evenly is no noise. */
    private static double noise(double[] own) {
        double[] changes = new double[own.length];
        Arrays.fill(changes, Double.NaN);
        for (int s = 2; s < own.length; s++) {
            changes[s] = Math.abs(own[s] - 2 * own[s - 1] + own[s - 2]);
        }
        double sigma = Robust.MAD_TO_SIGMA * Robust.median(changes) / Math.sqrt(6);
        return Double.isNaN(sigma) ? 0 : sigma;
    }

    /** Takes the steps before these places out of a measure, but for rows of which nothing is known yet: they are not judged, but others are held against them. True if there are any. */
    static boolean takeOut(double[][] x, int[] from) {
        boolean any = false;
        for (int r = 0; r < x.length; r++) {
            if (from[r] < x[r].length) {
                Arrays.fill(x[r], 0, from[r], Double.NaN);
                any |= from[r] > 0;
            }
        }
        return any;
    }

    void encode(WireWriter to) {
        to.writeVarint(last.size());
        last.forEach((rank, step) -> to.writeVarint(rank).writeSigned(step));
    }

    void decode(WireReader from) {
        for (int n = from.readCount(2); n > 0; n--) {
            last.put(from.readInt(), from.readSigned());
        }
    }
}
