package dev.argus.hostlocal.live;

import dev.argus.model.KernelWindow;
import dev.argus.model.PackedKernels;
import dev.argus.model.Phase;
import dev.argus.model.PhaseTime;
import dev.argus.model.StreamKernel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One step of a job over the ranks that reported it: what is kept of it for long.
 *
 * @param step its number
 * @param startNanos its earliest start on any rank, nanoseconds since the Unix epoch by the clock of that host
 * @param length its length
 * @param phases its phases that any rank had, in the order of {@link Phase}
 * @param outside time that no phase covers, over the ranks that recorded phases; null where none did
 * @param kernels its kernels, most time first; empty where no rank sent a window
 */
public record StepOverview(
        long step,
        long startNanos,
        Spread length,
        List<PhaseSpread> phases,
        @Nullable Spread outside,
        List<KernelSpread> kernels) {
    /**
     * A time over ranks.
     *
     * @param medianNanos median, of two the upper one, of kernels the lower one
     * @param maxNanos longest
     * @param maxRank the rank of the longest, the lowest of several
     * @param ranks how many ranks had it
     */
    public record Spread(long medianNanos, long maxNanos, int maxRank, int ranks) {}

    /**
     * A phase over ranks.
     *
     * @param phase phase
     * @param span length of its ranges on the CPU
     */
    public record PhaseSpread(Phase phase, Spread span) {}

    /**
     * A kernel over ranks that do the same work, its streams together.
     *
     * @param kernel name id
     * @param peers which peer set of the job's shape they are, -1 for ranks of none and where peers are not told apart
     * @param count launches on all ranks
     * @param sumNanos their time on all ranks
     * @param mean mean duration of a launch on a rank; its median the lower of two in the middle: of two ranks the slow one is not its own measure
     */
    public record KernelSpread(int kernel, int peers, long count, long sumNanos, Spread mean) {}

    /** Copies defensively. */
    public StepOverview {
        phases = List.copyOf(phases);
        kernels = List.copyOf(kernels);
    }

    /** Over the ranks of a step, kernels over all of them alike. */
    public static StepOverview of(JobStep step) {
        return of(step, rank -> -1);
    }

    /**
     * Over the ranks of a step. Pure. Cost: O(n log n) in its ranks, phases and kernels; of a step of 12,960 ranks some milliseconds, with a hundred kernels each 0.2 s.
     *
     * @param peersOf which ranks run a kernel for the same work, by a number of them: what a kernel takes on another stage is no measure for it
     */
    public static StepOverview of(JobStep step, IntUnaryOperator peersOf) {
        long start = Long.MAX_VALUE;
        Values lengths = new Values();
        Values outside = new Values();
        Values[] phases = new Values[Phase.values().length];
        Map<Long, Kernel> kernels = new HashMap<>();
        for (RankStep s : step.ranks()) {
            int rank = s.digest().rank();
            start = Math.min(start, s.digest().startNanos());
            lengths.add(rank, s.digest().durationNanos());
            for (PhaseTime p : s.digest().phases()) {
                int at = p.phase().ordinal();
                phases[at] = phases[at] == null ? new Values() : phases[at];
                phases[at].add(rank, p.spanNanos());
            }
            long beside = s.digest().outsidePhasesNanos();
            if (beside >= 0) {
                outside.add(rank, beside);
            }
            if (s.kernels() != null) {
                add(s.kernels(), peersOf.applyAsInt(rank), kernels);
            }
        }
        List<PhaseSpread> ofPhases = new ArrayList<>();
        for (Phase p : Phase.values()) {
            Values v = phases[p.ordinal()];
            if (v != null) {
                ofPhases.add(new PhaseSpread(p, v.spread()));
            }
        }
        List<KernelSpread> ofKernels = kernels.values().stream()
                .map(Kernel::spread)
                .sorted(Comparator.comparingLong((KernelSpread k) -> -k.sumNanos())
                        .thenComparingInt(KernelSpread::kernel)
                        .thenComparingInt(KernelSpread::peers))
                .toList();
        return new StepOverview(
                step.step(),
                start == Long.MAX_VALUE ? 0 : start,
                lengths.spread(),
                ofPhases,
                outside.n == 0 ? null : outside.spread(),
                ofKernels);
    }

    private static void add(KernelWindow window, int peers, Map<Long, Kernel> kernels) {
        PackedKernels packed = window.kernels() instanceof PackedKernels p ? p : null;
        for (int i = 0; i < window.kernels().size(); i++) {
            if (packed != null) {
                add(window.rank(), peers, packed.name(i), packed.count(i), packed.sumNanos(i), kernels);
            } else {
                StreamKernel k = window.kernels().get(i);
                add(
                        window.rank(),
                        peers,
                        k.name(),
                        k.durations().count(),
                        k.durations().sumNanos(),
                        kernels);
            }
        }
    }

    private static void add(int rank, int peers, int name, long count, long sumNanos, Map<Long, Kernel> kernels) {
        if (count > 0) {
            long key = ((long) name << Integer.SIZE) | (peers & 0xffff_ffffL);
            kernels.computeIfAbsent(key, k -> new Kernel(name, peers)).add(rank, count, sumNanos);
        }
    }

    /** Launches of one kernel; those of a rank come one behind the other. */
    private static final class Kernel {
        final int name;
        final int peers;
        final Values means = new Values();
        long count;
        long sumNanos;
        private int rank = -1;
        private long rankCount;
        private long rankNanos;

        Kernel(int name, int peers) {
            this.name = name;
            this.peers = peers;
        }

        void add(int of, long launches, long nanos) {
            if (of != rank) {
                close();
                rank = of;
            }
            rankCount += launches;
            rankNanos += nanos;
            count += launches;
            sumNanos += nanos;
        }

        private void close() {
            if (rankCount > 0) {
                means.add(rank, rankNanos / rankCount);
            }
            rankCount = 0;
            rankNanos = 0;
        }

        KernelSpread spread() {
            close();
            return new KernelSpread(name, peers, count, sumNanos, means.spread(true));
        }
    }

    private static final class Values {
        private long[] nanos = new long[16];
        private int n;
        private long most = Long.MIN_VALUE;
        private int mostRank = -1;

        void add(int rank, long value) {
            if (n == nanos.length) {
                nanos = Arrays.copyOf(nanos, 2 * n);
            }
            nanos[n++] = value;
            if (value > most || (value == most && rank < mostRank)) {
                most = value;
                mostRank = rank;
            }
        }

        Spread spread() {
            return spread(false);
        }

        Spread spread(boolean lower) {
            Arrays.sort(nanos, 0, n);
            return n == 0 ? new Spread(0, 0, -1, 0) : new Spread(nanos[(lower ? n - 1 : n) / 2], most, mostRank, n);
        }
    }
}
