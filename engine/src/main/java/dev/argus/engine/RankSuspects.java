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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Suspects from the own work of ranks: one a rank and cause, merged to one a host or group where its ranks share it, and to the
 * job where it rotates over many ranks.
 */
final class RankSuspects {
    /** Where so many ranks of a host are seen to be a little slow, those that are not seen to be are only nearer to the others by chance. */
    private static final double WHOLE_SHARE = 0.6;

    /** From this share of all ranks on, gaps that no host explains are nobody's fault. */
    private static final double MANY_SHARE = 0.25;

    /** From this share of the hosts on, pauses that whole hosts have are the job's. */
    private static final double MANY_HOSTS_SHARE = 0.5;

    /** Excess of ranks of one host that is the host's: the least against the largest. */
    private static final double OF_ONE_SIZE = 0.05;

    /** A cause of this share of the time of gaps is that of them all. */
    private static final double DOMINANT = 0.7;

    /** Of the waits of all that fall to a rank evenly, what it must cause at least to be accused. */
    private static final double WAITED_FOR = 0.5;

    /** From this share of its excess on in gaps that are shorter than any pause, late launches are many and not a few. */
    private static final double SCATTERED = 0.5;

    /** A rank that does the same work and has this share of its kernels less on record has lost some. */
    private static final double LEAST_MISSING = 0.01;

    /** Gaps of which a smaller share ended with work launched late are no CPU's. */
    private static final double LATE = 0.5;

    /** Lost kernels leave gaps of their share of the step, or of a few times as much: they may be the longer ones. */
    private static final double HOLE_FACTOR = 3;

    private final Diagnosis.State state;
    private final JobShape shape;
    private final Set<Long> events;
    private final JobTimes times;
    private final CauseRules rules;
    private final SharedFindings shared;
    private final CommonPauses pauses;
    private final double floorRatio;
    private final boolean live;

    /** @param live of a job that goes on, what lies apart in time is no part of each other; a recording is read as a whole */
    RankSuspects(
            Diagnosis.State state,
            JobShape shape,
            NameTable names,
            Thresholds thresholds,
            Set<Long> events,
            JobTimes times,
            boolean live) {
        this.live = live;
        this.state = state;
        this.shape = shape;
        this.events = events;
        this.times = times;
        this.rules = new CauseRules(state, shape, names, thresholds);
        this.floorRatio = thresholds.incidentFloorRatio();
        this.shared = new SharedFindings(state, shape, times);
        this.pauses = new CommonPauses(state, shape, times, rules, shared, thresholds.pauseRatio(), live);
    }

    List<Suspect> find() {
        List<WorkFinding> findings = new ArrayList<>();
        List<WorkFinding> seen = new ArrayList<>();
        for (WorkFinding f : state.work) {
            WorkFinding trimmed = without(events, f);
            if (trimmed != null && !lagsOnly(trimmed)) {
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
                holes(left, suspects);
                pauses.find(left, seen, suspects);
            }
            if (c == OwnComponent.COPY) {
                left.removeIf(rules::copiesForItsGroup);
            }
            CommonGroups common = new CommonGroups(shape);
            if (c == OwnComponent.COMPUTE) {
                groups(common::wholeAcrossHosts, left, suspects);
            }
            hosts(c, f -> SharedFindings.countsForHost(c, f), left, suspects);
            if (c == OwnComponent.COMPUTE) {
                hosts(c, f -> f.weight() == Weight.OBSERVED || f.weight() == Weight.LASTING, left, suspects);
            }
            left.removeIf(f -> f.weight() == Weight.HINT);
            if (c == OwnComponent.COMPUTE) {
                groups(common::best, left, suspects);
            }
            if (c == OwnComponent.GAP) {
                times(left).forEach(part -> many(part, left, suspects));
            }
            for (WorkFinding f : left) {
                suspects.add(rank(f));
            }
        }
        new WanderingPauses(rules, shape, shared).find(seen, floorRatio * times.measuredNanos(), suspects);
        return suspects;
    }

    /**
     * True for a rank whose launches all come late and are no slower than those of its peers. Where nothing makes CPUs wait for their GPUs, and launching takes longer than computing, a rank that was delayed
     * once is the last for ever after: its GPU waits for each launch, those of the others wait in collectives, and all go on at the pace that all CPUs have. If its own pace is slower, its launches tell
     * ({@link LaunchPace}).
     */
    private boolean lagsOnly(WorkFinding f) {
        return f.component() == OwnComponent.GAP
                && f.gpu()
                && !f.weight().ofAll()
                && f.weight() != Weight.SEEN // what the rank has more than in other steps, its peers may have, too
                && f.scatteredRatio() >= SCATTERED
                && f.hostLateRatio() >= SCATTERED
                && state.launches.stream()
                        .noneMatch(l ->
                                l.rank() == f.rank() && l.firstStep() <= f.lastStep() && l.lastStep() >= f.firstStep());
    }

