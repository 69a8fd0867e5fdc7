package dev.argus.engine;

import dev.argus.model.SpanKind;

/**
 * L2: over a stretch of steps one rank spent more time on itself than its peers.
 *
 * @param attempt attempt of the job
 * @param peerSet position of its peer set
 * @param rank the rank
 * @param component which part of its own time
 * @param steps steps of the stretch, the framework's numbers, ascending
 * @param excessNanos excess over the peers' centre at each of those steps; at most 0 where it was not above
 * @param referenceNanos the peers' typical time of this component
 * @param stepNanos typical step time
 * @param ratio time over the peers' centre, mean over the stretch
 * @param meanNanos mean excess over the steps that have it
 * @param active number of steps that have it: the others of the stretch are dips
 * @param thresholdNanos mean excess demanded
 * @param sigmas mean excess over the noise of such a mean
 * @param ownHistory true when the rank was like its peers before or after
 * @param ramp true when the excess grows steadily
 * @param workRatio threads launched over the peers' median, 1 when alike or unknown
 * @param kernelsRatio number of compute kernels over the peers' median, 1 when alike or unknown
 * @param exchangeRatio payload of uneven exchanges over the peers' median, 1 when alike or none
 * @param bytesRatio bytes copied to the device over the peers' median, 1 when alike or unknown
 * @param hostLateRatio share of the gaps that ended with work launched late
 * @param inputRatio share of the excess in gaps before the step's first copy to the device
 * @param scatteredRatio share of the excess in many gaps too short to be kept one by one: each launch comes late; NaN where launches are not known
 * @param afterWorkRatio share of the longest gaps that lie behind the last work of their step
 * @param coverRatio share of all gaps that the cover lay over; of compute on a CPU that was short, the rank's mean time without a CPU over its mean excess
 * @param cover name id of what the CPU was doing in most of the longest gaps, -1 when unknown
 * @param coverKind origin of that range; {@link SpanKind#SCHEDULER} of compute on a CPU that was short: the rank was without a CPU for at least as long as it exceeds its peers
 * @param phaseRatios compute of forward, backward and optimizer, and CPU time in ranges that load data, over the peers' median; NaN
 *     where not seen
 * @param peers number of peers compared with, itself included
 * @param stepsSeen steps of the rank that could be compared
 * @param weight what the stretch is good for by itself; many hints on many ranks are a habit of the job
 * @param gpu false when the times are of the CPU
 */
@SuppressWarnings("ArrayRecordComponent")
public record WorkFinding(
        int attempt,
        int peerSet,
        int rank,
        OwnComponent component,
        long[] steps,
        double[] excessNanos,
        double referenceNanos,
        double stepNanos,
        double ratio,
        double meanNanos,
        int active,
        double thresholdNanos,
        double sigmas,
        boolean ownHistory,
        boolean ramp,
        double workRatio,
        double kernelsRatio,
        double exchangeRatio,
        double bytesRatio,
        double hostLateRatio,
        double inputRatio,
        double scatteredRatio,
        double afterWorkRatio,
        double coverRatio,
        int cover,
        SpanKind coverKind,
        double[] phaseRatios,
        int peers,
        int stepsSeen,
        Weight weight,
        boolean gpu)
        implements Partial {

    /** The same with some of its steps only. */
    WorkFinding only(long[] fewer, double[] excess) {
        return new WorkFinding(
                attempt,
                peerSet,
                rank,
                component,
                fewer,
                excess,
                referenceNanos,
                stepNanos,
                ratio,
                meanNanos,
                Math.min(active, fewer.length),
                thresholdNanos,
                sigmas,
                ownHistory,
                ramp,
                workRatio,
                kernelsRatio,
                exchangeRatio,
                bytesRatio,
                hostLateRatio,
                inputRatio,
                scatteredRatio,
                afterWorkRatio,
                coverRatio,
                cover,
                coverKind,
                phaseRatios,
                peers,
                stepsSeen,
                weight,
                gpu);
    }

    /** First step of the stretch. */
    public long firstStep() {
        return steps[0];
    }

    /** Last step of the stretch. */
    public long lastStep() {
        return steps[steps.length - 1];
    }

    /** Sum of the excess in nanoseconds. */
    public double totalNanos() {
        double sum = 0;
        for (double e : excessNanos) {
            sum += Math.max(0, e);
        }
        return sum;
    }
}
