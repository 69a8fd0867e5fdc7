package dev.argus.model;

/**
 * What an incident cost.
 *
 * @param stepRatio lost time / measured time over the job's steps, 0..1
 * @param gpuSeconds lost step time x ranks, in seconds
 */
public record Cost(double stepRatio, double gpuSeconds) {
    /** No cost. */
    public static final Cost NONE = new Cost(0, 0);
}
