package dev.argus.engine;

/**
 * How fast the CPU of one rank launched its work in one step: what {@link LaunchPace} takes.
 *
 * @param attempt attempt of the job
 * @param rank global rank
 * @param step step
 * @param spanNanos the usual time from one launch to the next, for each kernel; where launches are not recorded the CPU time of forward and backward; more than 0
 * @param byLaunches whether that is told by launches; paces told in two ways are not compared
 * @param kernels kernels launched
 * @param idleNanos time in which the GPU had nothing to do because the CPU launched late
 */
public record LaunchStep(
        int attempt, int rank, long step, long spanNanos, boolean byLaunches, long kernels, long idleNanos) {}
