package dev.argus.engine;

import dev.argus.stats.Robust;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Whether whole hosts lie apart from the others in what their ranks always have: a host is warm, or runs another driver, and its ranks
 * are all a little slow. No rank need stand out for that. Where such hosts have a quarter of the ranks and more, the median of all ranks is no reference.
 *
 * <p>Method: hosts in the order of the median of their ranks; of the splits at which the upper ones have a quarter to two thirds of all ranks, the
 * one with the largest distance, if it is a share of the typical value, far beyond chance for means of so many ranks with the spread within both sides, and
 * most of the ranks above lie nearer to the others above than to those below. Cost: O(n log n) for n ranks, and O(n) for each split that only its
 * lowest ranks speak against.
 */
final class HostsApart {
    /** Standard deviations of the difference of two means. */
    private static final double SIGMAS = 5;

    /** Where the slower hosts have most of the ranks they must be slower by this factor: no GPU is faster than it should be, but bins and drivers differ a little. */
    private static final double MOST_FACTOR = 2;

    /**
     * The same in standard deviations of a host's mean: hosts were put in order, and the halves of any sorted noise lie 1.6 of them apart, a quarter and the rest 1.7, however
     * many hosts there are.
     */
    private static final double SORTED_SIGMAS = 3;

    /** Fewer ranks on a side do not show how far healthy ones lie apart. */
    private static final int LEAST_RANKS = 4;

    /** Share of the ranks above that may lie lower. */
    private static final double LOWER_SHARE = 0.25;

    private HostsApart() {}

    /** Ranks of one host, by their position, and the median of what they always have. */
    private record Host(List<Integer> rows, double median) {}

    /**
     * The ranks of the slower hosts, by position; null where no hosts lie apart.
     *
     * @param lasting what each rank always has above the centre; NaN where unknown
     * @param hostOf host by position; empty when unknown
     * @param sigma least standard deviation of healthy ranks
     * @param least least distance
     */
    static boolean @Nullable [] slower(double[] lasting, IntFunction<String> hostOf, double sigma, double least) {
        List<Host> hosts = hosts(lasting, hostOf);
        if (hosts == null) {
            return null;
        }
        double[] inOrder = of(lasting, hosts);
        int n = inOrder.length;
        Sums sums = new Sums(inOrder);
        List<Split> splits = new ArrayList<>();
        int below = 0;
        for (int k = 1; k < hosts.size(); k++) {
            below += hosts.get(k - 1).rows().size();
            int above = n - below;
            boolean most = above > below;
            if (4 * above < n || above < LEAST_RANKS || (most && (3 * below < n || below < LEAST_RANKS))) {
                continue;
            }
            double apart = sums.mean(below, n) - sums.mean(0, below);
            double spread = Math.max(sigma, Math.sqrt((sums.squares(0, below) + sums.squares(below, n)) / (n - 2)));
            double ofHosts = spread * Math.sqrt(hosts.size() / (double) n);
            double chance = Math.max(SIGMAS * spread * Math.sqrt(1.0 / below + 1.0 / above), SORTED_SIGMAS * ofHosts);
            if (apart >= Math.max(most ? MOST_FACTOR * least : least, chance)) {
                splits.add(new Split(k, below, apart));
            }
        }
        splits.sort(Comparator.comparingDouble(Split::apart).reversed());
        for (Split s : splits) {
            double lowest = Robust.lowerQuantile(Arrays.copyOfRange(inOrder, s.below(), n), LOWER_SHARE);
            if (lowest - sums.mean(0, s.below()) >= s.apart() / 2) {
                return rows(lasting.length, hosts.subList(s.host(), hosts.size()));
            }
        }
        return null;
    }

    /**
     * A way to part the hosts.
     *
     * @param host the first of the upper ones
     * @param below ranks of the lower ones
     * @param apart how far the means lie apart
     */
    private record Split(int host, int below, double apart) {}

    /** Sums of values up to each place, less a value among them, for sums of squares are differences of large numbers. */
    private static final class Sums {
        private final double origin;
        private final double[] sum;
        private final double[] square;

        Sums(double[] values) {
            origin = values[0];
            sum = new double[values.length + 1];
            square = new double[values.length + 1];
            for (int i = 0; i < values.length; i++) {
                double v = values[i] - origin;
                sum[i + 1] = sum[i] + v;
                square[i + 1] = square[i] + v * v;
            }
        }

        /** Mean from a place to another, the other not included. */
        double mean(int from, int to) {
            return origin + (sum[to] - sum[from]) / (to - from);
        }

        /** Sum of the squares of the distances from that mean. */
        double squares(int from, int to) {
            double of = sum[to] - sum[from];
            return Math.max(0, square[to] - square[from] - of * of / (to - from));
        }
    }

    private static boolean[] rows(int n, List<Host> hosts) {
        boolean[] rows = new boolean[n];
        hosts.forEach(h -> h.rows().forEach(r -> rows[r] = true));
        return rows;
    }

    /** From the fastest on, without ranks of which nothing is known; null where the host of a rank is unknown, or there are fewer than two. */
    private static @Nullable List<Host> hosts(double[] lasting, IntFunction<String> hostOf) {
        Map<String, List<Integer>> rows = new LinkedHashMap<>();
        for (int r = 0; r < lasting.length; r++) {
            String host = hostOf.apply(r);
            if (host.isEmpty()) {
                return null;
            }
            if (!Double.isNaN(lasting[r])) {
                rows.computeIfAbsent(host, h -> new ArrayList<>()).add(r);
            }
        }
        List<Host> hosts = new ArrayList<>();
        for (List<Integer> of : rows.values()) {
            hosts.add(new Host(
                    of, Robust.median(of.stream().mapToDouble(r -> lasting[r]).toArray())));
        }
        hosts.sort(Comparator.comparingDouble(Host::median));
        return hosts.size() < 2 ? null : hosts;
    }

    private static double[] of(double[] lasting, List<Host> hosts) {
        return hosts.stream()
                .flatMap(h -> h.rows().stream())
                .mapToDouble(r -> lasting[r])
                .toArray();
    }
}
