package dev.argus.model;

/**
 * How far one rank is, by an agent that looks at its process: what silence and hangs are told by. Times are of the host's clock.
 *
 * @param attempt attempt of the job
 * @param rank global rank
 * @param heartbeatNanos last sign of life of its producer, nanoseconds since the Unix epoch; 0 when there was none
 * @param begunStep newest step begun, -1 when none
 * @param endedStep newest step ended, -1 when none
 * @param endedNanos when that step ended, nanoseconds since the Unix epoch; 0 when none
 * @param process what its process does
 */
public record RankState(
        int attempt, int rank, long heartbeatNanos, long begunStep, long endedStep, long endedNanos, ProcessState process)
        implements AgentRecord {
    /** What the operating system says of the process. */
    public enum ProcessState {
        /** It runs, or sleeps as running programs do. */
        ALIVE,
        /** It was stopped by a signal or a debugger. */
        STOPPED,
        /** It is not there any more. */
        GONE,
        /** The agent cannot see it. */
        UNKNOWN
    }
}
