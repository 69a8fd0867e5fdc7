package dev.argus.engine;

/**
 * What is normal in one peer set.
 *
 * @param attempt attempt of the job
 * @param peerSet position of the peer set
 * @param ranks ranks compared
 * @param steps steps seen, ascending
 * @param computeNanos the peers' centre of compute at each step
 * @param gapNanos the peers' centre of gaps at each step
 * @param stepNanos the peers' median step time at each step
 * @param workItems the peers' median of threads launched at each step, 0 when unknown
 * @param awayRatio share of the ranks that stood still by themselves at each step ({@link OwnPauses}), 0..1
 * @param awayHostsRatio share of the hosts of the set that have such a rank, 0..1
 * @param computeNoiseRatio spread of a rank's compute from step to step, relative to the typical compute
 * @param workNoiseRatio spread of a rank's threads launched from step to step, relative to the typical
 */
@SuppressWarnings("ArrayRecordComponent")
public record WorkReference(
        int attempt,
        int peerSet,
        int ranks,
        long[] steps,
        double[] computeNanos,
        double[] gapNanos,
        double[] stepNanos,
        double[] workItems,
        double[] awayRatio,
        double[] awayHostsRatio,
        double computeNoiseRatio,
        double workNoiseRatio)
        implements Partial {}
