package dev.argus.engine;

import dev.argus.model.Evidence;
import dev.argus.model.IncidentKind;
import dev.argus.model.JobShape;
import dev.argus.model.Level;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Suspects from the own work of ranks: one a rank and cause, merged to one a host or group where its ranks share it, and to the
 * job where it rotates over many ranks.
 */
final class RankSuspects {
    /** A host is at fault when at least this share of its ranks is, and two of them. */
    private static final double HOST_SHARE = 0.5;

    /** From this share of all ranks on, gaps that no host explains are nobody's fault. */
    private static final double MANY_SHARE = 0.25;

    /** From this share of the hosts on, pauses that whole hosts have are the job's. */
    private static final double MANY_HOSTS_SHARE = 0.5;

    /** A pause of all ranks below this share of the step is a hiccup of the job, and a note. */
    private static final double PAUSE_OF_ALL_RATIO = 0.3;

    /** Excess of ranks of one host that is the host's: the least against the largest. */
    private static final double OF_ONE_SIZE = 0.05;

    /** When so many ranks stand still at once it is all of the job. */
    private static final double STANDING_SHARE = 0.6;

    /** Single-step gaps on this many ranks, none of them twice in a row, are a habit of the job. */
    private static final int ROTATING_RANKS = 3;

    /** A rank with more than this share of all such gaps is the culprit, whatever the others had. */
    private static final double DOMINANT = 0.7;

    /** Pauses in this share of the cells of ranks and steps are no wandering ones. */
    private static final double DENSE_SHARE = 0.25;

    /** Short pauses in this share of the steps, each on another rank, are a habit of the job. */
    private static final double HABIT_SHARE = 0.4;

    /**
     * Pauses that wander are alike: of thousands of ranks one always has a hiccup, and would make a habit of what two ranks
     * have.
     */
    private static final double LIKE_SHARE = 0.25;

    /** A step of a stretch is affected when it has at least this share of the mean excess. */
    private static final double ACTIVE_SHARE = 0.3;

    private final Diagnosis.State state;
    private final JobShape shape;
    private final Set<Long> events;
    private final JobTimes times;
    private final CauseRules rules;

    RankSuspects(
            Diagnosis.State state,
            JobShape shape,
            NameTable names,
            Thresholds thresholds,
            Set<Long> events,
            JobTimes times) {
        this.state = state;
        this.shape = shape;
        this.events = events;
        this.times = times;
        this.rules = new CauseRules(state, shape, names, thresholds);
    }

    List<Suspect> find() {
        List<WorkFinding> findings = new ArrayList<>();
        List<WorkFinding> seen = new ArrayList<>();
        for (WorkFinding f : state.work) {
            WorkFinding trimmed = without(events, f);
            if (trimmed != null) {
                (f.weight() == Weight.SEEN ? seen : findings).add(trimmed);
            }
        }
        Set<Long> moments = CommonMoments.steps(state.references);
        List<WorkFinding> own = moments.isEmpty()
                ? findings
                : findings.stream()
                        .map(f -> f.weight().ofAll() || named(f) ? f : without(moments, f))
                        .filter(Objects::nonNull)
                        .toList();
        List<Suspect> suspects = new ArrayList<>();
        for (OwnComponent c : OwnComponent.values()) {
            List<WorkFinding> of = own.stream().filter(f -> f.component() == c).toList();
            List<WorkFinding> left = new ArrayList<>(of);
            if (c == OwnComponent.GAP) {
                everSince(left, suspects);
                everybody(left, suspects);
                rotating(left, suspects);
            }
            if (c == OwnComponent.COPY) {
                left.removeIf(rules::copiesForItsGroup);
            }
            CommonGroups common = new CommonGroups(shape);
            if (c == OwnComponent.COMPUTE) {
                groups(common::wholeAcrossHosts, left, suspects);
            }
            hosts(c, left, suspects);
            left.removeIf(f -> f.weight() == Weight.HINT);
            if (c == OwnComponent.COMPUTE) {
                groups(common::best, left, suspects);
            }
            if (c == OwnComponent.GAP) {
                many(left, suspects);
            }
            for (WorkFinding f : left) {
                suspects.add(rank(f));
            }
        }
        new WanderingPauses(rules).find(seen, suspects);
        return suspects;
    }

    /** True if it is known what the CPU did meanwhile. */
    private boolean named(WorkFinding f) {
        return f.component() == OwnComponent.GAP
                && rules.suspect(f, Scope.RANK, RankSet.of(f.rank()), "").kind != IncidentKind.CPU_STALL;
    }

