package dev.argus.engine;

import dev.argus.model.Evidence;
import dev.argus.model.JobShape;
import dev.argus.model.Level;
import dev.argus.model.RankSet;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What findings about several ranks have in common: a host, the same steps; and what a suspect takes over from them. */
final class SharedFindings {
    /** A host is at fault when at least this share of its ranks is, and two of them. */
    private static final double HOST_SHARE = 0.5;

    /** Pauses in this share of the cells of ranks and steps are no wandering ones. */
    private static final double DENSE_SHARE = 0.25;

    /** A step of a stretch is affected when it has at least this share of the mean excess. */
    private static final double ACTIVE_SHARE = 0.3;

    /** A host has most of the time from this share on. */
    private static final double DOMINANT = 0.7;

    private static final String LASTING_ADVICE =
            "Nothing to act on by itself: some GPU is always the slowest, and all others wait for it. If this one is so in other jobs"
                    + " too, look at its clocks and cooling, or exchange it when convenient.";

    private final Diagnosis.State state;
    private final JobShape shape;
    private final JobTimes times;

    SharedFindings(Diagnosis.State state, JobShape shape, JobTimes times) {
        this.state = state;
        this.shape = shape;
        this.times = times;
    }

    /** Gives a suspect the steps, the excess and the levels of the findings about it. */
    void fill(Suspect s, List<WorkFinding> findings) {
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
        if (findings.stream().allMatch(f -> f.weight() == Weight.LASTING)) {
            worst.keySet().forEach(step -> s.claims.put(step, 0.0));
            s.standingNanos =
                    worst.values().stream().mapToDouble(v -> Math.max(0, v)).sum();
            s.advice = s.kind.isIncident() ? LASTING_ADVICE : s.advice; // else more work or another model explains it
        } else {
            worst.forEach(s::claim);
        }
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
                        "all waits of these steps that one rank alone ended; an even share is "
                                + Say.percent(1.0 / Math.max(1, shape.ranks().size())),
                        Double.NaN));
            }
        }
    }

    /** The one of several hosts that has most of the time of these findings: then it is that host's trouble; empty if there is none. */
    String mostlyOn(List<WorkFinding> findings) {
        Map<String, Double> byHost = new TreeMap<>();
        double all = 0;
        for (WorkFinding f : findings) {
            byHost.merge(shape.hostOf(f.rank()), f.totalNanos(), Double::sum);
            all += f.totalNanos();
        }
        double least = DOMINANT * all;
        return byHost.entrySet().stream()
                .filter(e -> shape.hostCount() > 1 && e.getValue() > least)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("");
    }

    /** True if these pauses fill so many of the steps of their host's ranks that wandering alone would not keep them there. */
    boolean dense(List<WorkFinding> findings) {
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

    /** True for what can make a host a suspect. */
    static boolean countsForHost(OwnComponent c, WorkFinding f) {
        return f.weight() == Weight.ACCUSES || (f.active() >= 3 && c != OwnComponent.COMPUTE);
    }

    /** Half of the ranks of the host, or, of those that load data for others, half of these: the others wait behind them. */
    boolean suffersAsOne(String host, List<WorkFinding> list) {
        int[] suspected =
                list.stream().mapToInt(WorkFinding::rank).distinct().sorted().toArray();
        RankSet on = shape.ranksOn(host);
        boolean loaders = Arrays.stream(suspected).allMatch(shape::loadsForOthers)
                && list.stream().noneMatch(f -> f.weight() == Weight.HINT); // two of a host are few: no hints
        long comparable = loaders ? on.stream().filter(shape::loadsForOthers).count() : on.size();
        return suspected.length >= 2 && suspected.length >= HOST_SHARE * comparable && together(list);
    }

    /** True if most of the ranks suffer in the same steps. */
    static boolean together(List<WorkFinding> list) {
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

    /** True if at least half of the ranks of a host are among these. */
    boolean ofMostRanks(String host, Set<Integer> ranks) {
        RankSet on = shape.ranksOn(host);
        long with = Arrays.stream(on.toArray()).filter(ranks::contains).count();
        return with >= 2 && with >= HOST_SHARE * on.size();
    }
}
