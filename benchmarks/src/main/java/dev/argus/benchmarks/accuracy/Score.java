package dev.argus.benchmarks.accuracy;

import dev.argus.model.Incident;
import java.util.List;
import java.util.stream.Stream;

/**
 * A diagnosis held against the truth.
 *
 * @param faults one entry per fault
 * @param falseAlarms alarms that name no fault
 * @param costliestFirst true when the first alarm names the costliest fault, and in healthy jobs
 * @param findings everything said with a confidence, and whether it is right
 */
public record Score(
        List<FaultScore> faults, List<Incident> falseAlarms, boolean costliestFirst, List<Finding> findings) {
    /** Two attempts of a job together. */
    Score and(Score other) {
        return new Score(
                joined(faults, other.faults),
                joined(falseAlarms, other.falseAlarms),
                costliestFirst && other.costliestFirst,
                joined(findings, other.findings));
    }

    private static <T> List<T> joined(List<T> a, List<T> b) {
        return Stream.concat(a.stream(), b.stream()).toList();
    }

    /**
     * One accusation.
     *
     * @param confidence stated
     * @param right true when it names a fault, nobody else, and an accepted kind
     */
    public record Finding(double confidence, boolean right) {}
}
