package dev.argus.hostlocal;

import dev.argus.model.KernelWindow;
import dev.argus.model.StreamKernel;
import dev.argus.sketch.Rebuilt;
import dev.argus.stats.QuantileFunction;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What the detectors do not see because they work from summaries: the distance between the kernels of the traces and what is rebuilt
 * from their summaries, beside the bound that the summaries carry.
 *
 * <p>Totals are shared by all files and thread-safe; a {@link File} belongs to one thread and keeps one step's durations.
 */
final class SummaryLoss {
    private long events;
    private long kernels;
    private long windows;
    private long lost;
    private double nanos;
    private double boundNanos;
    private double lossNanos;
    private double worstBoundRatio;
    private double worstLossRatio;

    /** Durations of one file's step, by kernel and stream. */
    final class File {
        private final Map<Long, long[]> durations = new HashMap<>();
        private final Map<Long, Integer> counts = new HashMap<>();

        void add(int name, int stream, long durationNanos) {
            long key = key(name, stream);
            int n = counts.merge(key, 1, Integer::sum);
            long[] all = durations.computeIfAbsent(key, k -> new long[8]);
            if (n > all.length) {
                all = Arrays.copyOf(all, 2 * n);
                durations.put(key, all);
            }
            all[n - 1] = durationNanos;
        }

        /** Compares a window with the events added since the one before. */
        void compare(KernelWindow window) {
            for (StreamKernel k : window.kernels()) {
                long key = key(k.name(), k.stream());
                long[] all = durations.getOrDefault(key, new long[0]);
                double[] exact = Arrays.stream(all, 0, counts.getOrDefault(key, 0))
                        .sorted()
                        .asDoubleStream()
                        .toArray();
                if (exact.length == k.durations().count() && exact.length > 0) {
                    double w1 = QuantileFunction.steps(exact)
                            .shiftTo(Rebuilt.of(k.durations()))
                            .distance();
                    SummaryLoss.this.add(k, w1 * exact.length);
                }
            }
            window(window);
            durations.clear();
            counts.clear();
        }

        private static long key(int name, int stream) {
            return ((long) stream << 32) | name;
        }
    }

    private synchronized void add(StreamKernel k, double w1Nanos) {
        double sum = k.durations().sumNanos();
        events += k.durations().count();
        kernels++;
        nanos += sum;
        boundNanos += sum * k.durations().boundRatio();
        lossNanos += w1Nanos;
        if (sum > 0) {
            worstBoundRatio = Math.max(worstBoundRatio, k.durations().boundRatio());
            worstLossRatio = Math.max(worstLossRatio, w1Nanos / sum);
        }
    }

    private synchronized void window(KernelWindow window) {
        windows++;
        lost += window.lost();
    }

    /** The totals as lines for people. */
    synchronized List<String> lines() {
        if (windows == 0) {
            return List.of("kernel summaries: none, no compute kernel in any step");
        }
        return List.of(
                String.format(
                        Locale.ROOT,
                        "kernel summaries: %d compute kernels in %d summaries of one kernel, stream and step; %d windows",
                        events,
                        kernels,
                        windows),
                String.format(
                        Locale.ROOT,
                        "kernel summaries: lost %.2f %% of the time (W1 to the events, weighted by time), worst summary %.2f %%; "
                                + "bounds carried: %.2f %%, worst %.2f %%; events without room: %d",
                        100 * ratio(lossNanos),
                        100 * worstLossRatio,
                        100 * ratio(boundNanos),
                        100 * worstBoundRatio,
                        lost));
    }

    private double ratio(double part) {
        return nanos > 0 ? part / nanos : 0;
    }
}
