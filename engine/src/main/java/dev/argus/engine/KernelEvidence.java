package dev.argus.engine;

import dev.argus.model.NameTable;
import java.util.ArrayList;
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

    KernelEvidence(WorkFinding work, List<KernelFinding> findings, List<KernelShare> shares, NameTable names) {
        List<KernelFinding> mine = new ArrayList<>();
        Set<Integer> slowKernels = new HashSet<>();
        for (KernelFinding f : findings) {
            boolean overlaps = f.firstStep() <= work.lastStep() && f.lastStep() >= work.firstStep();
            if (f.rank() == work.rank() && overlaps) {
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
            total += s.peerSet() == work.peerSet() ? s.nanosPerStep() : 0;
        }
        int count = 0;
        for (KernelShare s : shares) {
            if (s.peerSet() != work.peerSet()) {
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
}
