package dev.argus.simulator;

/** Kernels of one library or shape: what a bad update or a bad tuning makes slow together. */
public enum KernelFamily {
    GEMM,
    ATTENTION,
    NORM,
    ELEMENTWISE,
    EXPERT,
    OPTIMIZER
}