    /** The finding without steps in which the whole job did something else; null when nothing is left. */
    private static @Nullable WorkFinding without(Set<Long> events, WorkFinding f) {
        int n = 0;
        long[] steps = new long[f.steps().length];
        double[] excess = new double[steps.length];
        double total = 0;
        for (int i = 0; i < steps.length; i++) {
            if (!events.contains(f.steps()[i])) {
                steps[n] = f.steps()[i];
                excess[n++] = f.excessNanos()[i];
                total += Math.max(0, f.excessNanos()[i]);
            }
        }
        if (n == f.steps().length) {
            return f;
        }
        if (n == 0 || total / n < f.thresholdNanos()) {
            return null;
        }
        return f.only(Arrays.copyOf(steps, n), Arrays.copyOf(excess, n));
    }

    private Suspect rank(WorkFinding f) {
        Suspect s = rules.suspect(f, Scope.RANK, RankSet.of(f.rank()), "");
        s.observation |= f.weight() != Weight.ACCUSES;
        fill(s, List.of(f));
        return s;
    }

    private void fill(Suspect s, List<WorkFinding> findings) {
        s.levels.add(Level.L2);
        s.computes = findings.getFirst().component() == OwnComponent.COMPUTE;
        TreeMap<Long, Double> worst = new TreeMap<>();
        double margin = 0;
        int active = 0;
        for (WorkFinding f : findings) {
            for (int i = 0; i < f.steps().length; i++) {
                worst.merge(f.steps()[i], f.excessNanos()[i], Math::max);
                if (f.excessNanos()[i] > 0 && f.component() == OwnComponent.GAP) {
                    s.upper.merge(f.steps()[i], f.excessNanos()[i], Double::sum);
                }
            }
            margin = Math.max(margin, f.meanNanos() / f.thresholdNanos());
            active = Math.max(active, f.active());
        }
        worst.forEach(s::claim);
        s.margin = margin;
        s.activeSteps = active;
        if (times.slowerIn(worst.keySet())) {
            s.levels.add(Level.L1);
        }
        for (int rank : s.ranks.toArray()) {
            double share = state.ledger.causedRatio(rank, s.firstStep(), s.lastStep() + 1);
            if (share > 1.5 / Math.max(2, shape.ranks().size()) && s.ranks.size() == 1) {
                s.evidence.add(new Evidence(
                        "waits of the other ranks in collectives that ended when rank " + rank + " arrived",
                        100 * share,
                        "%",
                        "all waits of these steps; an even share is "
                                + Math.round(100.0 / Math.max(1, shape.ranks().size())) + " %",
                        Double.NaN));
            }
        }
    }

    /** True if one of several hosts has most of the time of these findings: then it is that host's trouble. */
    private boolean oneHost(List<WorkFinding> findings) {
        Map<String, Double> byHost = new TreeMap<>();
        double all = 0;
        for (WorkFinding f : findings) {
            byHost.merge(shape.hostOf(f.rank()), f.totalNanos(), Double::sum);
            all += f.totalNanos();
        }
        double most = byHost.values().stream().mapToDouble(v -> v).max().orElse(0);
        return shape.hostCount() > 1 && most > DOMINANT * all;
    }

    /** True if these pauses fill so many of the steps of their host's ranks that wandering alone would not keep them there. */
    private boolean dense(List<WorkFinding> findings) {
        Set<Integer> ranks = new HashSet<>();
        int cells = 0;
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (WorkFinding f : findings) {
            ranks.add(f.rank());
            cells += f.active();
            first = Math.min(first, f.firstStep());
            last = Math.max(last, f.lastStep());
        }
        return cells >= DENSE_SHARE * ranks.size() * (last - first + 1);
    }

