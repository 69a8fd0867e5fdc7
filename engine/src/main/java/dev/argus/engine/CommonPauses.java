package dev.argus.engine;

import dev.argus.model.JobShape;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Pauses that are the job's, or a host's, and no single rank's: all ranks stand still in the same step, all wait for something in every step since one, or short
 * pauses wander over the ranks.
 */
final class CommonPauses {
    /** A pause of all ranks below this share of the step is a hiccup of the job, and a note. */
    static final double PAUSE_OF_ALL_RATIO = 0.3;

    /** When so many ranks stand still at once it is all of the job. */
    private static final double STANDING_SHARE = 0.6;

    /** Single-step gaps on this many ranks, none of them twice in a row, are a habit of the job. */
    private static final int ROTATING_RANKS = 3;

    /** Short pauses in this share of the steps, each on another rank, are a habit of the job. */
    private static final double HABIT_SHARE = 0.25;

    /** Short pauses at fewer moments are no habit. */
    private static final int LEAST_MOMENTS = 3;

    /**
     * Pauses that wander are alike: of thousands of ranks one always has a hiccup, and would make a habit of what two ranks
     * have.
     */
    private static final double LIKE_SHARE = 0.25;

    /** A rank with more than this share of all such gaps is the culprit, whatever the others had. */
    private static final double DOMINANT = 0.7;

    private final Diagnosis.State state;
    private final JobShape shape;
    private final JobTimes times;
    private final CauseRules rules;
    private final SharedFindings shared;
    private final double pauseRatio;
    private final boolean live;

    /**
     * @param pauseRatio least pause, of the step, that counts towards a habit of the job
     * @param live of a job that goes on, the faults of many hours are no habit
     */
    CommonPauses(
            Diagnosis.State state,
            JobShape shape,
            JobTimes times,
            CauseRules rules,
            SharedFindings shared,
            double pauseRatio,
            boolean live) {
        this.state = state;
        this.shape = shape;
        this.times = times;
        this.rules = rules;
        this.shared = shared;
        this.pauseRatio = pauseRatio;
        this.live = live;
    }

    /**
     * Takes them out of {@code left}, the gaps of ranks, and adds what is to be said about them.
     *
     * @param seen pauses that the job waited for
     */
    void find(List<WorkFinding> left, List<WorkFinding> seen, List<Suspect> suspects) {
        everSince(left, suspects);
        loaders(left, seen);
        Set<Long> regular = new HashSet<>();
        List<WorkFinding> nobodys = everybody(left, seen, regular, suspects);
        rotating(left, seen, regular, suspects);
        seen.removeAll(nobodys);
    }

