package dev.argus.hostlocal;

import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.Verdict;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The essential rules of the scoreboard: a fault is found by an incident of an accepted kind that names acceptable suspects and
 * nobody else, not too many of them, inside the fault's steps (one of tolerance) and over half of them (a third of a ramp).
 * What finds no fault is a false alarm.
 */
final class Scoreboard {
    /** A fault that costs less of the iteration may go unreported. */
    private static final double OPTIONAL_BELOW = 1.015;

    private static final Map<String, Set<IncidentKind>> ACCEPTED = Map.ofEntries(
            Map.entry(
                    "compute-straggler",
                    Set.of(IncidentKind.COMPUTE_STRAGGLER, IncidentKind.STRAGGLER, IncidentKind.THERMAL_DRIFT)),
            Map.entry("thermal-drift", Set.of(IncidentKind.THERMAL_DRIFT, IncidentKind.COMPUTE_STRAGGLER)),
            Map.entry("masked-straggler", Set.of(IncidentKind.COMPUTE_STRAGGLER, IncidentKind.STRAGGLER)),
            Map.entry("bubble-amplification", Set.of(IncidentKind.COMPUTE_STRAGGLER, IncidentKind.PIPELINE_BUBBLE)),
            Map.entry("hbm-straggler", Set.of(IncidentKind.MEMORY_BANDWIDTH_STRAGGLER, IncidentKind.COMPUTE_STRAGGLER)),
            Map.entry("kernel-family-slow", Set.of(IncidentKind.KERNEL_STRAGGLER, IncidentKind.COMPUTE_STRAGGLER)),
            Map.entry("nic-degraded", Set.of(IncidentKind.LINK_DEGRADED, IncidentKind.FABRIC_CONGESTION)),
            Map.entry("nvlink-degraded", Set.of(IncidentKind.NVLINK_DEGRADED, IncidentKind.LINK_DEGRADED)),
            Map.entry("jit-stall", Set.of(IncidentKind.JIT_STALL, IncidentKind.CPU_STALL)),
            Map.entry("gc-pause", Set.of(IncidentKind.GC_PAUSE, IncidentKind.CPU_STALL)),
            Map.entry(
                    "cpu-stall",
                    Set.of(
                            IncidentKind.CPU_STALL,
                            IncidentKind.HOST_CONTENTION,
                            IncidentKind.JIT_STALL,
                            IncidentKind.GC_PAUSE)),
            Map.entry("data-stall", Set.of(IncidentKind.DATA_STALL)),
            Map.entry("host-cpu-contention", Set.of(IncidentKind.HOST_CONTENTION, IncidentKind.CPU_STALL)),
            Map.entry("pcie-slow", Set.of(IncidentKind.PCIE_DEGRADED)),
            Map.entry("global-slowdown", Set.of(IncidentKind.GLOBAL_SLOWDOWN)),
            Map.entry("fabric-congestion", Set.of(IncidentKind.FABRIC_CONGESTION, IncidentKind.LINK_DEGRADED)));

    private Scoreboard() {}

    /** {@return what is wrong with a verdict, in sentences; empty when all is right} */
    static List<String> faultsOf(Verdict verdict, JsonTree truth) {
        List<String> wrong = new ArrayList<>();
        Set<Incident> used = new HashSet<>();
        int world = (int) truth.at("world_size").number();
        for (JsonTree fault : truth.at("faults").list()) {
            Set<Integer> suspects =
                    new HashSet<>(fault.at("acceptable_suspects").ints());
            int cap = Math.max(Math.min(8, Math.max(1, world / 4)), suspects.size());
            List<Incident> hits = verdict.incidents().stream()
                    .filter(i -> accepts(fault, i.kind()) && onlyNames(i, suspects, cap) && inTime(i, fault))
                    .toList();
            used.addAll(hits);
            boolean optional = fault.at("expected_iteration_slowdown").number() < OPTIONAL_BELOW;
            if (hits.isEmpty() && !optional) {
                wrong.add("missed " + fault.at("kind").text() + " of ranks " + suspects + " at steps "
                        + fault.at("steps").ints());
            }
        }
        for (Incident i : verdict.incidents()) {
            if (!used.contains(i)) {
                wrong.add("false alarm: " + i.summary() + " [" + i.kind().text() + " " + i.firstStep() + ".."
                        + i.lastStep() + "]");
            }
        }
        return wrong;
    }

    private static boolean accepts(JsonTree fault, IncidentKind kind) {
        return ACCEPTED.getOrDefault(fault.at("kind").text(), Set.of()).contains(kind)
                || fault.at("also_acceptable_kinds").list().stream()
                        .anyMatch(k -> k.text().equals(kind.text()));
    }

    private static boolean onlyNames(Incident i, Set<Integer> suspects, int cap) {
        return !i.ranks().isEmpty()
                && i.ranks().size() <= cap
                && i.ranks().stream().allMatch(suspects::contains);
    }

    private static boolean inTime(Incident i, JsonTree fault) {
        List<Integer> steps = fault.at("steps").ints();
        int first = steps.get(0);
        int last = steps.get(1);
        if (i.firstStep() < first - 1 || i.lastStep() > last + 1) {
            return false;
        }
        double need = (last - first + 1) / (fault.at("ramp").isTrue() ? 3.0 : 2.0);
        return Math.min(i.lastStep(), last + 1) - Math.max(i.firstStep(), first - 1) + 1 >= need;
    }
}
