package dev.argus.digest;

/**
 * Takes the compute kernels of one rank, step by step in ascending order of steps, as the assembler hands them out. Communication
 * is in the digests, instance by instance: only the trace can tell that a kernel with any name is a collective.
 */
@FunctionalInterface
public interface KernelListener {
    /**
     * One kernel.
     *
     * @param step the framework's step number
     * @param name name id
     * @param stream stream number
     * @param startNanos start, on the host's clock
     * @param durationNanos duration in nanoseconds
     * @param workItems threads launched, 0 when unknown
     */
    void kernel(long step, int name, int stream, long startNanos, long durationNanos, long workItems);
}
