package dev.argus.model;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Findings merged over levels, ranks and time: one accusation with its proof and its price. Observations have the same
 * shape; {@link IncidentKind#isIncident()} of the kind, the cost floor and the evidence decide which list it goes to.
 *
 * @param id hash of job, attempt, kind, suspects and first step: the same input gives the same id
 * @param kind what it is
 * @param scope what is accused
 * @param severity how much it matters
 * @param confidence probability that the accusation is right, 0..1
 * @param levels levels that saw it
 * @param state life
 * @param sinceEpochNanos start of the first affected step, nanoseconds since the Unix epoch
 * @param untilEpochNanos end of the last affected step when resolved, else null
 * @param attempt attempt of the job
 * @param ranks accused ranks; empty for scope job
 * @param gpus the GPUs of the accused ranks
 * @param hosts the hosts accused or of the accused ranks
 * @param groups parallel groups concerned
 * @param firstStep first affected step, the framework's number
 * @param lastStep last affected step, inclusive
 * @param kernels kernels concerned, most costly first; exact names
 * @param direction sign of the difference, null where it has none
 * @param summary one sentence
 * @param explanation why this is believed
 * @param advice what to do
 * @param evidence rows of proof, strongest first
 * @param cost what it cost
 */
public record Incident(
        String id,
        IncidentKind kind,
        Scope scope,
        Severity severity,
        double confidence,
        Set<Level> levels,
        IncidentState state,
        long sinceEpochNanos,
        @Nullable Long untilEpochNanos,
        int attempt,
        RankSet ranks,
        List<GpuRef> gpus,
        List<String> hosts,
        List<ParallelGroup> groups,
        long firstStep,
        long lastStep,
        List<String> kernels,
        @Nullable Direction direction,
        String summary,
        String explanation,
        String advice,
        List<Evidence> evidence,
        Cost cost) {
    /** In the order in which an operator of a job should look: what lasts, a standstill before what slows steps, and most costly now first; then what is over, most costly in all first. */
    public static final Comparator<Incident> URGENT = Comparator.comparing(
                    (Incident i) -> i.state == IncidentState.RESOLVED)
            .thenComparing(i -> i.state == IncidentState.RESOLVED || i.kind != IncidentKind.HANG)
            .thenComparingDouble(i ->
                    i.state == IncidentState.RESOLVED || Double.isNaN(i.cost.duringRatio()) ? 0 : -i.cost.duringRatio())
            .thenComparingDouble(i -> -i.cost.gpuSeconds())
            .thenComparing(Incident::id);

    /** The same incident at another price. */
    public Incident at(Cost newCost) {
        return with(newCost, summary);
    }

    /** The same incident at another price and with another sentence. */
    public Incident with(Cost newCost, String newSummary) {
        return with(newCost, severity, newSummary, explanation, evidence, gpus);
    }

    /** The same incident at another price, with what it means for it and one more row of proof, the last. */
    public Incident priced(Cost newCost, Severity newSeverity, Evidence why) {
        List<Evidence> more = Stream.concat(evidence.stream(), Stream.of(why)).toList();
        return with(newCost, newSeverity, summary, explanation, more, gpus);
    }

    /** The same incident with more proof, and more said of why it is believed and of its GPUs. */
    public Incident explained(String newExplanation, List<Evidence> newEvidence, List<GpuRef> newGpus) {
        return with(cost, severity, summary, newExplanation, newEvidence, newGpus);
    }

    /**
     * The same incident as one that lasts, of a job that stands still.
     *
     * @param newId its id
     * @param newCost what it has cost so far
     * @param step the step that does not end, -1 when unknown
     * @param sinceNanos when the standstill began
     */
    public Incident standing(String newId, Cost newCost, long step, long sinceNanos) {
        return new Incident(
                newId,
                kind,
                scope,
                severity,
                confidence,
                levels,
                IncidentState.ONGOING,
                sinceNanos,
                null,
                attempt,
                ranks,
                gpus,
                hosts,
                groups,
                step,
                step,
                kernels,
                direction,
                summary,
                explanation,
                advice,
                evidence,
                newCost);
    }

    /** The same incident, as severe as that. */
    public Incident severe(Severity newSeverity) {
        return with(cost, newSeverity, summary, explanation, evidence, gpus);
    }

    /** The same incident with another begin in time, nanoseconds since the Unix epoch. */
    public Incident began(long newSinceNanos) {
        return new Incident(
                id,
                kind,
                scope,
                severity,
                confidence,
                levels,
                state,
                newSinceNanos,
                untilEpochNanos,
                attempt,
                ranks,
                gpus,
                hosts,
                groups,
                firstStep,
                lastStep,
                kernels,
                direction,
                summary,
                explanation,
                advice,
                evidence,
                cost);
    }

    /** The same incident, over. */
    public Incident resolved(long untilNanos) {
        return new Incident(
                id,
                kind,
                scope,
                severity,
                confidence,
                levels,
                IncidentState.RESOLVED,
                sinceEpochNanos,
                untilNanos,
                attempt,
                ranks,
                gpus,
                hosts,
                groups,
                firstStep,
                lastStep,
                kernels,
                direction,
                summary,
                explanation,
                advice,
                evidence,
                cost);
    }

    private Incident with(
            Cost newCost,
            Severity newSeverity,
            String newSummary,
            String newExplanation,
            List<Evidence> newEvidence,
            List<GpuRef> newGpus) {
        return new Incident(
                id,
                kind,
                scope,
                newSeverity,
                confidence,
                levels,
                state,
                sinceEpochNanos,
                untilEpochNanos,
                attempt,
                ranks,
                newGpus,
                hosts,
                groups,
                firstStep,
                lastStep,
                kernels,
                direction,
                newSummary,
                newExplanation,
                advice,
                newEvidence,
                newCost);
    }

    /** Steps from one time to the next where it comes as regularly as what a job does on purpose; -1 where it does not. */
    public long everySteps() {
        for (Evidence row : evidence) {
            if (row.what().equals(Evidence.PERIOD)) {
                return Math.round(row.value());
            }
        }
        return -1;
    }

    /** The same incident without moments, where the traces do not tell them. */
    public Incident withoutTimes() {
        return new Incident(
                id,
                kind,
                scope,
                severity,
                confidence,
                levels,
                state,
                0,
                null,
                attempt,
                ranks,
                gpus,
                hosts,
                groups,
                firstStep,
                lastStep,
                kernels,
                direction,
                summary,
                explanation,
                advice,
                evidence,
                cost);
    }
}
