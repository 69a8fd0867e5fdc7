package dev.argus.benchmarks.accuracy;

import java.util.ArrayList;
import java.util.List;

/**
 * A rule beside the others on the same jobs: the detectors, or a baseline.
 *
 * @param name camel case
 * @param rule in one sentence
 * @param strongExact share of strong faults of somebody, links among them, that it names exactly
 * @param weakExact share of the weak ones
 * @param healthyAlarms healthy jobs in which it names somebody
 * @param wrongInFaulty jobs with faults in which it names an innocent
 */
public record Rival(
        String name, String rule, double strongExact, double weakExact, int healthyAlarms, int wrongInFaulty) {
    /** The detectors first, then the baselines. */
    public static List<Rival> of(Results results) {
        Results strong =
                results.where(o -> o.cell().set() == JobSet.STRONG || o.cell().set() == JobSet.LINKS);
        Results weak = results.of(JobSet.WEAK);
        Results healthy = results.of(JobSet.HEALTHY);
        Results faulty = results.where(o -> o.cell().kind().faulty());
        List<Rival> rivals = new ArrayList<>();
        rivals.add(new Rival(
                "argus",
                "the detectors of this project",
                strong.somebodyExact(),
                weak.somebodyExact(),
                healthy.jobsWithFalseAlarms(),
                faulty.jobsWithFalseAlarms()));
        for (int i = 0; i < Baseline.ALL.size(); i++) {
            Baseline baseline = Baseline.ALL.get(i);
            rivals.add(new Rival(
                    baseline.name(),
                    baseline.rule(),
                    strong.baselineExact(i),
                    weak.baselineExact(i),
                    healthy.baselineFalseAlarms(i),
                    faulty.baselineFalseAlarms(i)));
        }
        return rivals;
    }
}
