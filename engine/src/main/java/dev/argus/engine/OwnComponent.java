package dev.argus.engine;

/** The parts of a rank's own time. */
public enum OwnComponent {
    /** Compute kernels, or work on the CPU where there is no GPU. */
    COMPUTE,
    /** Copies that nothing else covers. */
    COPY,
    /** Nothing on the GPU. */
    GAP
}
