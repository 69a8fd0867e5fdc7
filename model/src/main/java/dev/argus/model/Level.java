package dev.argus.model;

/** Level of diagnosis: L1 iterations, L2 phases and ranks, L3 kernels across ranks, L4 timeline, L5 CPU stacks. */
public enum Level {
    L1,
    L2,
    L3,
    L4,
    L5
}
