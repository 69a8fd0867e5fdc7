package dev.argus.digest.clocks;

import dev.argus.model.CollectiveStat;
import dev.argus.model.JobShape;
import dev.argus.model.ParallelGroup;
import dev.argus.model.RankSet;
import dev.argus.model.StepDigest;
import dev.argus.stats.Robust;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Collects when hosts met: the ends of all-reduce, all-gather, reduce-scatter, barrier and balanced all-to-all, which end for all members
 * together. Broadcast, reduce, gather, uneven all-to-all, send and receive are not looked at: nobody waits there for everybody.
 *
 * <p>Use: every step, {@link #take} its digests in any order and then {@link #endStep}; {@link #align} at the end or in between. Of a
 * host's several members the middle end counts, so that one late member moves nothing. A missing rank, or a missing record of one, leaves
 * the others' meetings as they are.
 *
 * <p>In a group of many hosts each meets those 1, 2, 4, 8 ... places after it, so that any two are few links apart and pairs are O(h log h).
 *
 * <p>Cost: O(1) a collective of groups inside a host (in the first steps only), O(log h) a collective and host of the others. Footprint: at most {@value #MOST_MEETINGS} meetings of
 * 20 bytes over all pairs, at least {@value #LEAST_KEPT} a pair; of the step being read 32 collectives a rank and group. Not thread-safe.
 */
public final class ClockMeetings {
    private static final int MOST_MEETINGS = 1 << 21;
    private static final int LEAST_KEPT = 64;
    private static final int MOST_KEPT = 512;

    /** Deviations kept of a rank. */
    private static final int KEPT_OF_RANK = 32;

    /** Steps in which groups inside a host are looked at, for what their members lastingly differ by. */
    private static final int STEPS_INSIDE = 16;

    /** In groups of up to so many hosts all meet all. */
    private static final int FEW_HOSTS = 8;

    private final JobShape shape;
    private final List<String> hosts;
    private final Map<String, Integer> hostNumbers = new HashMap<>();

    /** The hosts of each group of two ranks or more: their numbers, ascending. */
    private final List<int[]> hostsOf = new ArrayList<>();

    private final Map<Integer, CommonMoments> open = new TreeMap<>();
    private final Map<Long, Meetings> pairs = new LinkedHashMap<>();
    private final Map<Integer, Meetings> members = new TreeMap<>();
    private final int mostKept;
    private int step;

    /** Of the hosts and groups of an attempt. */
    public ClockMeetings(JobShape shape) {
        this.shape = shape;
        this.hosts = new ArrayList<>();
        for (int rank : shape.ranks().toArray()) {
            String host = shape.hostOf(rank);
            if (!host.isEmpty() && hostNumbers.putIfAbsent(host, hosts.size()) == null) {
                hosts.add(host);
            }
        }
        long count = 0;
        for (ParallelGroup g : shape.groups()) {
            int[] of = hostsOf(g.ranks().intersect(shape.ranks()));
            hostsOf.add(of);
            count += Math.max(0, of.length - 1) * (32L - Integer.numberOfLeadingZeros(of.length));
        }
        mostKept = Math.clamp(MOST_MEETINGS / Math.max(1, count), LEAST_KEPT, MOST_KEPT);
    }

    private int[] hostsOf(RankSet ranks) {
        TreeSet<Integer> of = new TreeSet<>();
        ranks.stream().forEach(r -> {
            Integer host = hostNumbers.get(shape.hostOf(r));
            if (host != null) {
                of.add(host);
            }
        });
        return ranks.size() < 2 ? new int[0] : of.stream().mapToInt(h -> h).toArray();
    }

    /** Takes one rank in the current step. */
    public void take(StepDigest digest) {
        if (hosts.size() < 2 || !hostNumbers.containsKey(shape.hostOf(digest.rank()))) {
            return;
        }
        int lastName = Integer.MIN_VALUE;
        int group = -1;
        for (CollectiveStat c : digest.collectives()) {
            if (!c.op().isBarrier() || c.group() < 0) {
                continue;
            }
            if (c.group() != lastName) {
                lastName = c.group();
                group = shape.groupIndex(digest.rank(), lastName);
            }
            if (group >= 0 && hostsOf.get(group).length > (step < STEPS_INSIDE ? 0 : 1)) {
                open.computeIfAbsent(group, g -> new CommonMoments()).add(digest.rank(), c);
            }
        }
    }

    /** All ranks of the step have been taken. */
    public void endStep() {
        open.forEach((group, moments) -> {
            int[] ranks = moments.ranks();
            if (ranks.length > 1) {
                new GroupStep(hostsOf.get(group), ranks).meet(moments.close());
            } else {
                moments.close();
            }
        });
        step++;
    }

    /** One group in the step that ends. */
    private final class GroupStep {
        private final int[] of;

        /** Positions of ranks by host, in the order of {@link #of}. */
        private final int[][] on;

        private final Meetings[] deviations;

        GroupStep(int[] of, int[] ranks) {
            this.of = of;
            this.on = new int[of.length][];
            this.deviations = new Meetings[ranks.length];
            Arrays.fill(on, new int[0]);
            for (int i = 0; i < ranks.length; i++) {
                int host = hostNumbers.getOrDefault(shape.hostOf(ranks[i]), -1);
                int at = Arrays.binarySearch(of, host);
                on[at] = Arrays.copyOf(on[at], on[at].length + 1);
                on[at][on[at].length - 1] = i;
                deviations[i] = members.computeIfAbsent(ranks[i], r -> new Meetings(KEPT_OF_RANK));
            }
        }

        void meet(List<long[]> moments) {
            long[] ends = new long[of.length];
            for (long[] moment : moments) {
                for (int h = 0; h < ends.length; h++) {
                    ends[h] = middle(on[h], moment);
                }
                meet(ends);
            }
        }

        private void meet(long[] ends) {
            boolean few = of.length <= FEW_HOSTS;
            for (int i = 0; i < of.length; i++) {
                for (int by = 1; i + by < of.length; by = few ? by + 1 : 2 * by) {
                    if (ends[i] != CommonMoments.UNKNOWN && ends[i + by] != CommonMoments.UNKNOWN) {
                        pairs.computeIfAbsent(ClockAlignment.pair(of[i], of[i + by]), p -> new Meetings(mostKept))
                                .add(ends[i], ends[i + by] - ends[i], step);
                    }
                }
            }
        }

        /** The middle end of a host's members; what they differ by is kept, for it is on one clock. */
        private long middle(int[] ranks, long[] moment) {
            long[] sorted = new long[ranks.length];
            int n = 0;
            for (int i : ranks) {
                if (moment[i] != CommonMoments.UNKNOWN) {
                    sorted[n++] = moment[i];
                }
            }
            if (n == 0) {
                return CommonMoments.UNKNOWN;
            }
            Arrays.sort(sorted, 0, n);
            long middle = sorted[(n - 1) / 2] + (sorted[n / 2] - sorted[(n - 1) / 2]) / 2;
            for (int i : ranks) {
                if (n > 1 && moment[i] != CommonMoments.UNKNOWN) {
                    deviations[i].add(middle, moment[i] - middle, step);
                }
            }
            return middle;
        }
    }

    /** What is known of the clocks now. Cost: O(p m log m) for p pairs of m meetings. */
    public ClockAlignment align() {
        double[] lasting = members.values().stream()
                .filter(m -> m.size() > 0)
                .mapToDouble(m -> Math.abs(Robust.median(m.distances())))
                .toArray();
        double common = lasting.length == 0 ? Double.NaN : Robust.quantile(lasting, 0.9);
        return ClockAlignment.of(shape.attempt(), hosts, pairs, common);
    }
}
