package dev.argus.engine;

/** The parts of a rank's own time. */
public enum OwnComponent {
    /** Compute kernels, or work on the CPU where there is no GPU. */
    COMPUTE,
    /** Copies that nothing else covers. */
    COPY,
    /** Nothing on the GPU; where there is none, waiting for data or doing something else than training. */
    GAP,
    /** Ready to run without a CPU; known only where there is no GPU, whose gaps hide it. */
    CPU_WAIT
}
