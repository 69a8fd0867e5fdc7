package dev.argus.model;

/**
 * How the process of a rank is doing at a moment, as the agent on its host sees it.
 *
 * <p>All times are nanoseconds since the Unix epoch by the clock of the rank's host; 0 when unknown.
 *
 * @param attempt attempt of the job
 * @param rank global rank
 * @param atNanos when it was looked at
 * @param life whether the process can run
 * @param heartbeatNanos its last sign of life
 * @param step the newest step it has begun, -1 when none is known
 * @param stepSinceNanos when that began, or ended if it has
 * @param inStep true while that step runs
 * @param doing name id of the named range it is in, -1 when in none
 * @param doingSinceNanos when that began
 */
public record RankState(
        int attempt,
        int rank,
        long atNanos,
        Life life,
        long heartbeatNanos,
        long step,
        long stepSinceNanos,
        boolean inStep,
        int doing,
        long doingSinceNanos) {
    /** Whether a process can run. */
    public enum Life {
        RUNNING,
        /** Stopped by a signal or a debugger. */
        STOPPED,
        /** Ended without saying so. */
        GONE
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
