package dev.argus.model;

/**
 * What an incident cost: in all, and while it lasts. Once it is over none of it changes any more.
 *
 * <p>Two incidents of one job are compared by {@link #duringRatio}, whenever each of them began: {@link #stepRatio} is small of all that is new. Of a job that goes on {@link #gpuSeconds} and
 * {@link #stepRatio} count from the incident's first step on, also when its steps lie behind the horizon of the detectors.
 *
 * @param stepRatio lost time / measured time over the job's steps, 0..1; of a job that goes on those of its attempt up to now, or up to when the incident was over
 * @param gpuSeconds lost step time x ranks, in seconds
 * @param duringRatio lost time / measured time over the steps from its first to its last, as far as detectors look back, 0..1; NaN where unknown
 * @param upperBound true where no step of the job tells what one costs without it: then all of these are the most that it can have cost
 */
public record Cost(double stepRatio, double gpuSeconds, double duringRatio, boolean upperBound) {
    /** No cost. */
    public static final Cost NONE = new Cost(0, 0);

    /** Where it is not known in which steps it was lost. */
    public Cost(double stepRatio, double gpuSeconds) {
        this(stepRatio, gpuSeconds, Double.NaN);
    }

    /** What is no upper bound. */
    public Cost(double stepRatio, double gpuSeconds, double duringRatio) {
        this(stepRatio, gpuSeconds, duringRatio, false);
    }

    /** The same cost as another part of what was measured. */
    public Cost ofMeasured(double newStepRatio) {
        return new Cost(newStepRatio, gpuSeconds, duringRatio, upperBound);
    }

    /**
     * How many of a job's ranks come to nothing while it lasts: GPU-seconds lost each second, and GPU-hours each hour; NaN where unknown.
     *
     * @param ranks of the whole job
     */
    public double gpusLost(int ranks) {
        return duringRatio * ranks;
    }
}
