package dev.argus.engine;

import dev.argus.model.Evidence;
import dev.argus.model.IncidentKind;
import dev.argus.model.JobShape;
import dev.argus.model.NameTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which kernels of a suspect are slow, and which are not.
 *
 * <p>Shares are of the peers' typical time: of the arithmetic-bound kernels, of the memory-bound ones.
 */
final class KernelEvidence {
    /** Share of slow kernels, by time, to speak of all of them. */
    private static final double MOST = 0.7;

    /** Kernel findings of the suspect, most costly first. */
    final List<KernelFinding> slow;

    /** Share of the time of arithmetic-bound kernels that is slow. */
    final double arithmeticShare;

    /** Share of the time of memory-bound kernels that is slow. */
    final double memoryShare;

    /** Number of arithmetic-bound kernels that matter (above 3 % of compute). */
    final int arithmeticKernels;

    /** True when kernels could be compared at all. */
    final boolean known;

    private final NameTable names;

    /** Ranks that do the same work, the suspect among them. */
    private final int peers;

    KernelEvidence(
            WorkFinding work,
            Collection<KernelFinding> findings,
            List<KernelShare> shares,
            JobShape shape,
            NameTable names) {
        this(work.peerSet(), work.rank(), work.firstStep(), work.lastStep(), findings, shares, shape, names);
    }

    KernelEvidence(
            int peerSet,
            int rank,
            long firstStep,
            long lastStep,
            Collection<KernelFinding> findings,
            List<KernelShare> shares,
            JobShape shape,
            NameTable names) {
        this.names = names;
        this.peers = peerSet < 0 ? 0 : shape.peerSets().get(peerSet).size();
        List<KernelFinding> mine = new ArrayList<>();
        Set<Integer> slowKernels = new HashSet<>();
        for (KernelFinding f : findings) {
            boolean overlaps = f.firstStep() <= lastStep && f.lastStep() >= firstStep;
            if (f.rank() == rank && overlaps) {
                mine.add(f);
                slowKernels.add(f.kernel());
            }
        }
        mine.sort(Comparator.comparingDouble(KernelFinding::impactNanos).reversed());
        slow = List.copyOf(mine);
        double arithmetic = 0;
        double arithmeticSlow = 0;
        double memory = 0;
        double memorySlow = 0;
        double total = 0;
        for (KernelShare s : shares) {
            total += s.peerSet() == peerSet ? s.nanosPerStep() : 0;
        }
        int count = 0;
        for (KernelShare s : shares) {
            if (s.peerSet() != peerSet) {
                continue;
            }
            boolean isSlow = slowKernels.contains(s.kernel());
            if (KernelFamilies.isArithmetic(names.name(s.kernel()))) {
                arithmetic += s.nanosPerStep();
                arithmeticSlow += isSlow ? s.nanosPerStep() : 0;
                count += s.nanosPerStep() > 0.03 * total ? 1 : 0;
            } else {
                memory += s.nanosPerStep();
                memorySlow += isSlow ? s.nanosPerStep() : 0;
            }
        }
        known = total > 0;
        arithmeticShare = arithmetic > 0 ? arithmeticSlow / arithmetic : 0;
        memoryShare = memory > 0 ? memorySlow / memory : 0;
        arithmeticKernels = count;
    }

    /** The kind that the slow kernels tell: the clock, the memory, or the kernels themselves. */
    IncidentKind kind(boolean ramp) {
        if (!known || slow.isEmpty()) {
            return IncidentKind.COMPUTE_STRAGGLER;
        }
        if (arithmeticShare >= MOST && (arithmeticKernels > 1 || memoryShare > 0.3 || memoryShare == 0)) {
            return ramp ? IncidentKind.THERMAL_DRIFT : IncidentKind.COMPUTE_STRAGGLER;
        }
        return memoryShare >= 0.6 && arithmeticShare < 0.3
                ? IncidentKind.MEMORY_BANDWIDTH_STRAGGLER
                : IncidentKind.KERNEL_STRAGGLER;
    }

    /**
     * True if all that is slow are grouped products. One launch serves all experts of a rank with a fixed grid: its time goes with
     * the tokens, which its threads do not tell.
     */
    boolean expertsAlone() {
        return !slow.isEmpty() && slow.stream().allMatch(f -> KernelFamilies.isGrouped(names.name(f.kernel())));
    }

    /** True if attention is slow by so much, which no tokens of experts explain. */
    boolean attentionToo(double ratio) {
        return slow.stream().anyMatch(f -> ratio(f) >= ratio && KernelFamilies.isAttention(names.name(f.kernel())));
    }

    /** Which kernels are slow, for a sentence. */
    String words(IncidentKind kind) {
        return switch (kind) {
            case THERMAL_DRIFT, COMPUTE_STRAGGLER ->
                slow.isEmpty()
                        ? "no single kernel"
                        : memoryShare >= MOST ? "all kernels" : "all matrix and attention kernels";
            case MEMORY_BANDWIDTH_STRAGGLER -> "the memory-bound kernels alone";
            default ->
                slow.size() == 1
                        ? "kernel " + shortName(slow.getFirst().kernel()) + " alone"
                        : slow.size() + " kernels alone";
        };
    }

    /** How many times as long a kernel takes as on the others. */
    double ratio(KernelFinding f) {
        return KernelFinding.overOthers(f.ratio(), peers);
    }

    /** Adds the slow kernels to a suspect: their names, and the most costly ones as evidence. */
    void describe(Suspect s, double thresholdRatio) {
        for (KernelFinding k : slow) {
            if (s.kernels.size() < 8) {
                s.kernels.add(names.name(k.kernel()));
            }
            if (s.evidence.size() < 3) {
                s.evidence.add(new Evidence(
                        "duration of kernel " + names.name(k.kernel()),
                        ratio(k),
                        "x",
                        "median of its peers; " + (k.modesRatio() > 0.9 ? "all" : "some") + " of its durations moved",
                        KernelFinding.overOthers(thresholdRatio, peers)));
            }
        }
    }

    /** The name without what would drown the sentence; the full name is in the evidence. */
    private String shortName(int kernel) {
        String name = names.name(kernel);
        return name.length() <= 60 ? name : name.substring(0, 57) + "...";
    }
}
