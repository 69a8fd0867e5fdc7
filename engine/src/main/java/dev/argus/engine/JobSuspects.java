package dev.argus.engine;

import dev.argus.model.Evidence;
import dev.argus.model.IncidentKind;
import dev.argus.model.JobShape;
import dev.argus.model.Level;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import dev.argus.stats.Robust;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** What no peer can show: all ranks slower than before, uneven stages, work that wanders. */
final class JobSuspects {
    /** Steps demanded before and after a change of the whole job. */
    private static final int MIN_STEPS = 2;

    /** Ratio demanded where fewer than three steps are on either side. */
    private static final double FEW_RATIO = 0.06;

    /** A change of all ranks' compute smaller than this is not looked at. */
    private static final double GLOBAL_RATIO = 0.03;

    /** From this spread of compute from step to step on work is called uneven. */
    private static final double UNEVEN_NOISE = 0.025;

    private final Diagnosis.State state;
    private final JobShape shape;
    private final Thresholds t;
    private final Set<Long> events;
    private final JobTimes times;
    private final int computeRanks;

    /** @param computeRanks number of ranks accused of slow compute: many of them move the centre, and all are not slow */
    JobSuspects(
            Diagnosis.State state,
            JobShape shape,
            Thresholds thresholds,
            Set<Long> events,
            JobTimes times,
            int computeRanks) {
        this.computeRanks = computeRanks;
        this.state = state;
        this.shape = shape;
        this.t = thresholds;
        this.events = events;
        this.times = times;
    }

    List<Suspect> find() {
        List<Suspect> suspects = new ArrayList<>();
        globalSlowdown(suspects);
        unevenStages(suspects);
        wanderingWork(suspects);
        return suspects;
    }

    private void globalSlowdown(List<Suspect> suspects) {
        long since = Long.MIN_VALUE;
        long last = Long.MIN_VALUE;
        double ratio = Double.POSITIVE_INFINITY;
        double nanos = 0;
        int judged = 0;
        for (WorkReference r : state.references) {
            double[] change = change(r);
            if (change.length == 0) {
                return;
            }
            judged++;
            ratio = Math.min(ratio, change[0]);
            since = Math.max(since, (long) change[1]);
            last = Math.max(last, r.steps()[r.steps().length - 1]);
            nanos = Math.max(nanos, change[2]);
        }
        if (judged == 0
                || shape.ranks().size() < 2
                || 4 * computeRanks >= shape.ranks().size()) {
            return;
        }
        Suspect s = new Suspect(IncidentKind.GLOBAL_SLOWDOWN, Scope.JOB, RankSet.EMPTY, "");
        for (long step = since; step <= last; step++) {
            if (!Double.isNaN(times.at(step)) && !events.contains(step)) {
                s.claim(step, nanos);
            }
        }
        s.levels.add(Level.L1);
        s.levels.add(Level.L2);
        s.activeSteps = s.claims.size();
        s.margin = (ratio - 1) / GLOBAL_RATIO;
        s.what = "computes " + Say.times(ratio) + " as long as before on all ranks";
        s.why = "The compute of every peer set rose together at the same work, so comparing ranks with each other shows"
                + " nothing; this is against the job's own history.";
        s.advice = CauseRules.advice(s.kind);
        s.evidence.add(new Evidence(
                "compute of all ranks", ratio, "x", "the same ranks before step " + since, 1 + GLOBAL_RATIO));
        suspects.add(s);
    }

