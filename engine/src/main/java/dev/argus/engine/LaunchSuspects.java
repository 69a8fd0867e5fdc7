package dev.argus.engine;

import dev.argus.model.Evidence;
import dev.argus.model.IncidentKind;
import dev.argus.model.JobShape;
import dev.argus.model.Level;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import dev.argus.stats.Robust;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * Suspects whose CPU launches slowly: a rank, or a host when most of its ranks do. Launching slowly is no loss in itself, for the GPU
 * may have work enough: it must show in longer steps, in an idle GPU, or in waits of others for these ranks.
 */
final class LaunchSuspects {
    private static final double HOST_SHARE = 0.5;

    /** Steps must be longer by this share for the loss to be seen in them. */
    private static final double RISE_RATIO = 0.004;

    /** And by so many standard deviations of quiet steps. */
    private static final double RISE_SIGMAS = 3;

    /** From this share of the step on an idle GPU tells that launches are late. */
    private static final double IDLE_RATIO = 0.005;

    /** Waits that must have been for these ranks: a share, and a multiple of their share of the ranks. */
    private static final double CAUSED_SHARE = 0.4;

    private static final double CAUSED_FACTOR = 2;

    /** Of a vaguer suspect that has this share in the steps of slow launches, what lies outside them is a hiccup. */
    private static final double WITHIN_SHARE = 0.7;

    private static final Set<IncidentKind> VAGUE =
            EnumSet.of(IncidentKind.CPU_STALL, IncidentKind.DATA_STALL, IncidentKind.HOST_CONTENTION);

    private final Diagnosis.State state;
    private final JobShape shape;
    private final Set<Long> events;
    private final JobTimes times;
    private final boolean live;

    /** @param live of a job that goes on, what lies apart in time is no part of each other; a recording is read as a whole */
    LaunchSuspects(Diagnosis.State state, JobShape shape, Set<Long> events, JobTimes times, boolean live) {
        this.live = live;
        this.state = state;
        this.shape = shape;
        this.events = events;
        this.times = times;
    }

    /** Adds to what is known; vaguer words about the same ranks and steps give way, better ones stay. */
    void join(List<Suspect> known) {
        Map<String, List<LaunchFinding>> byHost = new LinkedHashMap<>();
        for (LaunchFinding f : state.launches) {
            if (!explained(f, known)) {
                byHost.computeIfAbsent(shape.hostOf(f.rank()), h -> new ArrayList<>())
                        .add(f);
            }
        }
        byHost.forEach((host, all) -> {
            for (List<LaunchFinding> part : live ? QuietTimes.split(all, LaunchFinding::steps) : List.of(all)) {
                ofHost(host, part, known);
            }
        });
    }

    private void ofHost(String host, List<LaunchFinding> list, List<Suspect> known) {
        if (2 * lateMeanwhile(list) > shape.ranks().size()) {
            return; // most ranks: it is what the job does
        }
        Set<Integer> slow = new HashSet<>();
        list.forEach(f -> slow.add(f.rank()));
        RankSet on = shape.ranksOn(host);
        boolean whole =
                !host.isEmpty() && shape.hostCount() > 1 && slow.size() >= 2 && slow.size() >= HOST_SHARE * on.size();
        if (whole) {
            add(known, on, host, list);
        } else {
            list.forEach(f -> add(known, RankSet.of(f.rank()), "", List.of(f)));
        }
    }

    /** Ranks that launch late at the time of these findings; of a recording all that do. */
    private long lateMeanwhile(List<LaunchFinding> list) {
        long first = list.stream().mapToLong(LaunchFinding::firstStep).min().orElseThrow();
        long last = list.stream().mapToLong(LaunchFinding::lastStep).max().orElseThrow();
        return state.launches.stream()
                .filter(f -> !live || (f.firstStep() <= last && f.lastStep() >= first))
                .mapToInt(LaunchFinding::rank)
                .distinct()
                .count();
    }

