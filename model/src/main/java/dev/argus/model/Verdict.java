package dev.argus.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The whole answer about one job: what was read, how good the data is, who made the job slow.
 *
 * @param job what the job is
 * @param traces one entry per input file and device
 * @param quality coverage and problems of the data
 * @param incidents what an operator should act on, most costly first; empty for a healthy job
 * @param observations what explains slowness but needs no action
 * @param notes what was checked and what could not be, in sentences ("L3: no GPU events on rank 3")
 * @param unattributedRatio part of the measured time that was lost and is claimed by no incident or observation, 0..1
 * @param clocks the clock of every host of every attempt against its reference, or why not; empty when no host is known
 */
public record Verdict(
        Job job,
        List<TraceFacts> traces,
        Quality quality,
        List<Incident> incidents,
        List<Incident> observations,
        List<String> notes,
        double unattributedRatio,
        List<HostClock> clocks) {
    /** How a note begins which says that collectives are open that all their members have called: a stuck transfer, or a moment of a job that runs. */
    public static final String OPEN_COLLECTIVES = "hang: all members have";

    /** That note, or null. */
    public @Nullable String openCollectives() {
        return notes.stream()
                .filter(n -> n.startsWith(OPEN_COLLECTIVES))
                .findFirst()
                .orElse(null);
    }

    /** Where nothing is said about clocks. */
    public Verdict(
            Job job,
            List<TraceFacts> traces,
            Quality quality,
            List<Incident> incidents,
            List<Incident> observations,
            List<String> notes,
            double unattributedRatio) {
        this(job, traces, quality, incidents, observations, notes, unattributedRatio, List.of());
    }

    /**
     * The job.
     *
     * @param ranks world size
     * @param hosts number of hosts, 0 when unknown
     * @param firstStep first step seen on any rank, the framework's number; -1 when there is none
     * @param lastStep last step seen on any rank, inclusive; -1 when there is none
     * @param topology layout
     * @param medianStepNanos median over steps of the job's step time, start to start; 0 when unknown
     */
    public record Job(int ranks, int hosts, long firstStep, long lastStep, Topology topology, long medianStepNanos) {}

    /**
     * Coverage.
     *
     * @param ranksExpected world size as far as known
     * @param ranksRead ranks with usable data
     * @param problems what is wrong with the data
     */
    public record Quality(int ranksExpected, int ranksRead, List<DataProblem> problems) {}
}
