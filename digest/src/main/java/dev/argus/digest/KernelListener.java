package dev.argus.digest;

import dev.argus.model.KernelClass;

/** Takes the kernels of one rank, step by step in ascending order of steps, as the assembler hands them out. */
@FunctionalInterface
public interface KernelListener {
    /**
     * One kernel.
     *
     * @param step the framework's step number
     * @param name name id
     * @param stream stream number
     * @param kernelClass class
     * @param durationNanos duration in nanoseconds
     * @param workItems threads launched, 0 when unknown
     */
    void kernel(long step, int name, int stream, KernelClass kernelClass, long durationNanos, long workItems);
}
