package dev.argus.engine;

import dev.argus.model.Evidence;
import dev.argus.model.IncidentKind;
import dev.argus.model.JobShape;
import dev.argus.model.Level;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import dev.argus.stats.Robust;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Stages that compute longer than stages of equal work although no rank inside them differs: all others idle for them in every step, and
 * comparing ranks of a stage shows nothing.
 *
 * <p>Equal work is as many threads launched in a step, and all arithmetic kernels longer, not some; so it takes two stages with as many layers, usually inner ones, and a trace with GPU events. More
 * work is {@code stage-imbalance}, another GPU model {@code heterogeneous-hardware}, and any accusation of ranks of the stage wins. The excess must
 * exceed what the lasting spread between GPUs does to the centres of two stages. The price is all of the excess, an upper bound: the longest stage paces the
 * job, and a shorter one costs only when the pipeline fills and drains ({@link WhatIf}).
 *
 * <p>Cost: O(stages x stages x kernels).
 */
final class SlowStages {
    private static final double LEAST_RATIO = 1.05;
    private static final double SAME_WORK_RATIO = 0.02;
    private static final double GPU_SPREAD = 0.008;
    private static final double SIGMAS = 3;
    private static final int FEWEST_STEPS = 3;

    /** Of the arithmetic kernels so much, by time, must be longer: a few alone have more work in them, as attention over longer spans. */
    private static final double MOST_KERNELS = 0.75;

    private final Diagnosis.State state;
    private final JobShape shape;
    private final NameTable names;

    SlowStages(Diagnosis.State state, JobShape shape, NameTable names) {
        this.state = state;
        this.shape = shape;
        this.names = names;
    }

    /** The slow stages, given who is accused already. */
    List<Suspect> find(List<Suspect> known) {
        List<Suspect> found = new ArrayList<>();
        if (!shape.hasStages()) {
            return found;
        }
        List<WorkReference> stages = state.references.stream()
                .filter(r -> r.peerSet() >= 0 && r.steps().length >= FEWEST_STEPS)
                .toList();
        for (WorkReference r : stages) {
            RankSet ranks = shape.peerSets().get(r.peerSet());
            boolean accused = known.stream()
                    .anyMatch(s ->
                            s.kind.isIncident() && !s.ranks.intersect(ranks).isEmpty());
            List<WorkReference> alike = stages.stream()
                    .filter(o -> o.peerSet() != r.peerSet() && alike(r, o))
                    .toList();
            if (!accused && !alike.isEmpty()) {
                double own = compute(r);
                double others = Robust.median(
                        alike.stream().mapToDouble(SlowStages::compute).toArray());
                int peers = alike.stream().mapToInt(WorkReference::ranks).sum();
                double chance = SIGMAS * GPU_SPREAD * Math.sqrt(1.0 / r.ranks() + 1.0 / peers);
                double threshold = Math.max(LEAST_RATIO, 1 + chance);
                if (own > threshold * others && alike.stream().allMatch(o -> everyKernelLonger(r, o, threshold))) {
                    found.add(suspect(r, ranks, own, others, threshold));
                }
            }
        }
        return found;
    }

    private static double compute(WorkReference r) {
        return Robust.median(r.computeNanos());
    }

    private boolean alike(WorkReference a, WorkReference b) {
        double work = Robust.median(a.workItems());
        double other = Robust.median(b.workItems());
        return work > 0
                && Math.abs(other / work - 1) <= SAME_WORK_RATIO
                && models(a).equals(models(b))
                && models(a).size() == 1; // of mixed ones the slower may be most of one stage and few of the other
    }

    /**
     * True if the arithmetic kernels that both stages run, two at least, are longer, nearly all of them by about the same factor. An embedding makes the first
     * stage longer with hardly a thread more, but not its matrix products.
     */
    private boolean everyKernelLonger(WorkReference slow, WorkReference other, double threshold) {
        Map<Integer, Double> its = kernels(other);
        double all = 0;
        double sum = 0;
        int count = 0;
        Map<Integer, Double> ratios = new HashMap<>();
        for (Map.Entry<Integer, Double> e : kernels(slow).entrySet()) {
            Double nanos = its.get(e.getKey());
            if (nanos != null) {
                ratios.put(e.getKey(), e.getValue() / nanos);
                all += nanos;
                sum += e.getValue();
                count++;
            }
        }
        if (count < 2 || sum <= threshold * all) {
            return false;
        }
        double half = 1 + (sum / all - 1) / 2;
        double longer = 0;
        for (Map.Entry<Integer, Double> e : ratios.entrySet()) {
            longer += e.getValue() >= half ? its.getOrDefault(e.getKey(), 0.0) : 0;
        }
        return longer >= MOST_KERNELS * all;
    }

    private Map<Integer, Double> kernels(WorkReference r) {
        Map<Integer, Double> nanos = new HashMap<>();
        state.shares.stream()
                .filter(k -> k.peerSet() == r.peerSet() && KernelFamilies.isArithmetic(names.name(k.kernel())))
                .forEach(k -> nanos.put(k.kernel(), k.nanosPerStep()));
        return nanos;
    }

    private Set<String> models(WorkReference r) {
        Set<String> models = new HashSet<>();
        for (int rank : shape.peerSets().get(r.peerSet()).toArray()) {
            models.add(shape.gpuModels().getOrDefault(rank, ""));
        }
        return models;
    }

    private Suspect suspect(WorkReference r, RankSet ranks, double own, double others, double threshold) {
        double ratio = own / others;
        Suspect s = new Suspect(IncidentKind.PIPELINE_BUBBLE, Scope.GROUP, ranks, "");
        for (long step : r.steps()) {
            s.claims.put(step, 0.0);
        }
        s.standingNanos = (own - others) * r.steps().length;
        s.levels.add(Level.L2);
        s.activeSteps = r.steps().length;
        s.margin = (ratio - 1) / (threshold - 1);
        s.what = "computes " + Say.times(ratio) + " as long as stages of the same work, and the others idle for it";
        s.why =
                "All ranks of the stage are alike, and it launches as much as stages that are done sooner: what slows it"
                        + " is common to its ranks.";
        s.advice = CauseRules.advice(s.kind, s.scope);
        s.evidence.add(new Evidence(
                "compute of " + shape.peerLabels().get(r.peerSet()),
                ratio,
                "x",
                "stages that launch as much",
                threshold));
        return s;
    }
}