    /** True when more is known of several ranks, this one among them: a GPU that is slow keeps its CPU waiting. */
    private static boolean explained(LaunchFinding f, List<Suspect> known) {
        return known.stream()
                .anyMatch(s -> !VAGUE.contains(s.kind)
                        && s.ranks.size() > 1
                        && s.ranks.contains(f.rank())
                        && s.firstStep() <= f.lastStep()
                        && s.lastStep() >= f.firstStep()
                        && (f.observed() || !s.isState())
                        && !(f.ownHistory() && lasts(s, f.firstStep(), f.lastStep())));
    }

    /** True for an imbalance that was there before, or stays after: no reason for a change. */
    private static boolean lasts(Suspect s, long first, long last) {
        return !s.kind.isIncident() && (s.firstStep() < first - 1 || s.lastStep() > last + 1);
    }

    private void add(List<Suspect> known, RankSet ranks, String host, List<LaunchFinding> list) {
        TreeMap<Long, Double> excess = new TreeMap<>();
        TreeMap<Long, Double> idle = new TreeMap<>();
        Map<Long, Integer> count = new HashMap<>();
        for (LaunchFinding f : list) {
            for (int i = 0; i < f.steps().length; i++) {
                count.merge(f.steps()[i], 1, Integer::sum);
                excess.merge(f.steps()[i], f.excessNanos()[i], Math::max);
                idle.merge(f.steps()[i], f.idleNanos()[i] / list.size(), Double::sum);
            }
        }
        excess.keySet().removeIf(s -> events.contains(s) || 2 * count.getOrDefault(s, 0) < list.size());
        if (excess.isEmpty()) {
            return;
        }
        List<Suspect> same = known.stream()
                .filter(s -> (!s.ranks.isEmpty() || !s.involved.isEmpty())
                        && ranks.containsAll(s.ranks.union(s.involved))
                        && s.firstStep() <= excess.lastKey()
                        && s.lastStep() >= excess.firstKey())
                .toList();
        boolean changed = list.stream().allMatch(LaunchFinding::ownHistory);
        boolean observed = list.stream().allMatch(LaunchFinding::observed);
        boolean explained = same.stream()
                .filter(s -> !VAGUE.contains(s.kind) && (observed || !s.isState()))
                .filter(s -> s.kind.isIncident() || 2 * s.ranks.size() >= ranks.size())
                .anyMatch(s -> !(changed && lasts(s, excess.firstKey(), excess.lastKey())));
        boolean accused = same.stream().anyMatch(s -> s.kind.isIncident() && !s.observation);
        if (explained || (accused && observed)) {
            return; // something else is known of these ranks: it makes their CPU late, or is what matters
        }
        NavigableMap<Long, Double> loss = loss(known, ranks, excess, idle);
        if (loss.isEmpty()) {
            return;
        }
        List<Suspect> vague = same.stream().filter(s -> VAGUE.contains(s.kind)).toList();
        long first = excess.firstKey();
        long last = excess.lastKey();
        vague.forEach(s -> (mostlyWithin(s, first, last) ? s.claims.subMap(first, true, last, true) : s.claims)
                .forEach((step, nanos) -> loss.merge(step, nanos, Math::max)));
        known.removeAll(vague);
        known.add(suspect(ranks, host, list, loss));
    }

    /** True if hardly anything of a suspect lies outside some steps: a hiccup before is not when launches became slow. */
    private static boolean mostlyWithin(Suspect s, long first, long last) {
        return s.claims.subMap(first, true, last, true).values().stream()
                        .mapToDouble(v -> v)
                        .sum()
                >= WITHIN_SHARE * s.totalClaim();
    }

