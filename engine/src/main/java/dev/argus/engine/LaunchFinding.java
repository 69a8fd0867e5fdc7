package dev.argus.engine;

/**
 * The CPU of one rank launches its work more slowly than those of its peers.
 *
 * @param attempt attempt of the job
 * @param rank the rank
 * @param steps steps of the stretch
 * @param excessNanos CPU time above the peers' at the same kernels, by step
 * @param idleNanos idle time of the GPU for late launches less that of the peers, by step
 * @param ratio time a launch takes over the peers', mean over the stretch
 * @param active steps in which it was above
 * @param sigmas the excess over its noise
 * @param ownHistory true when the rank launched like its peers at other steps
 * @param observed true when it is too little to accuse
 * @param itself true when it is held against the rank's own pace at other steps, for no peers on other hosts do the same work
 */
@SuppressWarnings("ArrayRecordComponent")
public record LaunchFinding(
        int attempt,
        int rank,
        long[] steps,
        double[] excessNanos,
        double[] idleNanos,
        double ratio,
        int active,
        double sigmas,
        boolean ownHistory,
        boolean observed,
        boolean itself)
        implements Partial {
    long firstStep() {
        return steps[0];
    }

    long lastStep() {
        return steps[steps.length - 1];
    }
}
