package dev.argus.engine;

import dev.argus.model.Incident;
import java.util.Comparator;
import java.util.List;

/**
 * What the job-wide diagnosis says about one attempt.
 *
 * @param attempt attempt of the job
 * @param incidents incidents, most costly first
 * @param observations observations, most costly first
 * @param notes what was checked and what could not be, in sentences
 * @param lostNanos step time lost over the job's steps against the typical step, claimed or not
 * @param claimedNanos part of it that incidents and observations claim
 * @param measuredNanos step time measured
 * @param quietSteps true when there were steps without trouble to hold the others against; without them prices are upper bounds
 * @param pace how fast the attempt was
 */
public record Concluded(
        int attempt,
        List<Incident> incidents,
        List<Incident> observations,
        List<String> notes,
        double lostNanos,
        double claimedNanos,
        double measuredNanos,
        boolean quietSteps,
        Pace pace)
        implements Partial {

    /** What is most costly comes first. */
    static final Comparator<Incident> COSTLY =
            Comparator.comparingDouble((Incident i) -> -i.cost().stepRatio()).thenComparing(Incident::id);

    /**
     * The same with other incidents and observations.
     *
     * @param moreNanos what they claim more than these, and so what is lost more
     */
    public Concluded with(List<Incident> otherIncidents, List<Incident> otherObservations, double moreNanos) {
        return new Concluded(
                attempt,
                otherIncidents.stream().sorted(COSTLY).toList(),
                otherObservations.stream().sorted(COSTLY).toList(),
                notes,
                Math.max(0, lostNanos + moreNanos),
                Math.max(0, claimedNanos + moreNanos),
                measuredNanos,
                quietSteps,
                pace);
    }

    /** Of a detector that looks at no steps. */
    static Concluded beside(int attempt, List<Incident> incidents, List<Incident> observations, List<String> notes) {
        return new Concluded(attempt, incidents, observations, notes, 0, 0, 0, false, Pace.NONE);
    }
}
