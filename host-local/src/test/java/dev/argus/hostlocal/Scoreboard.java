package dev.argus.hostlocal;

import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.Verdict;
import dev.argus.simulator.AcceptedKinds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The essential rules of the scoreboard: a fault is found by an incident of an accepted kind that names acceptable suspects and
 * nobody else, not too many of them, inside the fault's steps (one of tolerance) and over half of them (a third of a ramp).
 * What finds no fault is a false alarm.
 */
final class Scoreboard {
    /** A fault that costs less of the iteration may go unreported. */
    private static final double OPTIONAL_BELOW = 1.015;

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
        List<String> also = fault.at("also_acceptable_kinds").list().stream()
                .map(JsonTree::text)
                .toList();
        return AcceptedKinds.accepts(fault.at("kind").text(), also, kind);
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
