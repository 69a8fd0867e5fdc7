package dev.argus.simulator;

import java.util.List;

/**
 * What happened on one rank in one step, in nanoseconds of the job's true time.
 *
 * @param rank rank
 * @param step number of the step
 * @param program what was done
 * @param launch when the CPU began to launch an operation; begin of things on the CPU
 * @param start when GPU work began; end of things on the CPU
 * @param end when GPU work ended
 * @param work work against the usual, per operation position, for those which have more or less
 * @param pauses what the CPU did in between
 */
@SuppressWarnings("ArrayRecordComponent")
record RankStep(
        int rank,
        int step,
        Program program,
        long[] launch,
        long[] start,
        long[] end,
        Conditions work,
        List<Paused> pauses) {

    /**
     * A pause that happened.
     *
     * @param pause what
     * @param start when
     */
    record Paused(Pause pause, long start) {}

    /** Of what does not happen: times of work that waits for ever. */
    static final long NEVER = Long.MAX_VALUE / 2;

    /** Begin of the step on the CPU. */
    long begin() {
        return launch[0];
    }

    /** End of the step's mark on the CPU. */
    long finish() {
        return launch[launch.length - 1];
    }
}