    /** Takes out of {@code left} gaps in whose place peers have kernels that the rank does not have: its recorder lost them, for no launch came late. */
    private void holes(List<WorkFinding> left, List<Suspect> suspects) {
        List<WorkFinding> holes = left.stream().filter(RankSuspects::isHole).toList();
        left.removeAll(holes);
        for (WorkFinding f : holes) {
            if (f.weight() != Weight.ACCUSES) {
                continue;
            }
            Suspect s = new Suspect(IncidentKind.RANK_ASYMMETRY, Scope.RANK, RankSet.of(f.rank()), "");
            for (long step : f.steps()) {
                s.claims.put(step, 0.0);
            }
            s.levels.add(Level.L2);
            s.margin = (1 - f.kernelsRatio()) / LEAST_MISSING;
            s.activeSteps = f.active();
            s.what = "has " + Say.percent(1 - f.kernelsRatio())
                    + " fewer kernels on record than its peers, and idle gaps in their place";
            s.why =
                    "The work after these gaps had been launched before they began, so no CPU was late: kernels are missing in the record. Its gaps are not judged.";
            s.advice =
                    "Record again with more or larger buffers for this process; until then its idle time means nothing.";
            s.evidence.add(new Evidence(
                    "kernels on record",
                    f.kernelsRatio(),
                    "x",
                    "median of " + f.peers() + " ranks",
                    1 - LEAST_MISSING));
            suspects.add(s);
        }
    }