    /**
     * Takes out of {@code left} the steps in which all ranks stood still, and names what they did, if that tells anything.
     *
     * @param regular takes the steps in which they did what they do again and again
     * @return those of {@code seen} that are nobody's, for all had them then
     */
    private List<WorkFinding> everybody(
            List<WorkFinding> left, List<WorkFinding> seen, Set<Long> regular, List<Suspect> suspects) {
        List<WorkFinding> nobodys = new ArrayList<>();
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
            boolean named = rules.collectsOrCompiles(longest);
            boolean habit = behind > 0.5 || bySteps.size() > 1;
            if (habit && !named) {
                regular.add(step);
                seen.stream()
                        .filter(f -> f.firstStep() == step && sets.contains(f.peerSet()))
                        .forEach(nobodys::add);
            }
            if (((!wide(sets, pausing(left, step)) || habit) && !named)
                    || shape.ranks().size() < 2) {
                return; // between steps or again and again: a checkpoint or the like, if nothing says otherwise
            }
            shared.fill(s, List.of(longest));
            s.observation |= longest.meanNanos() < PAUSE_OF_ALL_RATIO * longest.stepNanos();
            s.what = s.what.replace(" more than its peers", "") + ", on all ranks at once";
            s.why = "All ranks stood still in the same step, so no rank stands out. " + s.why;
            suspects.add(s);
            left.removeIf(f -> f.firstStep() == step && f.lastStep() == step);
        });
        return nobodys;
    }

    /**
     * Takes out what all ranks of a stage that load data for others have at the same time, on several hosts: a new epoch, say. As where all ranks load, the step was long, and nothing more is said; where it goes on from step to
     * step it is no moment.
     */
    private void loaders(List<WorkFinding> left, List<WorkFinding> seen) {
        TreeMap<Long, Set<Integer>> bySteps = new TreeMap<>();
        for (WorkFinding f : left) {
            if (f.weight() == Weight.LOADERS) {
                bySteps.computeIfAbsent(f.firstStep(), s -> new HashSet<>()).add(f.peerSet());
            }
        }
        left.removeIf(f -> f.weight() == Weight.LOADERS);
        int[] all = Arrays.stream(shape.ranks().toArray())
                .filter(shape::loadsForOthers)
                .toArray();
        bySteps.forEach((step, sets) -> {
            int[] with = Arrays.stream(all)
                    .filter(r -> sets.contains(shape.peerSetOf(r)))
                    .toArray();
            long hosts = Arrays.stream(with).mapToObj(shape::hostOf).distinct().count();
            boolean goesOn = bySteps.containsKey(step - 1) && bySteps.containsKey(step + 1);
            if (with.length >= 2 && (hosts > 1 || shape.hostCount() < 2) && !goesOn) {
                Predicate<WorkFinding> theirs = f -> f.firstStep() == step
                        && f.lastStep() == step
                        && sets.contains(f.peerSet())
                        && shape.loadsForOthers(f.rank());
                left.removeIf(theirs);
                seen.removeIf(theirs);
            }
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
        if (!wide(sets, RankSet.EMPTY) || !s.kind.isIncident()) {
            return;
        }
        shared.fill(s, List.of(longest));
        s.what = s.what.replace(" more than its peers", " more than before") + ", on all ranks alike";
        s.why =
                "All ranks stand idle for longer in every step since this one, at the same work, so no rank stands out. "
                        + s.why;
        suspects.add(s);
        left.removeIf(f -> f.weight() != Weight.ACCUSES
                && f.firstStep() >= longest.firstStep()
                && f.lastStep() <= longest.lastStep());
    }

    /** Ranks that pause in a step. */
    private static RankSet pausing(List<WorkFinding> findings, long step) {
        return RankSet.of(findings.stream()
                .filter(f -> f.firstStep() <= step && f.lastStep() >= step)
                .mapToInt(WorkFinding::rank)
                .distinct()
                .toArray());
    }

    /**
     * True if these peer sets are most of the job, or one that does not live on one host alone: its pipeline waits for it.
     *
     * @param more ranks that pause at the same time, of whatever peer set
     */
    private boolean wide(Set<Integer> sets, RankSet more) {
        double standing = 0;
        for (WorkReference r : state.references) {
            standing += sets.contains(r.peerSet()) ? r.ranks() : 0;
        }
        for (int rank : more.toArray()) {
            standing += sets.contains(shape.peerSetOf(rank)) ? 0 : 1;
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

    /**
     * Takes out of {@code left} single gaps that wander over the ranks.
     *
     * @param seen pauses that the job waited for, of which the long ones count too
     * @param regular steps in which all ranks stood still, as they do again and again: what is mostly there does not wander
     */
    private void rotating(List<WorkFinding> left, List<WorkFinding> seen, Set<Long> regular, List<Suspect> suspects) {
        List<WorkFinding> single = new ArrayList<>(WanderingPauses.longOnes(seen, left, pauseRatio));
        Set<Integer> ranks = new HashSet<>();
        TreeMap<Long, Set<Integer>> bySteps = new TreeMap<>();
        double all = 0;
        double regularly = 0;
        Map<Integer, Double> byRank = new TreeMap<>();
        double longestPause = Stream.concat(left.stream(), single.stream())
                .mapToDouble(WorkFinding::meanNanos)
                .max()
                .orElse(0);
        for (WorkFinding f : left) {
            boolean sparse =
                    f.active() <= 2 || (f.weight() == Weight.ACCUSES && 2 * f.active() <= f.steps().length + 1);
            if (sparse) {
                single.add(f);
            }
        }
        single.removeIf(f -> f.meanNanos() < LIKE_SHARE * longestPause);
        if (live) {
            List<WorkFinding> any = List.copyOf(single);
            single.removeIf(f -> staysThere(f, any));
        }
        for (WorkFinding f : single) {
            ranks.add(f.rank());
            bySteps.computeIfAbsent(f.firstStep(), s -> new HashSet<>()).add(f.rank());
            all += f.totalNanos();
            regularly += regular.contains(f.firstStep()) ? f.totalNanos() : 0;
            byRank.merge(f.rank(), f.totalNanos(), Double::sum);
        }
        double most = byRank.values().stream().mapToDouble(v -> v).max().orElse(0);
        boolean strong = single.stream().anyMatch(f -> f.weight() == Weight.ACCUSES);
        boolean sure = strong || (!single.isEmpty() && rules.collectsOrCompiles(rules.typical(single)));
        int demanded = sure ? 2 : (int) Math.max(LEAST_MOMENTS, HABIT_SHARE * times.size());
        boolean habit = ranks.size() >= ROTATING_RANKS
                && CommonMoments.count(bySteps, shape.ranks().size()) >= demanded
                && most <= DOMINANT * all
                && 2 * regularly <= all;
        if (!habit) {
            return;
        }
        String host = shared.mostlyOn(single);
        if (!host.isEmpty() && (SharedFindings.together(single) || shared.dense(single))) {
            ofHost(host, single, left, suspects);
            return;
        }
        WorkFinding longest = rules.typical(single);
        Suspect s = rules.suspect(longest, Scope.JOB, RankSet.EMPTY, "");
        shared.fill(s, single);
        s.involved = RankSet.of(ranks.stream().mapToInt(r -> r).toArray());
        s.what = s.what + ", on " + ranks.size() + " ranks at different steps";
        suspects.add(s);
        left.removeAll(single);
    }

    /** True if a rank pauses again and again, and meanwhile hardly anybody else does: that is no turn of many. */
    private static boolean staysThere(WorkFinding f, List<WorkFinding> any) {
        if (f.weight() != Weight.ACCUSES || f.active() < Conclusion.LASTING_STEPS) {
            return false;
        }
        double all = 0;
        double own = 0;
        for (WorkFinding o : any) {
            for (int i = 0; i < o.steps().length; i++) {
                if (o.steps()[i] >= f.firstStep() && o.steps()[i] <= f.lastStep()) {
                    double nanos = Math.max(0, o.excessNanos()[i]);
                    all += nanos;
                    own += o.rank() == f.rank() ? nanos : 0;
                }
            }
        }
        return own > DOMINANT * all;
    }

    /** Short pauses that half of the ranks of one host have, so many that they do not only wander, are the host's, though none of its ranks stands out. */
    private void ofHost(String host, List<WorkFinding> single, List<WorkFinding> left, List<Suspect> suspects) {
        List<WorkFinding> of =
                single.stream().filter(f -> shape.hostOf(f.rank()).equals(host)).toList();
        boolean accused = left.stream()
                .anyMatch(f -> shape.hostOf(f.rank()).equals(host)
                        && SharedFindings.countsForHost(OwnComponent.GAP, f)
                        && !of.contains(f));
        if (accused || !shared.suffersAsOne(host, of)) {
            return;
        }
        Suspect s = rules.suspect(rules.typical(of), Scope.HOST, shape.ranksOn(host), host);
        shared.fill(s, of);
        suspects.add(s);
        left.removeAll(of);
    }
}
