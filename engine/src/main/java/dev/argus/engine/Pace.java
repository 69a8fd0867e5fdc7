package dev.argus.engine;

import dev.argus.stats.Robust;
import java.util.Arrays;
import java.util.List;

/**
 * How fast an attempt was, to be held against other attempts of the job.
 *
 * @param firstStep first step seen, -1 when none
 * @param lastStep last step seen
 * @param startNanos start of the first step, nanoseconds since the Unix epoch
 * @param endNanos end of the last step
 * @param stepNanos typical step time, the longest of the peer sets
 * @param peerSets each peer set, in their order
 */
public record Pace(
        long firstStep, long lastStep, long startNanos, long endNanos, double stepNanos, List<Peers> peerSets) {
    /** Of what is no diagnosis of steps. */
    public static final Pace NONE = new Pace(-1, -1, 0, 0, 0, List.of());

    /** True when there were steps. */
    public boolean known() {
        return firstStep >= 0;
    }

    /**
     * One peer set.
     *
     * @param ranks ranks compared
     * @param steps steps seen
     * @param computeNanos typical compute of a rank in a step
     * @param workItems typical number of threads launched in a step, 0 when unknown
     * @param slope how compute grows with the threads launched, in logarithms, where they explain why it differs from step to step; else 0
     * @param noiseRatio spread of a rank's compute from step to step, without what the threads explain
     */
    public record Peers(int ranks, int steps, double computeNanos, double workItems, double slope, double noiseRatio) {
        /** Compute of one step must wander by so much for its reason to be looked for. */
        private static final double WANDERS = 0.02;

        /** What is left of it, at most, where the threads launched explain it. */
        private static final double LEFT = 0.5;

        static Peers of(WorkReference r) {
            double compute = Robust.median(r.computeNanos());
            double work = Robust.median(r.workItems());
            Peers plain = new Peers(r.ranks(), r.steps().length, compute, work, 0, r.computeNoiseRatio());
            if (!(work > 0) || r.computeNoiseRatio() < WANDERS) {
                return plain;
            }
            double[] relative =
                    Arrays.stream(r.computeNanos()).map(c -> c / compute - 1).toArray();
            double[] centre = new double[relative.length];
            Arrays.fill(centre, work);
            double slope = WorkExplained.slope(new double[][] {relative}, new double[][] {r.workItems()}, centre);
            if (!(slope > 0)) {
                return plain;
            }
            double[] left = new double[relative.length];
            for (int s = 0; s < left.length; s++) {
                left[s] = Math.log1p(relative[s]) - slope * Math.log(r.workItems()[s] / work);
            }
            double noise = Robust.rmsAround(left, Robust.median(left));
            boolean explains = noise <= LEFT * Robust.rmsAround(relative, Robust.median(relative));
            double typical = compute * Math.exp(Robust.median(left));
            return explains
                    ? new Peers(r.ranks(), left.length, typical, work, slope, noise * Math.sqrt(r.ranks()))
                    : plain;
        }
    }

    static Pace of(List<WorkReference> references, JobTimes times, long startNanos, long endNanos) {
        List<Peers> sets = references.stream()
                .sorted((a, b) -> Integer.compare(a.peerSet(), b.peerSet()))
                .filter(r -> r.peerSet() >= 0)
                .map(Peers::of)
                .toList();
        long first = times.steps().stream().mapToLong(s -> s).min().orElse(-1);
        long last = times.steps().stream().mapToLong(s -> s).max().orElse(-1);
        return new Pace(first, last, startNanos, endNanos, times.typicalNanos(), sets);
    }
}
