package dev.argus.simulator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * What a diagnosis of a simulated job should say, in the scoreboard's form. What a fault costs is the difference to the same
 * job, same seed, without that fault.
 *
 * @param json the text of {@code truth.json}
 * @param costs cost of every fault, in the order of the scenario
 */
public record Truth(String json, List<FaultCost> costs) {
    /**
     * What a fault costs.
     *
     * @param fault fault
     * @param nanos lost time over all recorded steps, at least 0
     * @param slowdown mean duration of its steps against the same steps without it, at least 1
     */
    public record FaultCost(Fault fault, double nanos, double slowdown) {}

    /** The truth about a job, as the case of a name; runs one more simulation per fault, and one without any. */
    public static Truth of(SimulatedJob job, String name) {
        return of(job, name, Set.of());
    }

    /** The truth about a job of which the traces of some ranks are missing. */
    public static Truth of(SimulatedJob job, String name, Set<Integer> missing) {
        Scenario scenario = job.scenario();
        List<FaultCost> costs = new ArrayList<>();
        for (Fault fault : scenario.faults()) {
            costs.add(cost(job, fault));
        }
        SimulatedJob healthy = scenario.faults().isEmpty() ? job : Simulation.run(scenario.withFaults(List.of()));
        return new Truth(
                JsonText.of(map(job, healthy, name, costs, new TreeSet<>(missing))) + "\n", List.copyOf(costs));
    }

    /** What one fault of a job costs. */
    static FaultCost cost(SimulatedJob job, Fault fault) {
        SimulatedJob without = Simulation.run(job.scenario().without(fault));
        double nanos = Math.max(0, job.totalNanos() - without.totalNanos());
        double base = 0;
        for (int i = 0; i < job.scenario().stepCount(); i++) {
            base += fault.when().active(job.scenario().firstStep() + i) ? without.stepNanos(i) : 0;
        }
        return new FaultCost(fault, nanos, base == 0 ? 1 : 1 + nanos / base);
    }

    /** Writes {@code truth.json} into a folder. */
    public void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("truth.json"), json);
    }

    private static Map<String, Object> map(
            SimulatedJob job, SimulatedJob healthy, String name, List<FaultCost> costs, Set<Integer> missing) {
        Scenario scenario = job.scenario();
        Layout layout = scenario.layout();
        int[] everybody = IntStream.range(0, layout.world()).toArray();
        TreeSet<Integer> suspects = new TreeSet<>();
        boolean nobody = false;
        List<Object> faults = new ArrayList<>();
        for (FaultCost cost : costs) {
            faults.add(fault(scenario, cost, missing));
            suspects.addAll(suspects(scenario, cost.fault()));
            nobody |= !cost.fault().scope(layout).equals("ranks");
        }
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("case", name);
        map.put("tag", "sim");
        map.put("description", scenario.name());
        map.put("part", 0);
        map.put("trace_dir", "traces");
        map.put("seed", scenario.seed());
        map.put("world_size", layout.world());
        map.put("topology", topology(layout));
        map.put("sharding", scenario.model().sharding().toString());
        map.put("microbatches", scenario.model().microbatches());
        map.put("steps_range", new int[] {scenario.firstStep(), scenario.lastStep()});
        map.put("healthy", faults.isEmpty());
        map.put("faults", faults);
        map.put(
                "benign_events",
                scenario.disturbances().stream().map(Truth::benign).toList());
        map.put("acceptable_suspects", List.copyOf(suspects));
        boolean none = nobody && suspects.size() == layout.world();
        map.put(
                "must_not_blame",
                none
                        ? new int[0]
                        : IntStream.of(everybody)
                                .filter(r -> !suspects.contains(r))
                                .toArray());
        map.put("step_ms", steps(job));
        map.put("baseline_step_ms", steps(healthy));
        map.put("data_quality", missing.isEmpty() ? Map.of() : Map.of("missing", List.copyOf(missing)));
        HostClocks clocks = new HostClocks(scenario);
        Map<String, Object> offsets = new LinkedHashMap<>();
        for (int host = 0; host < layout.hosts(); host++) {
            offsets.put(layout.hostName(host), clocks.offsetMicros(host));
        }
        map.put("host_clock_offset_us", offsets);
        return map;
    }

    private static Map<String, Object> topology(Layout layout) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (Layout.Dimension d : layout.order()) {
            map.put(d.name().toLowerCase(Locale.ROOT), layout.size(d));
        }
        map.put("ep", layout.expert());
        map.put("gpus_per_host", layout.gpusPerHost());
        map.put(
                "order",
                String.join(
                        "-",
                        layout.order().stream()
                                .map(d -> d.name().toLowerCase(Locale.ROOT))
                                .toList()));
        Map<String, Object> hosts = new LinkedHashMap<>();
        for (int host = 0; host < layout.hosts(); host++) {
            hosts.put(layout.hostName(host), layout.ranksOn(host));
        }
        map.put("hosts", hosts);
        return map;
    }

    private static Map<String, Object> fault(Scenario scenario, FaultCost cost, Set<Integer> missing) {
        Fault fault = cost.fault();
        Layout layout = scenario.layout();
        int[] ranks = fault.ranks(layout);
        List<Integer> active = fault.when().steps().stream()
                .filter(s -> s >= scenario.firstStep() && s <= scenario.lastStep())
                .toList();
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
        map.put("steps", active.isEmpty() ? List.of(0, 0) : List.of(active.getFirst(), active.getLast()));
        map.put("active_steps", active);
        map.put("severity", fault.severity());
        map.put("stall_ms", fault.pauseNanos() == 0 ? JsonText.NULL : (Object) (fault.pauseNanos() / 1e6));
        map.put("ramp", fault.ramp());
        map.put("intermittent", fault.when().intermittent());
        map.put("expected_iteration_slowdown", cost.slowdown());
        map.put("cost_ms", cost.nanos() / 1e6);
        map.put("acceptable_suspects", List.copyOf(suspects(scenario, fault)));
        List<String> also = new ArrayList<>(fault.alsoAcceptable());
        if (Arrays.stream(ranks).anyMatch(missing::contains)) {
            also.add("missing-trace");
            also.add("straggler");
        }
        map.put("also_acceptable_kinds", also);
        map.put("scope", fault.scope(layout));
        return map;
    }

    private static Set<Integer> suspects(Scenario scenario, Fault fault) {
        if (LinkIdentity.concerns(fault)) {
            return new LinkIdentity(scenario).suspects(fault);
        }
        Set<Integer> ranks = new TreeSet<>();
        Arrays.stream(fault.ranks(scenario.layout())).forEach(ranks::add);
        return ranks;
    }

    private static Map<String, Object> benign(Disturbance disturbance) {
        Map<String, Object> map = new TreeMap<>(disturbance.details());
        map.put("kind", disturbance.kind());
        return map;
    }

    private static Map<String, Object> steps(SimulatedJob job) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < job.scenario().stepCount(); i++) {
            map.put(String.valueOf(job.scenario().firstStep() + i), job.stepNanos(i) / 1e6);
        }
        return map;
    }
}
