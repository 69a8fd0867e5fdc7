package dev.argus.storage;

/** The rows a store keeps. Times are nanoseconds, moments nanoseconds since the Unix epoch; -1 means unknown. All texts are hostile. */
public final class Rows {
    private Rows() {}

    /**
     * One attempt of a job; a later one of the same job and attempt replaces it.
     *
     * @param job job
     * @param attempt attempt
     * @param firstNanos when it was first heard of
     * @param lastNanos when it was last heard of
     * @param worldSize number of ranks, as far as known
     * @param hosts number of hosts known
     * @param topology layout, fastest dimension first, such as {@code tp=2,dp=8}; empty when unknown
     */
    public record Job(
            String job, int attempt, long firstNanos, long lastNanos, int worldSize, int hosts, String topology) {}

    /**
     * Where a rank runs; a later one of the same job, attempt and rank replaces it.
     *
     * @param job job
     * @param attempt attempt
     * @param rank global rank
     * @param host host, empty when unknown
     * @param gpuIndex index of its GPU, -1 when unknown or none
     * @param gpuUuid uuid of its GPU, empty when unknown
     */
    public record Rank(String job, int attempt, int rank, String host, int gpuIndex, String gpuUuid) {}

    /**
     * One step of a job, over the ranks that reported it.
     *
     * @param job job
     * @param attempt attempt
     * @param step the framework's number
     * @param startNanos its earliest start on any rank
     * @param medianNanos median duration over ranks
     * @param maxNanos longest
     * @param maxRank the rank of the longest
     * @param ranks ranks that reported it
     */
    public record Step(
            String job,
            int attempt,
            long step,
            long startNanos,
            long medianNanos,
            long maxNanos,
            int maxRank,
            int ranks) {}

    /**
     * One phase in one step of a job, over the ranks that had it.
     *
     * @param job job
     * @param attempt attempt
     * @param step the framework's number
     * @param phase its word, such as {@code forward}
     * @param medianNanos median over ranks
     * @param maxNanos longest
     * @param maxRank the rank of the longest
     * @param ranks ranks that had it
     */
    public record Phase(
            String job,
            int attempt,
            long step,
            String phase,
            long medianNanos,
            long maxNanos,
            int maxRank,
            int ranks) {}

    /**
     * One step of one rank; every nanosecond of it is in exactly one of compute, copy, communication and idle.
     *
     * @param job job
     * @param attempt attempt
     * @param step the framework's number
     * @param rank global rank
     * @param startNanos start by the clock of its host
     * @param durationNanos length
     * @param computeNanos time with a compute kernel running
     * @param copyNanos time with copies only
     * @param exposedCommNanos time with communication only
     * @param idleNanos time with nothing
     */
    public record RankStep(
            String job,
            int attempt,
            long step,
            int rank,
            long startNanos,
            long durationNanos,
            long computeNanos,
            long copyNanos,
            long exposedCommNanos,
            long idleNanos) {}

    /**
     * One kernel in one window of a job, over the ranks that ran it for the same work.
     *
     * @param job job
     * @param attempt attempt
     * @param window first step of the window
     * @param kernel exact name
     * @param ranks ranks that ran it
     * @param count events
     * @param sumNanos their sum, over all ranks
     * @param medianMeanNanos median over ranks of the mean duration
     * @param maxMeanNanos longest mean
     * @param maxRank the rank of that
     * @param peers what these ranks are, such as {@code stage 1 of 4}; empty for all, and where peers are not known
     */
    public record Kernel(
            String job,
            int attempt,
            long window,
            String kernel,
            int ranks,
            long count,
            long sumNanos,
            long medianMeanNanos,
            long maxMeanNanos,
            int maxRank,
            String peers) {}

    /**
     * A change of an incident. The newest one of an id is what is known of it.
     *
     * @param job job
     * @param id its id
     * @param attempt attempt
     * @param change the word of {@code IncidentChange.Kind} in lower case
     * @param atNanos when that was noticed
     * @param kind its kind
     * @param scope what is accused
     * @param severity how much it matters
     * @param confidence probability that it is right
     * @param state {@code open}, {@code ongoing} or {@code resolved}
     * @param sinceNanos when it began, 0 when unknown
     * @param untilNanos when it ended, 0 while it lasts
     * @param firstStep first affected step
     * @param lastStep last affected step
     * @param stepRatio lost time over measured time of the attempt
     * @param gpuSeconds lost step time times ranks
     * @param ranks accused ranks, compact, such as {@code 0-7,16}
     * @param hosts hosts, comma-separated
     * @param summary one sentence
     * @param document the whole of it, as JSON of {@code argus.verdict/1}
     * @param duringRatio lost time over measured time from the first to the last affected step; NaN when unknown
     */
    public record Incident(
            String job,
            String id,
            int attempt,
            String change,
            long atNanos,
            String kind,
            String scope,
            String severity,
            double confidence,
            String state,
            long sinceNanos,
            long untilNanos,
            long firstStep,
            long lastStep,
            double stepRatio,
            double gpuSeconds,
            String ranks,
            String hosts,
            String summary,
            String document,
            double duringRatio) {}

    /**
     * What a picture of an incident is drawn from. The newest one of an incident and kind is what is known of it.
     *
     * @param job job
     * @param incident id of the incident
     * @param kind what it shows, such as {@code kernels}
     * @param atNanos when it was made
     * @param document JSON, as the interface of the server hands it out; whoever makes it bounds it
     */
    public record Picture(String job, String incident, String kind, long atNanos, String document) {}

    /**
     * Records that are missing.
     *
     * @param job job
     * @param atNanos when it was noticed
     * @param reason why, kebab-case
     * @param count how many
     */
    public record Loss(String job, long atNanos, String reason, long count) {}

    /**
     * An object that was stored.
     *
     * @param job job
     * @param key its key in the {@link ObjectStore}
     * @param incident id of the incident it belongs to, empty for none
     * @param kind {@code perfetto}, {@code stacks}, {@code parquet}
     * @param bytes its length
     * @param createdNanos when it was made
     */
    public record StoredObject(String job, String key, String incident, String kind, long bytes, long createdNanos) {}
}
