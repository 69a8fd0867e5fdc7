package dev.argus.engine;

import dev.argus.stats.Robust;
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
     * @param noiseRatio spread of a rank's compute from step to step
     */
    public record Peers(int ranks, int steps, double computeNanos, double workItems, double noiseRatio) {}

    static Pace of(List<WorkReference> references, JobTimes times, long startNanos, long endNanos) {
        List<Peers> sets = references.stream()
                .sorted((a, b) -> Integer.compare(a.peerSet(), b.peerSet()))
                .filter(r -> r.peerSet() >= 0)
                .map(r -> new Peers(
                        r.ranks(),
                        r.steps().length,
                        Robust.median(r.computeNanos()),
                        Robust.median(r.workItems()),
                        r.computeNoiseRatio()))
                .toList();
        long first = times.steps().stream().mapToLong(s -> s).min().orElse(-1);
        long last = times.steps().stream().mapToLong(s -> s).max().orElse(-1);
        return new Pace(first, last, startNanos, endNanos, times.typicalNanos(), sets);
    }
}
