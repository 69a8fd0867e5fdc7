package dev.argus.engine;

/**
 * L3: one kernel of one rank runs at other durations than on its peers.
 *
 * @param attempt attempt of the job
 * @param peerSet position of its peer set
 * @param rank the rank
 * @param kernel name id
 * @param firstStep first step of the stretch
 * @param lastStep last step of the stretch
 * @param ratio mean duration over the peers' centre, itself among them, above 1; for people {@link #overOthers}
 * @param signedDistanceRatio signed distance of quantile functions from the centre over the centre's mean: W1 with a sign
 * @param modesRatio share of the quantile function that moved the same way: near 1 all modes, lower when only the mix changed
 * @param impactNanos excess a step: difference of means x count
 * @param kernelNanos the peers' typical time of this kernel a step
 * @param steps steps of the stretch in which the rank ran it
 * @param sigma standard deviation of such a ratio between healthy ranks
 * @param equalWork true when the work of its launches is known, differs, and what it explains was taken out: the ratio is at equal work
 */
public record KernelFinding(
        int attempt,
        int peerSet,
        int rank,
        int kernel,
        long firstStep,
        long lastStep,
        double ratio,
        double signedDistanceRatio,
        double modesRatio,
        double impactNanos,
        double kernelNanos,
        int steps,
        double sigma,
        boolean equalWork)
        implements Partial {
    /**
     * The mean duration over that of the others. Of two peers the centre is the mean of both, and the slow one is half of its own measure: a kernel that takes 1.6 times as long as on the other
     * rank lies 1.23 times above it. With more peers the centre is a member or between two that are alike.
     *
     * @param ratio of a mean to the centre of the peers, itself among them
     * @param peers members of the peer set
     */
    static double overOthers(double ratio, int peers) {
        return peers == 2 && ratio < 2 ? ratio / (2 - ratio) : ratio;
    }
}
