package dev.argus.simulator;

import java.util.function.Consumer;

/**
 * What a fault or a disturbance does to the physics. Everything is a pure function of where and when; what is not
 * overridden leaves things as they are.
 */
interface Influence {
    /** Factor on the duration of a kernel at equal work. */
    default double kernel(KernelKind kind, int rank, int step) {
        return 1;
    }

    /** Factor on copies between host and device. */
    default double copy(int rank, int step) {
        return 1;
    }

    /** Factor on the time of the CPU for launches and for the framework's code. */
    default double launch(int rank, int step) {
        return 1;
    }

    /** Factor on what a collective sends between hosts. */
    default double network(Group group, int step, long bits) {
        return 1;
    }

    /** Factor on what a collective sends inside a host. */
    default double nvlink(Group group, int step) {
        return 1;
    }

    /** Factor on a message between two ranks. */
    default double message(Layout layout, int source, int target, int step, long bits) {
        return 1;
    }

    /** Length of a microbatch against the usual, which is more work. */
    default double length(Layout layout, int rank, int step, int microbatch) {
        return 1;
    }

    /** Tokens of a rank's experts against the mean. */
    default double expertLoad(Layout layout, int rank, int step) {
        return 1;
    }

    /** Pauses of a rank's CPU in a step. */
    default void pauses(Layout layout, int rank, int step, Consumer<Pause> to) {}

    /** Kernels on top of the usual ones, in percent. */
    default int extraKernels(int rank) {
        return 0;
    }

    /** Forward passes of an evaluation at the end of a step. */
    default int evaluations(int step) {
        return 0;
    }
}
