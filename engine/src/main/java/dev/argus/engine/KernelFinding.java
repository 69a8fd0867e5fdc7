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
 * @param ratio mean duration over the peers' centre, above 1
 * @param signedDistanceRatio signed distance of quantile functions from the centre over the centre's mean: W1 with a sign
 * @param modesRatio share of the quantile function that moved the same way: near 1 all modes, lower when only the mix changed
 * @param impactNanos excess a step: difference of means x count
 * @param kernelNanos the peers' typical time of this kernel a step
 * @param steps steps of the stretch in which the rank ran it
 * @param sigma standard deviation of such a ratio between healthy ranks
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
        double sigma)
        implements Partial {}
