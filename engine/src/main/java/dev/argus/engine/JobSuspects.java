package dev.argus.engine;

import dev.argus.model.Evidence;
import dev.argus.model.IncidentKind;
import dev.argus.model.JobShape;
import dev.argus.model.Level;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import dev.argus.stats.Robust;
import java.util.ArrayList;
import java.util.List;

/** What no peer can show: uneven stages, work that wanders. */
final class JobSuspects {
    /** From this spread of compute from step to step on work is called uneven. */
    private static final double UNEVEN_NOISE = 0.025;

    private final Diagnosis.State state;
    private final JobShape shape;
    private final Thresholds t;

    JobSuspects(Diagnosis.State state, JobShape shape, Thresholds thresholds) {
        this.state = state;
        this.shape = shape;
        this.t = thresholds;
    }

    /** What is found beside what is known: a stage of equal work that is slow is not uneven. */
    List<Suspect> find(List<Suspect> known) {
        List<Suspect> suspects = new ArrayList<>();
        unevenStages(suspects);
        suspects.removeIf(
                s -> known.stream().anyMatch(k -> k.kind == IncidentKind.PIPELINE_BUBBLE && k.ranks.equals(s.ranks)));
        wanderingWork(suspects);
        return suspects;
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
            s.advice = CauseRules.advice(s.kind, s.scope);
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
            s.advice = CauseRules.advice(s.kind, s.scope);
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
