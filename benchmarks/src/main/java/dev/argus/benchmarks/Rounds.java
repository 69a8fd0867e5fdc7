package dev.argus.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Times contenders in turn, A B C then B C A then C A B, so that what disturbs the machine disturbs all of them.
 *
 * <p>Each is warmed up before the first round until it has run for a while. Used by one thread.
 */
final class Rounds {
    private static final int WARM_UP_RUNS = 3;

    /** The work of one contender. */
    @FunctionalInterface
    interface Work {
        /** Does it once; returns a checksum of the result, the same each time. */
        long run() throws IOException;
    }

    private final long warmUpNanos;
    private final LongSupplier clock;
    private final Map<String, Work> contenders = new LinkedHashMap<>();
    private final Map<String, List<Double>> seconds = new LinkedHashMap<>();
    private final Map<String, Long> checksums = new LinkedHashMap<>();

    /** By the wall clock. */
    Rounds(long warmUpNanos) {
        this(warmUpNanos, System::nanoTime);
    }

    /** By a clock of nanoseconds. */
    Rounds(long warmUpNanos, LongSupplier clock) {
        this.warmUpNanos = warmUpNanos;
        this.clock = clock;
    }

    /** What the calling thread has used of a core: for work of one thread, on machines that are not empty. */
    static LongSupplier threadClock() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return threads.isCurrentThreadCpuTimeSupported() ? threads::getCurrentThreadCpuTime : System::nanoTime;
    }

    Rounds add(String name, Work work) {
        contenders.put(name, work);
        seconds.put(name, new ArrayList<>());
        return this;
    }

    /** Warms up and measures. */
    void run(int rounds) throws IOException {
        for (Map.Entry<String, Work> contender : contenders.entrySet()) {
            warmUp(contender.getKey(), contender.getValue());
        }
        List<String> order = new ArrayList<>(contenders.keySet());
        for (int round = 0; round < rounds; round++) {
            for (String name : order) {
                Work work = contenders.getOrDefault(name, () -> 0);
                long start = clock.getAsLong();
                long checksum = work.run();
                double taken = (clock.getAsLong() - start) / 1e9;
                check(name, checksum);
                seconds.getOrDefault(name, new ArrayList<>()).add(taken);
            }
            order.add(order.removeFirst());
        }
    }

    private void warmUp(String name, Work work) throws IOException {
        long start = System.nanoTime();
        int runs = 0;
        while (runs < WARM_UP_RUNS || System.nanoTime() - start < warmUpNanos) {
            check(name, work.run());
            runs++;
        }
    }

    private void check(String name, long checksum) {
        Long before = checksums.putIfAbsent(name, checksum);
        if (before != null && before != checksum) {
            throw new IllegalStateException(name + " returned checksum " + checksum + " after " + before
                    + ": its runs did not do the same work");
        }
    }

    /** The checksum all runs of a contender had. */
    long checksum(String name) {
        return checksums.getOrDefault(name, 0L);
    }

    /** An amount per second, run by run. */
    List<Double> perSecond(String name, long amount) {
        return seconds.getOrDefault(name, List.of()).stream()
                .map(taken -> (double) amount / taken)
                .toList();
    }
}
