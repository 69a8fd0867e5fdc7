package dev.argus.benchmarks.accuracy;

import dev.argus.engine.Concluded;
import dev.argus.model.DataProblem;
import dev.argus.model.Incident;
import dev.argus.model.Verdict;
import java.util.List;

/**
 * What a diagnosis said.
 *
 * @param incidents alarms, most costly first
 * @param observations what is no alarm
 * @param problems problems of the data
 */
public record Answer(List<Incident> incidents, List<Incident> observations, List<DataProblem> problems) {
    static Answer of(Concluded concluded) {
        return new Answer(concluded.incidents(), concluded.observations(), List.of());
    }

    /** What was said about one attempt. */
    static Answer of(Verdict verdict, int attempt) {
        return new Answer(
                verdict.incidents().stream().filter(i -> i.attempt() == attempt).toList(),
                verdict.observations().stream()
                        .filter(i -> i.attempt() == attempt)
                        .toList(),
                verdict.quality().problems());
    }

    static Answer of(Verdict verdict) {
        return new Answer(
                verdict.incidents(), verdict.observations(), verdict.quality().problems());
    }
}
