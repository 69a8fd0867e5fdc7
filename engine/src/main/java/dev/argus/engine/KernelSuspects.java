package dev.argus.engine;

import dev.argus.model.Evidence;
import dev.argus.model.IncidentKind;
import dev.argus.model.JobShape;
import dev.argus.model.Level;
import dev.argus.model.NameTable;
import dev.argus.model.RankSet;
import dev.argus.model.Scope;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Suspects that only L3 sees: some kernels of one rank are clearly slow, and its compute as a whole is not, because they are few or
 * because the work of all ranks varies more than they cost.
 *
 * <p>Where experts share the work by tokens, a rank's kernels are as long as its tokens are many, and nothing is said, but for attention, which has each rank's own tokens, and kernels whose launches tell their work, so that they
 * were compared at equal work. Nothing is said of kernels that only experts run.
 *
 * <p>Not every kernel's grid tells its work: products of weights' gradients have the grid of the weights, and kernels that stay on their multiprocessors have as many blocks
 * as there are of these. Where sequences differ in length they take longer on the rank that has more to do, in steps of whole waves of blocks, and the work of all its kernels together is what tells.
 */
final class KernelSuspects {
    /** Kernels of more ranks than this share are slow: then it is the job. */
    private static final double MANY_SHARE = 0.25;

    /** A rank with more work takes longer in a single kernel by up to so many times as much: the square of a length, and a wave of blocks more. */
    private static final double MOST_GROWTH = 4;

    /** The same of a kernel that was compared at equal work: waves of blocks may still be left of it. */
    private static final double LEFT_GROWTH = 1;

    private final Diagnosis.State state;
    private final JobShape shape;
    private final NameTable names;
    private final Thresholds t;
    private final Set<Long> events;
    private final JobTimes times;

    KernelSuspects(
            Diagnosis.State state,
            JobShape shape,
            NameTable names,
            Thresholds thresholds,
            Set<Long> events,
            JobTimes times) {
        this.state = state;
        this.shape = shape;
        this.names = names;
        this.t = thresholds;
        this.events = events;
        this.times = times;
    }

    /** @param known suspects of the other levels */
    List<Suspect> find(List<Suspect> known) {
        Map<Integer, List<KernelFinding>> byRank = new TreeMap<>();
        for (KernelFinding f : state.kernels) {
            if (surprising(f)
                    && !hasMoreToDo(f)
                    && !KernelFamilies.isGrouped(names.name(f.kernel()))
                    && known.stream().noneMatch(s -> covers(s, f))) {
                byRank.computeIfAbsent(f.rank(), r -> new ArrayList<>()).add(f);
            }
        }
        if (CauseRules.tokensKnown(state)) {
            byRank.values().removeIf(list -> list.stream().noneMatch(this::whateverTheTokens));
        }
        if (byRank.size() > Math.max(1, MANY_SHARE * shape.ranks().size())) {
            return List.of();
        }
        List<Suspect> suspects = new ArrayList<>();
        byRank.forEach((rank, list) -> {
            list.sort(Comparator.comparingDouble(KernelFinding::impactNanos).reversed());
            KernelFinding worst = list.getFirst();
            list.removeIf(f -> f.firstStep() > worst.lastStep() || f.lastStep() < worst.firstStep());
            double impact =
                    list.stream().mapToDouble(KernelFinding::impactNanos).sum();
            if (impact >= t.incidentFloorRatio() * times.typicalNanos()) {
                suspects.add(suspect(rank, list, impact));
            }
        });
        return suspects;
    }

    /** Beyond what the worst of all ranks and kernels reaches by chance. */
    private boolean surprising(KernelFinding f) {
        double tests = (double) shape.ranks().size() * Math.max(1, state.shares.size());
        return f.steps() >= 2 && f.ratio() - 1 >= (Math.sqrt(2 * Math.log(tests)) + t.familySigmas()) * f.sigma();
    }

    /** True if all that the rank has to do in those steps explains that this kernel takes longer. */
    private boolean hasMoreToDo(KernelFinding f) {
        double growth = f.equalWork() ? LEFT_GROWTH : MOST_GROWTH;
        return state.loads.stream()
                .filter(l -> l.rank() == f.rank())
                .anyMatch(l -> growth * l.over(f.firstStep(), f.lastStep(), f.steps()) >= f.ratio() - 1);
    }

    /** True if no tokens of experts explain that it is slow. */
    private boolean whateverTheTokens(KernelFinding f) {
        return f.equalWork() || KernelFamilies.isAttention(names.name(f.kernel()));
    }

    /** True if a suspect says what a finding would; a rank whose compute is only observed may still be accused by its kernels. */
    private static boolean covers(Suspect s, KernelFinding f) {
        return !(s.observation && s.computes)
                && s.ranks.contains(f.rank())
                && s.firstStep() <= f.lastStep()
                && s.lastStep() >= f.firstStep();
    }

    private Suspect suspect(int rank, List<KernelFinding> slow, double impact) {
        KernelFinding worst = slow.getFirst();
        KernelEvidence evidence = new KernelEvidence(
                worst.peerSet(), rank, worst.firstStep(), worst.lastStep(), slow, state.shares, shape, names);
        IncidentKind kind = evidence.kind(false);
        Suspect s = new Suspect(kind, Scope.RANK, RankSet.of(rank), "");
        for (long step = worst.firstStep(); step <= worst.lastStep(); step++) {
            if (!events.contains(step) && !Double.isNaN(times.at(step))) {
                s.claim(step, impact);
            }
        }
        s.levels.add(Level.L3);
        s.activeSteps = worst.steps();
        s.margin = (worst.ratio() - 1) / (t.kernelRatio() - 1);
        s.computes = true;
        s.what = "runs " + evidence.words(kind) + " " + Say.times(evidence.ratio(worst)) + " as long as its peers";
        s.why = "Its compute as a whole does not stand out, these kernels do: " + Say.time(impact)
                + " a step more than the median of the peers.";
        s.advice = CauseRules.advice(kind);
        evidence.describe(s, t.kernelRatio());
        s.evidence.add(new Evidence(
                "excess of these kernels, a step", impact / 1e6, "ms", "peers at the same count", Double.NaN));
        return s;
    }
}
