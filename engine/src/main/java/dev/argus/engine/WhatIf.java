package dev.argus.engine;

import dev.argus.engine.replay.StepReplay;
import dev.argus.model.Cost;
import dev.argus.model.Evidence;
import dev.argus.model.Incident;
import dev.argus.model.IncidentKind;
import dev.argus.model.JobShape;
import dev.argus.model.RankSet;
import dev.argus.model.StepDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.function.LongFunction;

/**
 * Prices suspects by playing steps again without them, where no step was quiet and what they claim is an upper bound: a slow rank of
 * a stage that is not the bottleneck costs little, however much longer it computes.
 *
 * <p>Only after the conclusion, for the {@value #MOST_INCIDENTS} most costly incidents that accuse ranks of their own time, over the last
 * {@value #STEPS} of their steps, and only where these have at most {@value #MOST_OPERATIONS} operations: at most about a second and 80 MB. A price is
 * only ever lowered; what then costs too little to act on becomes an observation. Where steps cannot be played ({@link StepReplay}) the bound stays.
 */
public final class WhatIf {
    private static final int STEPS = 8;
    private static final int MOST_INCIDENTS = 4;
    private static final int MOST_OPERATIONS = 250_000;

    /** A collective is one operation, and cuts the work around it in two. */
    private static final int OPERATIONS_PER_COLLECTIVE = 3;

    private final JobShape shape;
    private final Thresholds thresholds;

    /** For one attempt. */
    public WhatIf(JobShape shape, Thresholds thresholds) {
        this.shape = shape;
        this.thresholds = thresholds;
    }

    /**
     * The same conclusion, with prices lowered to what the steps would have been shorter by.
     *
     * @param concluded conclusion of the attempt
     * @param steps steps of the attempt
     * @param digests gives the digests of all ranks in a step; asked for few steps only
     */
    public Concluded price(Concluded concluded, SortedSet<Long> steps, LongFunction<List<StepDigest>> digests) {
        boolean any = concluded.incidents().stream().anyMatch(i -> isBound(i, concluded));
        if (!any || concluded.measuredNanos() <= 0) {
            return concluded;
        }
        RankSet all = accused(concluded);
        List<Incident> incidents = new ArrayList<>();
        List<Incident> observations = new ArrayList<>(concluded.observations());
        Map<List<Long>, Replay> replays = new HashMap<>();
        double less = 0;
        int asked = 0;
        for (Incident i : concluded.incidents()) {
            Incident priced = i;
            if (isBound(i, concluded) && asked++ < MOST_INCIDENTS) {
                Replay replay = replays.computeIfAbsent(window(steps, i), w -> replay(w, digests));
                priced = replay.steps()
                        .without(i.ranks(), all)
                        .map(p -> priced(i, p, replay.count(), steps, concluded.measuredNanos()))
                        .orElse(i);
                less += (i.cost().stepRatio() - priced.cost().stepRatio()) * concluded.measuredNanos();
            }
            (priced.cost().stepRatio() >= thresholds.incidentFloorRatio() ? incidents : observations).add(priced);
        }
        return concluded.with(incidents, observations, -less);
    }

    /** True if the price is an upper bound that a replay can lower: no step is quiet where a stage is slow from the first on, either. */
    private static boolean isBound(Incident i, Concluded concluded) {
        boolean standing = i.kind() == IncidentKind.PIPELINE_BUBBLE;
        return !i.ranks().isEmpty() && (standing || (!concluded.quietSteps() && ofOwnTime(i.kind())));
    }

    /** What slows the way between ranks, or all of them, is not their own time. */
    private static boolean ofOwnTime(IncidentKind kind) {
        return switch (kind) {
            case LINK_DEGRADED,
                    NVLINK_DEGRADED,
                    FABRIC_CONGESTION,
                    GLOBAL_SLOWDOWN,
                    REGRESSION,
                    PIPELINE_BUBBLE,
                    HANG -> false;
            default -> kind.isIncident();
        };
    }

    private static RankSet accused(Concluded concluded) {
        RankSet accused = RankSet.EMPTY;
        for (Incident i : concluded.incidents()) {
            accused = accused.union(i.ranks());
        }
        return accused;
    }

    /** The last steps of an incident; not the last of all, whose end is not recorded. */
    private static List<Long> window(SortedSet<Long> steps, Incident incident) {
        List<Long> own = new ArrayList<>(steps.subSet(incident.firstStep(), incident.lastStep() + 1));
        if (own.size() > 1 && own.getLast().equals(steps.last())) {
            own.removeLast();
        }
        return List.copyOf(own.subList(Math.max(0, own.size() - STEPS), own.size()));
    }

    /** Of a window as many of the last steps as there is room for. */
    private Replay replay(List<Long> window, LongFunction<List<StepDigest>> digests) {
        List<StepDigest> all = new ArrayList<>();
        long operations = 0;
        int count = 0;
        for (long step : window.reversed()) {
            List<StepDigest> of = digests.apply(step);
            for (StepDigest d : of) {
                operations +=
                        1 + (long) OPERATIONS_PER_COLLECTIVE * d.collectives().size();
            }
            if (operations > MOST_OPERATIONS) {
                break;
            }
            all.addAll(of);
            count++;
        }
        return new Replay(new StepReplay(all, shape, 2 * MOST_OPERATIONS), count);
    }

    private record Replay(StepReplay steps, int count) {}

    private Incident priced(
            Incident i, StepReplay.Played played, int playedSteps, SortedSet<Long> steps, double measuredNanos) {
        double perStep = played.lostNanos() / playedSteps;
        int own = steps.subSet(i.firstStep(), i.lastStep() + 1).size();
        double ratio = Math.min(i.cost().stepRatio(), perStep * own / measuredNanos);
        double share = i.cost().stepRatio() > 0 ? ratio / i.cost().stepRatio() : 0;
        Evidence why = new Evidence(
                "step with the time of a typical peer for " + (i.ranks().size() == 1 ? "this rank" : "these ranks"),
                played.withoutNanos() / playedSteps / 1e6,
                "ms",
                "as recorded " + Say.time(played.recordedNanos() / playedSteps) + ", both by replay of " + playedSteps
                        + (playedSteps == 1 ? " step" : " steps"),
                Double.NaN);
        Cost cost = new Cost(ratio, i.cost().gpuSeconds() * share, i.cost().duringRatio() * share);
        return i.priced(cost, IncidentWriter.severity(ratio >= thresholds.incidentFloorRatio(), ratio), why);
    }
}
