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
 * <p>Method: hosts in the order of the median of their ranks; of the splits at which the upper ones have a quarter to a half of all ranks, the
 * one with the largest distance, if it is a share of the typical value, far beyond chance for means of so many ranks with the spread within both sides, and
 * most of the ranks above lie nearer to the others above than to those below. Cost: O(n log n) for n ranks.
 */
final class HostsApart {
    /** Standard deviations of the difference of two means. */
    private static final double SIGMAS = 5;

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
        boolean[] best = null;
        double most = 0;
        for (int k = 1; k < hosts.size(); k++) {
            double[] low = of(lasting, hosts.subList(0, k));
            double[] high = of(lasting, hosts.subList(k, hosts.size()));
            boolean share = high.length <= low.length && 4 * high.length >= lasting.length;
            if (!share || high.length < LEAST_RANKS) {
                continue;
            }
            double below = mean(low);
            double apart = mean(high) - below;
            double spread = Math.max(sigma, Math.sqrt((squares(low) + squares(high)) / (lasting.length - 2)));
            double chance = SIGMAS * spread * Math.sqrt(1.0 / low.length + 1.0 / high.length);
            double lowest = Robust.lowerQuantile(high, LOWER_SHARE);
            if (lowest - below >= apart / 2 && apart >= Math.max(least, chance) && apart > most) {
                most = apart;
                best = rows(lasting.length, hosts.subList(k, hosts.size()));
            }
        }
        return best;
    }

    private static boolean[] rows(int n, List<Host> hosts) {
        boolean[] rows = new boolean[n];
        hosts.forEach(h -> h.rows().forEach(r -> rows[r] = true));
        return rows;
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElse(0);
    }

    private static double squares(double[] values) {
        double mean = mean(values);
        return Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
    }

    /** From the fastest on; null where the host of a rank is unknown. */
    private static @Nullable List<Host> hosts(double[] lasting, IntFunction<String> hostOf) {
        Map<String, List<Integer>> rows = new LinkedHashMap<>();
        for (int r = 0; r < lasting.length; r++) {
            String host = hostOf.apply(r);
            if (host.isEmpty() || Double.isNaN(lasting[r])) {
                return null;
            }
            rows.computeIfAbsent(host, h -> new ArrayList<>()).add(r);
        }
        List<Host> hosts = new ArrayList<>();
        for (List<Integer> of : rows.values()) {
            hosts.add(new Host(
                    of, Robust.median(of.stream().mapToDouble(r -> lasting[r]).toArray())));
        }
        hosts.sort(Comparator.comparingDouble(Host::median));
        return hosts;
    }

    private static double[] of(double[] lasting, List<Host> hosts) {
        return hosts.stream()
                .flatMap(h -> h.rows().stream())
                .mapToDouble(r -> lasting[r])
                .toArray();
    }
}
