package dev.argus.model;

/**
 * What watching cost over a while, measured by the agent itself on the job it watches.
 *
 * @param attempt attempt of the job
 * @param fromNanos begin, nanoseconds since the Unix epoch by the clock of the host
 * @param toNanos end
 * @param cpuNanos CPU time that the agent used
 * @param memoryBytes resident memory of the agent at the end
 * @param onSteps steps with everything on that were compared
 * @param offSteps interleaved steps with everything off that were compared
 * @param slowerRatio by how much the steps with everything on were longer than the others; NaN when not measured
 * @param lowRatio lower end of the interval of that; NaN when not measured
 * @param highRatio its upper end; NaN when not measured
 */
public record OverheadReading(
        int attempt,
        long fromNanos,
        long toNanos,
        long cpuNanos,
        long memoryBytes,
        long onSteps,
        long offSteps,
        double slowerRatio,
        double lowRatio,
        double highRatio)
        implements AgentRecord {}
