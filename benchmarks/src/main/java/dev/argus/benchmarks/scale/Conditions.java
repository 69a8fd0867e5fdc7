package dev.argus.benchmarks.scale;

import java.util.SplittableRandom;

/** What befalls the ranks of a made job; by itself nothing but usual pauses. Durations are shares of a typical step. */
interface Conditions {
    /** By what the compute of a rank is longer; 1 for a healthy one. */
    default double slowness(int rank, long step) {
        return 1;
    }

    /** True for a rank of which only the memory-bound kernels are slow. */
    default boolean slowMemory(int rank) {
        return false;
    }

    /** By what transfers of a rank between hosts are longer; 1 for a healthy one. */
    default double transfer(int rank, long step) {
        return 1;
    }

    /** The longest pause of a rank beyond its usual ones, as a share of the step: its tail is heavy. */
    default double pause(int rank, long step, SplittableRandom random) {
        return random.nextInt(30) == 0 ? Math.min(0.0174, 0.00174 / Math.sqrt(1 - random.nextDouble())) : 0;
    }

    /** What all ranks spend on writing a checkpoint, as a share of the step. */
    default double checkpoint(long step) {
        return 0;
    }

    /** What all ranks spend on an evaluation, as a share of the step. */
    default double evaluation(long step) {
        return 0;
    }
}