    private static boolean isHole(WorkFinding f) {
        double missing = 1 - f.kernelsRatio();
        return f.gpu()
                && !f.weight().ofAll()
                && missing >= LEAST_MISSING
                && f.hostLateRatio() < LATE
                && f.meanNanos() <= HOLE_FACTOR * missing * f.stepNanos();
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

    /**
     * True for a rank without GPU that works longer and for which hardly anybody waits: it waits for others, comes back to cold caches and a busy CPU, and nobody gains if it
     * does not.
     */
    private boolean waitsItself(WorkFinding f) {
        if (f.gpu() || f.component() != OwnComponent.COMPUTE || state.ledger.isEmpty()) {
            return false;
        }
        double even = 1.0 / Math.max(2, shape.ranks().size());
        return state.ledger.causedRatio(f.rank(), f.firstStep(), f.lastStep() + 1) < WAITED_FOR * even;
    }

    private Suspect rank(WorkFinding f) {
        Suspect s = rules.suspect(f, Scope.RANK, RankSet.of(f.rank()), "");
        s.observation |= f.weight() != Weight.ACCUSES || waitsItself(f);
        shared.fill(s, List.of(f));
        return s;
    }

    /** Takes out of {@code left} what the ranks of one host have in common. */
    private void hosts(OwnComponent c, Predicate<WorkFinding> counts, List<WorkFinding> left, List<Suspect> suspects) {
        Map<String, List<WorkFinding>> byHost = new LinkedHashMap<>();
        for (WorkFinding f : left) {
            String host = shape.hostOf(f.rank());
            if (!host.isEmpty() && counts.test(f)) {
                byHost.computeIfAbsent(host, h -> new ArrayList<>()).add(f);
            }
        }
        if (shape.hostCount() < 2) {
            return;
        }
        List<Guilty> guilty = new ArrayList<>();
        byHost.forEach((host, all) -> {
            for (List<WorkFinding> part : times(all)) {
                List<WorkFinding> list = comparable(part);
                if (shared.suffersAsOne(host, list)) {
                    guilty.add(new Guilty(host, list));
                }
            }
        });
        for (List<Guilty> meanwhile : live ? QuietTimes.split(guilty, Guilty::pauses) : List.of(guilty)) {
            long hosts = meanwhile.stream().map(Guilty::host).distinct().count();
            if (c == OwnComponent.GAP && hosts >= Math.max(2, MANY_HOSTS_SHARE * shape.hostCount())) {
                manyHosts(meanwhile, left, suspects);
            } else {
                meanwhile.forEach(g -> host(c, g, left, suspects));
            }
        }
    }

    /** What the ranks of a host have at one time. */
    private record Guilty(String host, List<WorkFinding> findings) {
        long[] pauses() {
            return findings.stream()
                    .flatMapToLong(f -> Arrays.stream(QuietTimes.pauses(f)))
                    .sorted()
                    .distinct()
                    .toArray();
        }
    }

    private List<List<WorkFinding>> times(List<WorkFinding> findings) {
        return live ? QuietTimes.split(findings) : List.of(List.copyOf(findings));
    }

    private void host(OwnComponent c, Guilty guilty, List<WorkFinding> left, List<Suspect> suspects) {
        String host = guilty.host();
        List<WorkFinding> list = guilty.findings();
        RankSet on = shape.ranksOn(host);
        Set<Integer> suspected = new HashSet<>();
        list.forEach(f -> suspected.add(f.rank()));
        WorkFinding strongest = list.getFirst();
        for (WorkFinding f : list) {
            strongest = f.totalNanos() > strongest.totalNanos() ? f : strongest;
        }
        boolean observed = c == OwnComponent.COMPUTE && list.stream().noneMatch(f -> f.weight() == Weight.ACCUSES);
        boolean whole = c == OwnComponent.GAP
                || c == OwnComponent.CPU_WAIT
                || (observed && suspected.size() >= WHOLE_SHARE * on.size());
        RankSet ranks =
                whole ? on : RankSet.of(suspected.stream().mapToInt(r -> r).toArray());
        Suspect s = rules.suspect(strongest, Scope.HOST, ranks, host);
        s.observation |= observed;
        shared.fill(s, list);
        suspects.add(s);
        left.removeAll(list);
    }

    /** Those of a host that are of one size: what one rank always has is no part of what another suffers once. */
    private static List<WorkFinding> comparable(List<WorkFinding> list) {
        double most = list.stream().mapToDouble(WorkFinding::meanNanos).max().orElse(0);
        return list.stream().filter(f -> f.meanNanos() >= OF_ONE_SIZE * most).toList();
    }

    /** Takes out of {@code left} what the members of one group have in common: the replicas of a set of experts, say. */
    private void groups(
            Function<List<WorkFinding>, CommonGroups.@Nullable Common> next,
            List<WorkFinding> left,
            List<Suspect> suspects) {
        CommonGroups.Common common = next.apply(left);
        while (common != null && SharedFindings.together(common.findings())) {
            List<WorkFinding> list = common.findings();
            WorkFinding strongest = list.getFirst();
            for (WorkFinding f : list) {
                strongest = f.totalNanos() > strongest.totalNanos() ? f : strongest;
            }
            RankSet ranks = RankSet.of(list.stream().mapToInt(WorkFinding::rank).toArray());
            Suspect s = rules.suspect(strongest, Scope.GROUP, ranks, "");
            shared.fill(s, list);
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

    /** Takes out of {@code left} pauses that half of the hosts have: that many do not break at once, it is what the job does. */
    private void manyHosts(List<Guilty> guilty, List<WorkFinding> left, List<Suspect> suspects) {
        List<WorkFinding> all =
                guilty.stream().flatMap(g -> g.findings().stream()).toList();
        long hosts = guilty.stream().map(Guilty::host).distinct().count();
        WorkFinding longest = all.getFirst();
        Set<Integer> ranks = new HashSet<>();
        for (WorkFinding f : all) {
            longest = f.totalNanos() > longest.totalNanos() ? f : longest;
            ranks.add(f.rank());
        }
        Suspect s = rules.suspect(longest, Scope.JOB, RankSet.EMPTY, "");
        shared.fill(s, all);
        s.involved = RankSet.of(ranks.stream().mapToInt(r -> r).toArray());
        s.what = s.what + ", on " + ranks.size() + " ranks of " + hosts + " hosts";
        suspects.add(s);
        left.removeAll(all);
    }

    /** Takes out of {@code left} gaps that so many ranks have, over several hosts, that they are a way of working and no fault. */
    private void many(List<WorkFinding> part, List<WorkFinding> left, List<Suspect> suspects) {
        Set<Integer> ranks = new HashSet<>();
        part.forEach(f -> ranks.add(f.rank()));
        if (ranks.size() < 3 || ranks.size() < MANY_SHARE * shape.ranks().size()) {
            return;
        }
        WorkFinding largest = part.getFirst();
        for (WorkFinding f : part) {
            largest = f.totalNanos() > largest.totalNanos() ? f : largest;
        }
        RankSet all = RankSet.of(ranks.stream().mapToInt(r -> r).toArray());
        for (IncidentKind kind : List.of(IncidentKind.JIT_STALL, IncidentKind.GC_PAUSE)) {
            if (mostly(kind, part)) {
                suspects.add(together(largest, all, part));
                left.removeAll(new HashSet<>(part));
                return;
            }
        }
        Suspect s = new Suspect(IncidentKind.RANK_ASYMMETRY, Scope.GROUP, all, "");
        shared.fill(s, part);
        s.what = "leave their GPUs idle for up to " + Say.time(largest.meanNanos()) + " a step more than the others";
        s.why =
                "So many ranks do it, on several hosts, that it is the way the job works: loading data for others, logging, or the like.";
        s.advice = CauseRules.advice(IncidentKind.RANK_ASYMMETRY);
        suspects.add(s);
        left.removeAll(new HashSet<>(part));
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
        shared.fill(s, findings);
        s.claims.replaceAll((step, nanos) -> {
            double longer = times.at(step) - times.typicalNanos();
            return longer > nanos ? longer : nanos; // a step that was not measured has no length
        });
        s.involved = ranks;
        s.what = s.what + ", on " + ranks.size() + " ranks at once";
        s.why = "Many ranks did the same in the same steps, so no rank stands out. " + s.why;
        return s;
    }
}