    /** Takes out of {@code left} the steps in which all ranks stood still, and names what they did, if that tells anything. */
    private void everybody(List<WorkFinding> left, List<Suspect> suspects) {
        Map<Long, List<WorkFinding>> bySteps = new TreeMap<>();
        for (WorkFinding f : left) {
            if (f.weight() == Weight.EVERYBODY) {
                bySteps.computeIfAbsent(f.firstStep(), s -> new ArrayList<>()).add(f);
            }
        }
        left.removeIf(f -> f.weight() == Weight.EVERYBODY);
        bySteps.forEach((step, list) -> {
            WorkFinding longest = list.getFirst();
            Set<Integer> sets = new HashSet<>();
            double behind = 0;
            for (WorkFinding f : list) {
                longest = f.totalNanos() > longest.totalNanos() ? f : longest;
                sets.add(f.peerSet());
                behind += Math.max(f.afterWorkRatio(), f.inputRatio()) / list.size();
            }
            Suspect s = rules.suspect(longest, Scope.JOB, RankSet.EMPTY, "");
            boolean named = s.kind == IncidentKind.JIT_STALL || s.kind == IncidentKind.GC_PAUSE;
            boolean regular = behind > 0.5 || bySteps.size() > 1;
            if (((!wide(sets) || regular) && !named) || shape.ranks().size() < 2) {
                return; // between steps or again and again: a checkpoint or the like, if nothing says otherwise
            }
            fill(s, List.of(longest));
            s.observation |= longest.meanNanos() < PAUSE_OF_ALL_RATIO * longest.stepNanos();
            s.what = s.what.replace(" more than its peers", "") + ", on all ranks at once";
            s.why = "All ranks stood still in the same step, so no rank stands out. " + s.why;
            suspects.add(s);
            left.removeIf(f -> f.firstStep() == step && f.lastStep() == step);
        });
    }

    /** Takes out of {@code left} what all ranks wait for in every step since one of them: the job's, and nobody's in particular. */
    private void everSince(List<WorkFinding> left, List<Suspect> suspects) {
        List<WorkFinding> all = left.stream()
                .filter(f -> f.weight() == Weight.EVER_SINCE)
                .sorted(Comparator.comparingDouble(WorkFinding::totalNanos).reversed())
                .toList();
        left.removeAll(all);
        if (all.isEmpty() || shape.ranks().size() < 2) {
            return;
        }
        WorkFinding longest = all.getFirst();
        Set<Integer> sets = new HashSet<>();
        for (WorkFinding f : all) {
            if (Math.abs(f.firstStep() - longest.firstStep()) <= 1) {
                sets.add(f.peerSet());
            }
        }
        Suspect s = rules.suspect(longest, Scope.JOB, RankSet.EMPTY, "");
        if (!wide(sets) || !s.kind.isIncident()) {
            return;
        }
        fill(s, List.of(longest));
        s.what = s.what.replace(" more than its peers", " more than before") + ", on all ranks alike";
        s.why =
                "All ranks stand idle for longer in every step since this one, at the same work, so no rank stands out. "
                        + s.why;
        suspects.add(s);
        left.removeIf(f -> f.weight() != Weight.ACCUSES
                && f.firstStep() >= longest.firstStep()
                && f.lastStep() <= longest.lastStep());
    }

    /** True if these peer sets are most of the job, or one that does not live on one host alone: its pipeline waits for it. */
    private boolean wide(Set<Integer> sets) {
        double standing = 0;
        for (WorkReference r : state.references) {
            standing += sets.contains(r.peerSet()) ? r.ranks() : 0;
        }
        if (standing >= STANDING_SHARE * shape.ranks().size()) {
            return true; // the GPUs of the others wait in a collective, which is not idle
        }
        for (int set : sets) {
            RankSet of = set < 0 ? RankSet.EMPTY : shape.peerSets().get(set);
            if (of.size() >= 4 && of.stream().mapToObj(shape::hostOf).distinct().count() > 1) {
                return true;
            }
        }
        return false;
    }

    /** Takes out of {@code left} what the ranks of one host have in common. */
    private void hosts(OwnComponent c, List<WorkFinding> left, List<Suspect> suspects) {
        Map<String, List<WorkFinding>> byHost = new LinkedHashMap<>();
        for (WorkFinding f : left) {
            String host = shape.hostOf(f.rank());
            if (!host.isEmpty() && (f.weight() == Weight.ACCUSES || (f.active() >= 3 && c != OwnComponent.COMPUTE))) {
                byHost.computeIfAbsent(host, h -> new ArrayList<>()).add(f);
            }
        }
        if (shape.hostCount() < 2) {
            return;
        }
        Map<String, List<WorkFinding>> guilty = new LinkedHashMap<>();
        byHost.values().forEach(RankSuspects::comparable);
        byHost.forEach((host, list) -> {
            if (suffersAsOne(host, list)) {
                guilty.put(host, list);
            }
        });
        if (c == OwnComponent.GAP && guilty.size() >= Math.max(2, MANY_HOSTS_SHARE * shape.hostCount())) {
            manyHosts(guilty, left, suspects);
            return;
        }
        guilty.forEach((host, list) -> {
            RankSet on = shape.ranksOn(host);
            Set<Integer> suspected = new HashSet<>();
            list.forEach(f -> suspected.add(f.rank()));
            WorkFinding strongest = list.getFirst();
            for (WorkFinding f : list) {
                strongest = f.totalNanos() > strongest.totalNanos() ? f : strongest;
            }
            RankSet ranks = c == OwnComponent.GAP || c == OwnComponent.CPU_WAIT
                    ? on
                    : RankSet.of(suspected.stream().mapToInt(r -> r).toArray());
            Suspect s = rules.suspect(strongest, Scope.HOST, ranks, host);
            fill(s, list);
            suspects.add(s);
            left.removeAll(list);
        });
    }

