package dev.argus.benchmarks.accuracy;

import dev.argus.model.Incident;
import dev.argus.simulator.Scenario;
import dev.argus.simulator.SimulatedJob;
import dev.argus.simulator.Simulation;
import dev.argus.simulator.Truth;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;

/**
 * One published situation, simulated, diagnosed and held against the truth; then the same job without its faults.
 *
 * @param situation what was tried
 * @param layout its job, for people
 * @param ranks size of the job
 * @param score how right the answer is
 * @param missed ranks at fault that no right alarm names, all faults together
 * @param said the alarms that name the faults
 * @param healthyAlarms alarms in the job without faults
 * @param madeSeconds time to simulate the job, what it would have been without its faults, and to assemble its records
 * @param diagnosedSeconds time from records to verdict
 * @param heapBytes most heap in use, garbage included
 */
public record PublishedTrial(
        Published situation,
        String layout,
        int ranks,
        Score score,
        NavigableSet<Integer> missed,
        List<Incident> said,
        List<Incident> healthyAlarms,
        double madeSeconds,
        double diagnosedSeconds,
        long heapBytes) {

    private static final int SHORT = 30;

    /** Tries a situation. */
    public static PublishedTrial run(Published situation, boolean full) {
        heap().forEach(MemoryPoolMXBean::resetPeakUsage);
        long begin = System.nanoTime();
        Scenario scenario = situation.scenario(full);
        Made made = made(scenario, situation.word());
        long ready = System.nanoTime();
        Answer answer = Answer.of(made.records.conclude(made.records.steps().getLast()));
        long end = System.nanoTime();
        long most = heap().stream().mapToLong(p -> p.getPeakUsage().getUsed()).sum();
        Score score = Scoreboard.score(scenario.layout(), true, made.truth, answer);
        List<Incident> said = made.truth.faults().stream()
                .flatMap(f -> Scoreboard.naming(scenario.layout(), made.truth, f, answer).stream())
                .distinct()
                .toList();
        return new PublishedTrial(
                situation,
                scenario.layout().toString(),
                scenario.layout().world(),
                score,
                missed(made.truth, said),
                said,
                alarms(scenario.withFaults(List.of())),
                (ready - begin) / 1e9,
                (end - ready) / 1e9,
                most);
    }

    private static List<MemoryPoolMXBean> heap() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(p -> p.getType() == MemoryType.HEAP)
                .toList();
    }

    private record Made(JobRecords records, Truth truth) {}

    /** The simulated job itself is not kept: its records are. */
    private static Made made(Scenario scenario, String name) {
        SimulatedJob job = Simulation.run(scenario);
        Truth truth = Truth.of(job, name);
        return new Made(JobRecords.of(job), truth);
    }

    private static List<Incident> alarms(Scenario healthy) {
        JobRecords records = JobRecords.of(Simulation.run(healthy));
        return records.conclude(records.steps().getLast()).incidents();
    }

    private static NavigableSet<Integer> missed(Truth truth, List<Incident> said) {
        NavigableSet<Integer> missed = new TreeSet<>();
        truth.faults().forEach(f -> missed.addAll(f.suspects()));
        missed.removeIf(r -> said.stream().anyMatch(i -> i.ranks().contains(r)));
        return missed;
    }

    /** True when all those at fault are named and nobody else, with an accepted kind and the right steps. */
    public boolean named() {
        return score.falseAlarms().isEmpty()
                && missed.isEmpty()
                && score.faults().stream().allMatch(f -> f.exact() && f.kindRight() && f.stepsRight());
    }

    /** The best of what was said about the costliest fault, in words. */
    public String answer() {
        return score.faults().stream()
                .filter(FaultScore::hit)
                .max(Comparator.comparingDouble(f -> f.truth().nanos()))
                .map(f -> words(Objects.requireNonNull(f.said())))
                .orElse("nothing");
    }

    /** An alarm in a few words. */
    static String words(Incident i) {
        String ranks = i.ranks().toString();
        return "%s, %s %s, steps %d to %d, confidence %s"
                .formatted(
                        i.kind().text(),
                        i.scope().text(),
                        ranks.length() > 40
                                ? ranks.substring(0, 36) + "..., " + i.ranks().size() + " ranks"
                                : ranks,
                        i.firstStep(),
                        i.lastStep(),
                        i.confidence());
    }
}
