package dev.argus.model;

import java.util.List;

/**
 * One rank, one step: everything the detectors of ranks and phases need, and nothing else.
 *
 * @param attempt attempt of the job; rank numbers are stable only within one
 * @param rank global rank
 * @param step the framework's step number
 * @param startNanos start of the step on the CPU, nanoseconds since the Unix epoch by the clock of the host
 * @param durationNanos from this start to the next step's start; of the last step, the length of its mark
 * @param last true when there is no next step to measure to
 * @param partial true when the record of this step is cut: totals must not be compared
 * @param gpu true when there was work of a GPU; false for CPU-only records
 * @param own how the time was spent
 * @param hostToDeviceNanos plain sum of copies to the device
 * @param hostToDeviceBytes bytes they moved
 * @param kernelCount compute kernels
 * @param workItems threads of those kernels, summed: tells more work from slower work
 * @param launchNanos CPU time from one launch to the next in this step, the mean of the middle half, so that pauses and blocked launches do not count; 0 when launches are not recorded, -1 when they are and too few of them were near the GPU to tell a pace
 * @param phases phases, at most one entry each
 * @param collectives collectives by start
 * @param gaps the longest gaps, longest first, at most {@value #MAX_GAPS}
 */
public record StepDigest(
        int attempt,
        int rank,
        long step,
        long startNanos,
        long durationNanos,
        boolean last,
        boolean partial,
        boolean gpu,
        OwnTime own,
        long hostToDeviceNanos,
        long hostToDeviceBytes,
        long kernelCount,
        long workItems,
        long launchNanos,
        List<PhaseTime> phases,
        List<CollectiveStat> collectives,
        List<Gap> gaps)
        implements AgentRecord {

    /** Gaps kept. */
    public static final int MAX_GAPS = 8;

    /** A digest of which no launches are known. */
    public StepDigest(
            int attempt,
            int rank,
            long step,
            long startNanos,
            long durationNanos,
            boolean last,
            boolean partial,
            boolean gpu,
            OwnTime own,
            long hostToDeviceNanos,
            long hostToDeviceBytes,
            long kernelCount,
            long workItems,
            List<PhaseTime> phases,
            List<CollectiveStat> collectives,
            List<Gap> gaps) {
        this(
                attempt,
                rank,
                step,
                startNanos,
                durationNanos,
                last,
                partial,
                gpu,
                own,
                hostToDeviceNanos,
                hostToDeviceBytes,
                kernelCount,
                workItems,
                0,
                phases,
                collectives,
                gaps);
    }

    /** The same digest of another attempt and rank: who it is may be known only when all traces are read. */
    public StepDigest of(int newAttempt, int newRank) {
        return but(newAttempt, newRank, partial, collectives);
    }

    /** The same digest of a step whose record turned out to be cut. */
    public StepDigest cut() {
        return but(attempt, rank, true, collectives);
    }

    /** The same digest with other collectives. */
    public StepDigest with(List<CollectiveStat> others) {
        return but(attempt, rank, partial, others);
    }

    private StepDigest but(int newAttempt, int newRank, boolean newPartial, List<CollectiveStat> newCollectives) {
        return new StepDigest(
                newAttempt,
                newRank,
                step,
                startNanos,
                durationNanos,
                last,
                newPartial,
                gpu,
                own,
                hostToDeviceNanos,
                hostToDeviceBytes,
                kernelCount,
                workItems,
                launchNanos,
                phases,
                newCollectives,
                gaps);
    }

    /**
     * Time of the step that no phase covers, nor, without a GPU, a collective or a pause with a name; -1 where no phase was recorded, or the record of the step is cut: missing is never
     * short. Where ranges of phases lie in each other they count twice, so it may be more. Nanoseconds.
     */
    public long outsidePhasesNanos() {
        if (phases.isEmpty() || partial) {
            return -1;
        }
        long covered = 0;
        for (PhaseTime p : phases) {
            covered += p.spanNanos();
        }
        if (!gpu) {
            long loading = Math.max(0, phaseSpanNanos(Phase.DATA_LOADING)); // idle time, too
            covered += own.exposedCommNanos() + Math.max(0, own.idleNanos() - loading);
        }
        return Math.max(0, durationNanos - covered);
    }

    /** Length of the phase's ranges, or -1 when the phase was not seen: missing is never fast. */
    public long phaseSpanNanos(Phase phase) {
        for (PhaseTime p : phases) {
            if (p.phase() == phase) {
                return p.spanNanos();
            }
        }
        return -1;
    }
}