    /** Leaves those of a host that are of one size: what one rank always has is no part of what another suffers once. */
    private static void comparable(List<WorkFinding> list) {
        double most = list.stream().mapToDouble(WorkFinding::meanNanos).max().orElse(0);
        list.removeIf(f -> f.meanNanos() < OF_ONE_SIZE * most);
    }

    /** Takes out of {@code left} what the members of one group have in common: the replicas of a set of experts, say. */
    private void groups(
            Function<List<WorkFinding>, CommonGroups.@Nullable Common> next,
            List<WorkFinding> left,
            List<Suspect> suspects) {
        CommonGroups.Common common = next.apply(left);
        while (common != null && together(common.findings())) {
            List<WorkFinding> list = common.findings();
            WorkFinding strongest = list.getFirst();
            for (WorkFinding f : list) {
                strongest = f.totalNanos() > strongest.totalNanos() ? f : strongest;
            }
            RankSet ranks = RankSet.of(list.stream().mapToInt(WorkFinding::rank).toArray());
            Suspect s = rules.suspect(strongest, Scope.GROUP, ranks, "");
            fill(s, list);
            s.groups.add(common.group().ranks());
            s.dimension = common.group().dimension();
            s.why = ranks.size() + " of the " + common.group().ranks().size()
                    + " members are slow in the same steps; the numbers are those of the slowest, rank "
                    + strongest.rank() + ". " + s.why;
            suspects.add(s);
            left.removeAll(list);
            common = next.apply(left);
        }
    }

    /** Half of the ranks of the host, or, of those that load data for others, half of these: the others wait behind them. */
    private boolean suffersAsOne(String host, List<WorkFinding> list) {
        int[] suspected =
                list.stream().mapToInt(WorkFinding::rank).distinct().sorted().toArray();
        RankSet on = shape.ranksOn(host);
        boolean loaders = Arrays.stream(suspected).allMatch(shape::loadsForOthers)
                && list.stream().noneMatch(f -> f.weight() == Weight.HINT); // two of a host are few: no hints
        long comparable = loaders ? on.stream().filter(shape::loadsForOthers).count() : on.size();
        return suspected.length >= 2 && suspected.length >= HOST_SHARE * comparable && together(list);
    }

    /** Takes out of {@code left} pauses that half of the hosts have: that many do not break at once, it is what the job does. */
    private void manyHosts(Map<String, List<WorkFinding>> guilty, List<WorkFinding> left, List<Suspect> suspects) {
        List<WorkFinding> all = guilty.values().stream().flatMap(List::stream).toList();
        WorkFinding longest = all.getFirst();
        Set<Integer> ranks = new HashSet<>();
        for (WorkFinding f : all) {
            longest = f.totalNanos() > longest.totalNanos() ? f : longest;
            ranks.add(f.rank());
        }
        Suspect s = rules.suspect(longest, Scope.JOB, RankSet.EMPTY, "");
        fill(s, all);
        s.involved = RankSet.of(ranks.stream().mapToInt(r -> r).toArray());
        s.what = s.what + ", on " + ranks.size() + " ranks of " + guilty.size() + " hosts";
        suspects.add(s);
        left.removeAll(all);
    }

    /** True if most of the ranks suffer in the same steps. */
    private static boolean together(List<WorkFinding> list) {
        Map<Long, Integer> count = new TreeMap<>();
        Set<Integer> ranks = new HashSet<>();
        for (WorkFinding f : list) {
            ranks.add(f.rank());
            for (int i = 0; i < f.steps().length; i++) {
                if (f.excessNanos()[i] >= ACTIVE_SHARE * f.meanNanos()) {
                    count.merge(f.steps()[i], 1, Integer::sum);
                }
            }
        }
        int most = count.values().stream().mapToInt(v -> v).max().orElse(0);
        return 2 * most >= ranks.size() && most >= 2;
    }

