package dev.argus.agent;

import java.nio.file.Path;

/**
 * How an agent works.
 *
 * @param rings folder of the rings
 * @param proc where processes are looked up, {@code /proc}
 * @param stacksPerSecond samples of the main thread and the holder of the GIL; 0 for none
 * @param lookNanos time between two looks at rings and processes
 * @param findNanos time between two searches for new rings
 * @param stateNanos time between two words on how each rank is doing
 * @param stackNanos window of folded stacks
 */
public record AgentOptions(
        Path rings,
        Path proc,
        double stacksPerSecond,
        long lookNanos,
        long findNanos,
        long stateNanos,
        long stackNanos) {
    private static final long MILLI = 1_000_000L;

    /** Refuses rates and times that cannot be. */
    public AgentOptions {
        if (!(stacksPerSecond >= 0 && stacksPerSecond <= 1000)) {
            throw new IllegalArgumentException(stacksPerSecond + " stacks a second, expected 0 to 1000");
        }
        if (lookNanos <= 0 || findNanos <= 0 || stateNanos <= 0 || stackNanos <= 0) {
            throw new IllegalArgumentException("times between looks must be above 0");
        }
    }

    /** Twenty stacks and looks a second, new rings and states once a second, stacks folded for ten seconds. */
    public static AgentOptions of(Path rings) {
        return new AgentOptions(rings, Path.of("/proc"), 20, 50 * MILLI, 1000 * MILLI, 1000 * MILLI, 10_000 * MILLI);
    }

    /** The same with another rate of stacks. */
    public AgentOptions withStacks(double perSecond) {
        return new AgentOptions(rings, proc, perSecond, lookNanos, findNanos, stateNanos, stackNanos);
    }
}
