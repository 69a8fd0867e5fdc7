package dev.argus.benchmarks.scale;

import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.RankSet;
import java.util.Set;

/**
 * A fault that is there for some windows of a long run.
 *
 * @param name what it is, camel case
 * @param rank the rank that has it
 * @param firstWindow first window
 * @param windows number of windows
 * @param kinds words for it that are right
 */
public record PlantedFault(String name, int rank, int firstWindow, int windows, Set<IncidentKind> kinds) {
    /** True if an incident says this fault and nobody else. */
    public boolean isNamedBy(Incident incident) {
        return kinds.contains(incident.kind()) && incident.ranks().equals(RankSet.of(rank));
    }

    boolean in(int window) {
        return window >= firstWindow && window < firstWindow + windows;
    }
}