    /** What the slow launches cost at most, by step; empty when nothing shows that they cost anything. */
    private NavigableMap<Long, Double> loss(
            List<Suspect> known, RankSet ranks, NavigableMap<Long, Double> excess, Map<Long, Double> idleNanos) {
        double meanIdle =
                idleNanos.values().stream().mapToDouble(v -> v).average().orElse(0);
        boolean idle = meanIdle >= IDLE_RATIO * times.typicalNanos();
        Set<Long> quiet = new HashSet<>(times.steps());
        quiet.removeAll(events);
        quiet.removeIf(s -> s >= excess.firstKey() && s <= excess.lastKey());
        known.stream()
                .map(Suspect::disturbed)
                .filter(in -> !in.containsAll(excess.keySet())) // what is in the others, too, explains no difference
                .forEach(quiet::removeAll);
        double before = Robust.median(values(quiet));
        double inside = Robust.median(values(excess.keySet()));
        Set<Long> troubled = new HashSet<>(times.steps());
        troubled.removeAll(quiet);
        double sigma = times.quietSigma(troubled) * Math.sqrt(1.0 / Math.max(1, quiet.size()) + 1.0 / excess.size());
        boolean longer = quiet.size() >= 2 && inside - before > Math.max(RISE_RATIO * before, RISE_SIGMAS * sigma);
        double share = 0;
        for (int rank : ranks.toArray()) {
            share += state.ledger.causedRatio(rank, excess.firstKey(), excess.lastKey());
        }
        double own = (double) ranks.size() / Math.max(1, shape.ranks().size());
        boolean waited = share >= Math.max(CAUSED_SHARE, CAUSED_FACTOR * own);
        if (quiet.size() >= 2) {
            return longer || idle ? excess : new TreeMap<>();
        }
        TreeMap<Long, Double> loss = new TreeMap<>();
        if (waited || idle) {
            int others = Math.max(1, shape.ranks().size() - ranks.size());
            excess.forEach((step, nanos) -> {
                double waits = state.ledger.causedNanos(ranks, step) / others;
                loss.put(step, Math.min(nanos, Math.max(waits, idleNanos.getOrDefault(step, 0.0))));
            });
        }
        return loss;
    }

    private double[] values(Set<Long> steps) {
        return steps.stream().mapToDouble(times::at).toArray();
    }

    private Suspect suspect(RankSet ranks, String host, List<LaunchFinding> list, Map<Long, Double> loss) {
        boolean whole = !host.isEmpty();
        LaunchFinding worst = list.getFirst();
        for (LaunchFinding f : list) {
            worst = f.ratio() > worst.ratio() ? f : worst;
        }
        double ratio =
                Robust.median(list.stream().mapToDouble(LaunchFinding::ratio).toArray());
        Suspect s = new Suspect(
                whole ? IncidentKind.HOST_CONTENTION : IncidentKind.CPU_STALL,
                whole ? Scope.HOST : Scope.RANK,
                ranks,
                host);
        s.observation = list.stream().allMatch(LaunchFinding::observed);
        loss.forEach(s::claim);
        s.levels.add(Level.L2);
        if (times.slowerIn(s.claims.keySet())) {
            s.levels.add(Level.L1);
        }
        s.activeSteps = worst.active();
        s.margin = Math.max(1, worst.sigmas() / 5);
        boolean itself = worst.itself();
        s.what = "needs " + Say.times(ratio) + (itself ? " as long as at other steps" : " as long as its peers")
                + " to launch the same kernels"
                + (whole ? ", on " + list.size() + " of its ranks" : "");
        s.why = "The CPU time for each kernel launched is compared with "
                + (itself ? "other steps, for no other host does the same work" : "ranks on other hosts")
                + "; the kernels themselves have normal durations, and the job waits for these launches.";
        s.advice = CauseRules.advice(s.kind, s.scope);
        s.evidence.add(new Evidence(
                "CPU time for each kernel launched",
                ratio,
                "x",
                itself ? "its own pace at other steps" : "median of the peers on other hosts",
                LaunchPace.leastRatio(s.observation, whole)));
        return s;
    }
}
