package dev.argus.model;

/**
 * How far one rank is and how its process is doing, by an agent that looks at it: what silence and hangs are told by.
 *
 * <p>All times are nanoseconds since the Unix epoch by the clock of the rank's host; 0 when unknown.
 *
 * @param attempt attempt of the job
 * @param rank global rank
 * @param atNanos when it was looked at
 * @param process what its process does
 * @param heartbeatNanos last sign of life of its producer
 * @param begunStep newest step begun, -1 when none is known
 * @param begunNanos when that began
 * @param endedStep newest step ended, -1 when none is known
 * @param endedNanos when that ended
 * @param doing name id of the named range it is in, -1 when in none
 * @param doingSinceNanos when that began
 */
public record RankState(
        int attempt,
        int rank,
        long atNanos,
        ProcessState process,
        long heartbeatNanos,
        long begunStep,
        long begunNanos,
        long endedStep,
        long endedNanos,
        int doing,
        long doingSinceNanos)
        implements AgentRecord {
    /** What the operating system says of a process. */
    public enum ProcessState {
        /** It runs, or sleeps as running programs do. */
        ALIVE,
        /** It was stopped by a signal or a debugger. */
        STOPPED,
        /** It is not there any more. */
        GONE,
        /** The agent cannot see it. */
        UNKNOWN,
        /** Its producer has said that it ends. */
        ENDED
    }

    /** The same of another attempt. */
    public RankState of(int newAttempt) {
        return new RankState(
                newAttempt,
                rank,
                atNanos,
                process,
                heartbeatNanos,
                begunStep,
                begunNanos,
                endedStep,
                endedNanos,
                doing,
                doingSinceNanos);
    }

    /** True while there is a process that could go on. */
    public boolean present() {
        return process != ProcessState.GONE && process != ProcessState.ENDED;
    }

    /** True while a step runs. */
    public boolean inStep() {
        return begunStep >= 0 && begunStep != endedStep;
    }
}
