package dev.argus.simulator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What a diagnosis of a simulated job should say, in the scoreboard's form. What a fault costs is the difference to the same
 * job, same seed, without that fault.
 *
 * @param json the text of {@code truth.json}
 * @param faults the truth of every fault, in the order of the scenario
 * @param mustNotBlame ranks that nobody may accuse; empty also where there is nobody to accuse at all
 */
public record Truth(String json, List<FaultTruth> faults, NavigableSet<Integer> mustNotBlame) {
    /** The truth about a job, as the case of a name; runs the job again without each of its faults, and without any. */
    public static Truth of(SimulatedJob job, String name) {
        return of(job, new Part(name, 0, "traces"));
    }

    /**
     * An attempt of a case.
     *
     * @param name name of the case
     * @param number attempt
     * @param traces folder of its traces
     */
    record Part(String name, int number, String traces) {}

    static Truth of(SimulatedJob job, Part part) {
        Scenario scenario = job.scenario();
        Set<Integer> missing = scenario.damage().missingRanks(scenario);
        StepTimes healthy =
                scenario.faults().isEmpty() ? job.times() : Simulation.times(scenario.withFaults(List.of()));
        boolean one = scenario.faults().size() == 1;
        List<FaultTruth> faults = scenario.faults().stream()
                .map(fault ->
                        FaultTruth.of(job, fault, one ? healthy : Simulation.times(scenario.without(fault)), missing))
                .toList();
        NavigableSet<Integer> innocent = innocent(scenario.layout(), faults);
        String json = JsonText.of(map(job, healthy, part, faults, innocent, new TreeSet<>(missing))) + "\n";
        return new Truth(json, faults, Collections.unmodifiableNavigableSet(innocent));
    }

    /** The same of a job that stands still, as the text of {@code truth.json}: what it costs has no measure. */
    static String of(StoppedJob stopped, String name) {
        SimulatedJob job = stopped.before();
        Scenario scenario = job.scenario();
        Layout layout = scenario.layout();
        List<Integer> suspects = stopped.suspects().stream().boxed().toList();
        NavigableSet<Integer> innocent = innocent(layout, List.of());
        suspects.forEach(innocent::remove);
        Set<Integer> missing = scenario.damage().missingRanks(scenario);
        Map<String, Object> map =
                map(job, job.times(), new Part(name, 0, "traces"), List.of(), innocent, new TreeSet<>(missing));
        int step = scenario.shownStep(stopped.step());
        Group group = stopped.group();
        Map<String, Object> fault = new LinkedHashMap<>();
        fault.put("kind", "hang");
        fault.put("form", stopped.kind().word());
        fault.put("ranks", suspects);
        fault.put(
                "hosts",
                suspects.stream()
                        .map(layout::hostOf)
                        .distinct()
                        .map(layout::hostName)
                        .toList());
        fault.put("groups", group == null ? List.of() : List.of(group.kind().description()));
        fault.put("steps", List.of(step, step));
        fault.put("active_steps", List.of(step));
        fault.put("acceptable_suspects", suspects);
        fault.put("also_acceptable_kinds", List.of());
        fault.put("scope", "ranks");
        map.put("healthy", false);
        map.put("faults", List.of(fault));
        map.put("acceptable_suspects", suspects);
        map.put("flight_dir", "flight");
        return JsonText.of(map) + "\n";
    }

    private static TreeSet<Integer> innocent(Layout layout, List<FaultTruth> faults) {
        TreeSet<Integer> ranks =
                IntStream.range(0, layout.world()).boxed().collect(Collectors.toCollection(TreeSet::new));
        faults.forEach(f -> ranks.removeAll(f.suspects()));
        return ranks;
    }

    /** Writes {@code truth.json} into a folder. */
    public void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("truth.json"), json);
    }

    private static Map<String, Object> map(
            SimulatedJob job,
            StepTimes healthy,
            Part part,
            List<FaultTruth> faults,
            NavigableSet<Integer> innocent,
            NavigableSet<Integer> missing) {
        Scenario scenario = job.scenario();
        Layout layout = scenario.layout();
        NavigableSet<Integer> suspects = new TreeSet<>();
        faults.forEach(f -> suspects.addAll(f.suspects()));
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("case", part.name());
        map.put("tag", "sim");
        map.put("description", scenario.name());
        map.put("part", part.number());
        map.put("trace_dir", part.traces());
        map.put("seed", scenario.seed());
        map.put("world_size", layout.world());
        map.put("topology", topology(layout));
        map.put("sharding", scenario.model().sharding().toString());
        map.put("microbatches", scenario.model().microbatches());
        map.put(
                "steps_range",
                new int[] {scenario.shownStep(scenario.firstStep()), scenario.shownStep(scenario.lastStep())});
        map.put("healthy", faults.isEmpty());
        map.put("faults", faults.stream().map(f -> f.entry(scenario)).toList());
        map.put(
                "benign_events",
                scenario.disturbances().stream().map(Truth::benign).toList());
        map.put("acceptable_suspects", List.copyOf(suspects));
        map.put("must_not_blame", List.copyOf(innocent));
        map.put("step_ms", steps(scenario, job.times()));
        map.put("baseline_step_ms", steps(scenario, healthy));
        map.put("data_quality", quality(scenario.damage(), missing));
        HostClocks clocks = job.clocks();
        Map<String, Object> offsets = new LinkedHashMap<>();
        for (int host = 0; host < layout.hosts(); host++) {
            offsets.put(layout.hostName(host), clocks.offsetMicros(host));
        }
        map.put("host_clock_offset_us", offsets);
        return map;
    }

    private static Map<String, Object> quality(Damage damage, NavigableSet<Integer> missing) {
        Map<String, Object> map = new LinkedHashMap<>();
        if (!missing.isEmpty()) {
            map.put("missing", List.copyOf(missing));
        }
        damage.words().stream().filter(w -> !w.endsWith("missing")).forEach(w -> map.put(w, "true"));
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

    private static Map<String, Object> benign(Disturbance disturbance) {
        Map<String, Object> map = new TreeMap<>(disturbance.details());
        map.put("kind", disturbance.kind());
        return map;
    }

    private static Map<String, Object> steps(Scenario scenario, StepTimes times) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < scenario.stepCount(); i++) {
            map.put(String.valueOf(scenario.shownStep(scenario.firstStep() + i)), times.nanos(i) / 1e6);
        }
        return map;
    }
}
