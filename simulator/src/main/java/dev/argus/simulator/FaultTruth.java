package dev.argus.simulator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a diagnosis should say about one fault.
 *
 * @param fault fault
 * @param nanos lost time over all recorded steps against the same job, same seed, without the fault; at least 0
 * @param jobRatio lost time as a share of all recorded steps without the fault
 * @param slowdown mean duration of its steps against the same steps without it, at least 1
 * @param suspects ranks which one may name: those at fault, and those nobody could tell from them
 * @param activeSteps recorded steps in which it holds, ascending, as a reader numbers them
 * @param alsoAcceptable kinds that are as right as its own
 * @param scope {@code ranks}, {@code global} (nobody to accuse) or {@code any} (every rank in turn)
 */
public record FaultTruth(
        Fault fault,
        double nanos,
        double jobRatio,
        double slowdown,
        NavigableSet<Integer> suspects,
        List<Integer> activeSteps,
        List<String> alsoAcceptable,
        String scope) {

    static FaultTruth of(SimulatedJob job, Fault fault, Set<Integer> missing) {
        return of(job, fault, Simulation.times(job.scenario().without(fault)), missing);
    }

    static FaultTruth of(SimulatedJob job, Fault fault, StepTimes without, Set<Integer> missing) {
        Scenario scenario = job.scenario();
        double nanos = Math.max(0, job.totalNanos() - without.total());
        double base = 0;
        for (int i = 0; i < scenario.stepCount(); i++) {
            base += fault.when().active(scenario.firstStep() + i) ? without.nanos(i) : 0;
        }
        Layout layout = scenario.layout();
        List<String> also = new ArrayList<>(fault.alsoAcceptable());
        if (Arrays.stream(fault.ranks(layout)).anyMatch(missing::contains)) {
            also.add("missing-trace");
            also.add("straggler");
        }
        return new FaultTruth(
                fault,
                nanos,
                nanos / without.total(),
                base == 0 ? 1 : 1 + nanos / base,
                Collections.unmodifiableNavigableSet(suspects(scenario, fault)),
                fault.when().steps().stream()
                        .filter(s -> s >= scenario.firstStep() && s <= scenario.lastStep())
                        .map(scenario::shownStep)
                        .toList(),
                List.copyOf(also),
                fault.scope(layout));
    }

    private static NavigableSet<Integer> suspects(Scenario scenario, Fault fault) {
        if (LinkIdentity.concerns(fault)) {
            return new LinkIdentity(scenario).suspects(fault);
        }
        NavigableSet<Integer> ranks = new TreeSet<>();
        Arrays.stream(fault.ranks(scenario.layout())).forEach(ranks::add);
        return ranks;
    }

    /**
     * What it costs: of what lasts, as a share of the steps in which it holds; of pauses, which are over within a step, as a
     * share of all recorded steps, for a short one cannot be told from the hiccups that healthy machines have.
     */
    public double costRatio() {
        return fault.pauseNanos() > 0 ? jobRatio : slowdown - 1;
    }

    /** First step that it touches; 0 when none was recorded. */
    public int firstStep() {
        return activeSteps.isEmpty() ? 0 : activeSteps.getFirst();
    }

    /** Last step that it touches; 0 when none was recorded. */
    public int lastStep() {
        return activeSteps.isEmpty() ? 0 : activeSteps.getLast();
    }

    /** The entry of {@code truth.json}. */
    Map<String, Object> entry(Scenario scenario) {
        Layout layout = scenario.layout();
        int[] ranks = fault.ranks(layout);
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("kind", fault.kind());
        map.put("form", fault.getClass().getSimpleName());
        map.put("ranks", ranks);
        map.put(
                "hosts",
                Arrays.stream(ranks)
                        .map(layout::hostOf)
                        .distinct()
                        .mapToObj(layout::hostName)
                        .toList());
        map.put("groups", List.of());
        map.put(
                "kernels",
                Arrays.stream(KernelKind.ALL)
                        .filter(fault::slows)
                        .map(k -> k.name(scenario.model().ampere()))
                        .distinct()
                        .toList());
        map.put("steps", List.of(firstStep(), lastStep()));
        map.put("active_steps", activeSteps);
        map.put("severity", fault.severity());
        map.put("stall_ms", fault.pauseNanos() == 0 ? JsonText.NULL : (Object) (fault.pauseNanos() / 1e6));
        map.put("ramp", fault.ramp());
        map.put("intermittent", fault.when().intermittent());
        map.put("expected_iteration_slowdown", slowdown);
        map.put("cost_ms", nanos / 1e6);
        map.put("acceptable_suspects", List.copyOf(suspects));
        map.put("also_acceptable_kinds", alsoAcceptable);
        map.put("scope", scope);
        return map;
    }
}
