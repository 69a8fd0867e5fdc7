package dev.argus.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The spells of a fault that comes and goes, put together: what the same ranks are accused of again within {@value IncidentRegister#RETURN_STEPS} steps is one
 * incident, told by its newest spell and paid for by all. Of a job that goes on only: a recording is read as a whole.
 *
 * <p>Cost: O(n log n) for n suspects.
 */
final class Spells {
    private Spells() {}

    /** What makes two accusations the same but for their time. */
    private record Same(Object kind, Object scope, Object ranks, String host) {}

    /**
     * The suspects, spells of one fault together. Suspects that are put together are changed.
     *
     * @param suspects priced
     * @param worth which of them are worth acting on by themselves: a hiccup long before a fault is no spell of it
     */
    static List<Suspect> joined(List<Suspect> suspects, Predicate<Suspect> worth) {
        List<Suspect> inTime = new ArrayList<>(suspects);
        inTime.removeIf(s -> s.claims.isEmpty() || !worth.test(s));
        inTime.sort(Comparator.comparingLong(Suspect::firstStep)); // stable
        Map<Same, Suspect> newest = new HashMap<>();
        Set<Suspect> gone = new HashSet<>();
        for (Suspect s : inTime) {
            Suspect before = newest.put(new Same(s.kind, s.scope, s.ranks, s.host), s);
            if (before != null && s.firstStep() <= before.lastStep() + IncidentRegister.RETURN_STEPS) {
                join(s, before);
                gone.add(before);
            }
        }
        List<Suspect> joined = new ArrayList<>(suspects);
        joined.removeAll(gone);
        return joined;
    }

    private static void join(Suspect s, Suspect before) {
        before.claims.forEach(s::claim);
        before.upper.forEach((step, nanos) -> s.upper.merge(step, nanos, Math::max));
        s.levels.addAll(before.levels);
        before.kernels.stream().filter(k -> !s.kernels.contains(k)).forEach(s.kernels::add);
        before.groups.stream().filter(g -> !s.groups.contains(g)).forEach(s.groups::add);
        s.involved = s.involved.union(before.involved);
        s.activeSteps += before.activeSteps;
        s.margin = Math.max(s.margin, before.margin);
        s.standingNanos += before.standingNanos;
        s.costNanos += before.costNanos;
    }
}