    /** Takes out of {@code left} gaps that so many ranks have, over several hosts, that they are a way of working and no fault. */
    private void many(List<WorkFinding> left, List<Suspect> suspects) {
        Set<Integer> ranks = new HashSet<>();
        left.forEach(f -> ranks.add(f.rank()));
        if (ranks.size() < 3 || ranks.size() < MANY_SHARE * shape.ranks().size()) {
            return;
        }
        WorkFinding largest = left.getFirst();
        for (WorkFinding f : left) {
            largest = f.totalNanos() > largest.totalNanos() ? f : largest;
        }
        RankSet all = RankSet.of(ranks.stream().mapToInt(r -> r).toArray());
        for (IncidentKind kind : List.of(IncidentKind.JIT_STALL, IncidentKind.GC_PAUSE)) {
            if (mostly(kind, left)) {
                suspects.add(together(largest, all, left));
                left.clear();
                return;
            }
        }
        Suspect s = new Suspect(IncidentKind.RANK_ASYMMETRY, Scope.GROUP, all, "");
        fill(s, left);
        s.what = "leave their GPUs idle for up to " + Say.time(largest.meanNanos()) + " a step more than the others";
        s.why =
                "So many ranks do it, on several hosts, that it is the way the job works: loading data for others, logging, or the like.";
        s.advice = CauseRules.advice(IncidentKind.RANK_ASYMMETRY);
        suspects.add(s);
        left.clear();
    }

    /** True if most of the time of these gaps has one cause by what the CPUs did. */
    private boolean mostly(IncidentKind kind, List<WorkFinding> findings) {
        double all = 0;
        double of = 0;
        for (WorkFinding f : findings) {
            all += f.totalNanos();
            of += rules.suspect(f, Scope.RANK, RankSet.of(f.rank()), "").kind == kind ? f.totalNanos() : 0;
        }
        return of >= DOMINANT * all;
    }

    /**
     * Many ranks do the same at once, and wait for each other behind it: what is idle on each is less than what the step lost, for a GPU
     * that waits in a collective is not idle.
     */
    private Suspect together(WorkFinding largest, RankSet ranks, List<WorkFinding> findings) {
        Suspect s = rules.suspect(largest, Scope.JOB, RankSet.EMPTY, "");
        fill(s, findings);
        s.claims.replaceAll((step, nanos) -> {
            double longer = times.at(step) - times.typicalNanos();
            return longer > nanos ? longer : nanos; // a step that was not measured has no length
        });
        s.involved = ranks;
        s.what = s.what + ", on " + ranks.size() + " ranks at once";
        s.why = "Many ranks did the same in the same steps, so no rank stands out. " + s.why;
        return s;
    }

    /** Takes out of {@code left} single gaps that wander over the ranks. */
    private void rotating(List<WorkFinding> left, List<Suspect> suspects) {
        List<WorkFinding> single = new ArrayList<>();
        Set<Integer> ranks = new HashSet<>();
        Set<Long> steps = new HashSet<>();
        double all = 0;
        Map<Integer, Double> byRank = new TreeMap<>();
        double longestPause =
                left.stream().mapToDouble(WorkFinding::meanNanos).max().orElse(0);
        for (WorkFinding f : left) {
            boolean sparse =
                    f.active() <= 2 || (f.weight() == Weight.ACCUSES && 2 * f.active() <= f.steps().length + 1);
            if (sparse && f.meanNanos() >= LIKE_SHARE * longestPause) {
                single.add(f);
                ranks.add(f.rank());
                steps.add(f.firstStep());
                all += f.totalNanos();
                byRank.merge(f.rank(), f.totalNanos(), Double::sum);
            }
        }
        double most = byRank.values().stream().mapToDouble(v -> v).max().orElse(0);
        boolean strong = single.stream().anyMatch(f -> f.weight() == Weight.ACCUSES);
        int demanded = strong ? 2 : (int) Math.max(4, HABIT_SHARE * times.size());
        boolean habit =
                ranks.size() >= ROTATING_RANKS && CommonMoments.count(steps) >= demanded && most <= DOMINANT * all;
        if (!habit || (oneHost(single) && (together(single) || dense(single)))) {
            return;
        }
        WorkFinding longest = single.getFirst();
        for (WorkFinding f : single) {
            longest = f.totalNanos() > longest.totalNanos() ? f : longest;
        }
        Suspect s = rules.suspect(longest, Scope.JOB, RankSet.EMPTY, "");
        fill(s, single);
        s.involved = RankSet.of(ranks.stream().mapToInt(r -> r).toArray());
        s.what = s.what + ", on " + ranks.size() + " ranks at different steps";
        suspects.add(s);
        left.removeAll(single);
    }
}