    /** Ratio, first step and nanoseconds of a lasting rise of the centre; empty when there is none. */
    private double[] change(WorkReference r) {
        List<Integer> quiet = new ArrayList<>();
        for (int i = 0; i < r.steps().length; i++) {
            if (!events.contains(r.steps()[i]) && r.computeNanos()[i] > 0) {
                quiet.add(i);
            }
        }
        double[] best = {};
        for (int k = MIN_STEPS; k <= quiet.size() - MIN_STEPS; k++) {
            double[] before = pick(r.computeNanos(), quiet.subList(0, k));
            double[] after = pick(r.computeNanos(), quiet.subList(k, quiet.size()));
            double a = Robust.median(before);
            double b = Robust.median(after);
            double workBefore = Robust.median(pick(r.workItems(), quiet.subList(0, k)));
            double workAfter = Robust.median(pick(r.workItems(), quiet.subList(k, quiet.size())));
            boolean sameWork = workBefore <= 0 || Math.abs(workAfter / workBefore - 1) < 0.01;
            double highBefore = Arrays.stream(before).max().orElse(0);
            double lowAfter = Arrays.stream(after).min().orElse(0);
            boolean apart = lowAfter > highBefore + 0.25 * (b - a);
            double demanded = Math.min(k, quiet.size() - k) < 3 ? FEW_RATIO : GLOBAL_RATIO;
            if (sameWork && apart && b / a - 1 >= demanded && (best.length == 0 || b / a > best[0])) {
                best = new double[] {b / a, r.steps()[quiet.get(k)], b - a};
            }
        }
        return best;
    }

    private static double[] pick(double[] values, List<Integer> at) {
        return at.stream().mapToDouble(i -> values[i]).toArray();
    }

    private void unevenStages(List<Suspect> suspects) {
        int n = state.references.size();
        if (n < 2 || !shape.hasStages()) {
            return;
        }
        for (WorkReference r : state.references) {
            double own = Robust.median(r.computeNanos());
            double others = Robust.median(state.references.stream()
                    .filter(o -> o.peerSet() != r.peerSet())
                    .mapToDouble(o -> Robust.median(o.computeNanos()))
                    .toArray());
            if (!(own > t.stageRatio() * others) || r.peerSet() < 0) {
                continue;
            }
            RankSet ranks = shape.peerSets().get(r.peerSet());
            Suspect s = new Suspect(IncidentKind.STAGE_IMBALANCE, Scope.GROUP, ranks, "");
            s.observation = true;
            double mean = state.references.stream()
                    .mapToDouble(o -> Robust.median(o.computeNanos()))
                    .average()
                    .orElse(own);
            for (long step : r.steps()) {
                s.claims.put(step, 0.0);
            }
            s.standingNanos = Math.max(0, own - mean) * r.steps().length;
            s.levels.add(Level.L2);
            s.activeSteps = r.steps().length;
            s.margin = own / others / t.stageRatio();
            s.what = "computes " + Say.times(own / others) + " as long as the other stages";
            s.why =
                    "All ranks of the stage are alike, so it is the split of the model, not a GPU. The cost is against an even"
                            + " split.";
            s.advice = CauseRules.advice(s.kind);
            s.evidence.add(new Evidence(
                    "compute of " + shape.peerLabels().get(r.peerSet()),
                    own / others,
                    "x",
                    "median of the other stages",
                    t.stageRatio()));
            suspects.add(s);
        }
    }

    private void wanderingWork(List<Suspect> suspects) {
        for (WorkReference r : state.references) {
            if (r.computeNoiseRatio() < UNEVEN_NOISE || r.peerSet() < 0 || r.steps().length < 3 || r.ranks() < 4) {
                continue;
            }
            boolean gpuWork = Robust.median(r.workItems()) > 0;
            if (!gpuWork) {
                continue;
            }
            Suspect s = new Suspect(
                    IncidentKind.WORKLOAD_IMBALANCE,
                    Scope.GROUP,
                    shape.peerSets().get(r.peerSet()),
                    "");
            s.observation = true;
            for (long step : r.steps()) {
                s.claims.put(step, 0.0);
            }
            s.levels.add(Level.L2);
            s.activeSteps = r.steps().length;
            s.what = "differs by " + Say.percent(r.computeNoiseRatio())
                    + " in compute from step to step and from rank to rank";
            s.why = "What wanders over the ranks is the work; a sick GPU stays where it is.";
            s.advice = CauseRules.advice(s.kind);
            s.evidence.add(new Evidence(
                    "spread of a rank's compute from step to step",
                    100 * r.computeNoiseRatio(),
                    "%",
                    "typical compute",
                    100 * UNEVEN_NOISE));
            suspects.add(s);
        }
    }
}
