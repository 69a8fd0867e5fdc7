package dev.argus.benchmarks;

import dev.argus.benchmarks.scale.ScaleData;
import dev.argus.benchmarks.scale.ScaleJob;
import dev.argus.benchmarks.scale.ScaleRun;
import dev.argus.engine.Concluded;
import dev.argus.model.Incident;
import dev.argus.model.RankSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** One window of a large job, from encoded frames in memory to incidents. */
final class ScaleBench implements Bench {
    static final int RANKS = 12_960;
    private static final List<Integer> SMALL = List.of(3_240, 6_480);
    /** In the long form; 100,008 ranks take some 10 GB. */
    private static final List<Integer> MORE = List.of(3_240, 6_480, 25_920, 51_840, 100_008);

    private static final double BUDGET_SECONDS = 2;
    private static final double BUDGET_BYTES = 1536;
    private static final double HEAP_BYTES = 2.0 * (1L << 30);
    private static final int LANES = 2;
    /** What is compiled while the small sizes run is compiled again for larger loops: so many runs, until it is done. */
    private static final int WARM = 5;

    private static final int RUNS = 5;
    private static final int FEW_RUNS = 3;

    /** Then the states are full: 48 windows of a kernel, 64 steps of a rank. */
    private static final int FULL_WINDOWS = 50;

    private static final int FURTHER_WINDOWS = 20;
    private static final int GROWTH_RANKS = 288;

    private final int ranks;
    private final int warm;
    private final int runs;

    ScaleBench() {
        this(RANKS, WARM, RUNS);
    }

    ScaleBench(int ranks, int warm, int runs) {
        this.ranks = ranks;
        this.warm = warm;
        this.runs = runs;
    }

    @Override
    public String name() {
        return "scale";
    }

    @Override
    public String about() {
        return "one window of 12,960 ranks, from encoded frames to incidents";
    }

    /** What one size of job took. */
    private record Size(
            int ranks,
            List<Double> seconds,
            List<Double> cpuSeconds,
            double heapBytes,
            double bytesPerRankStep,
            double records) {
        List<Double> perThousand() {
            return seconds.stream().map(s -> s / ranks * 1000).toList();
        }
    }

    @Override
    public Set<String> takes() {
        return Set.of("--ranks");
    }

    @Override
    public List<Figure> measure(BenchRequest request) {
        List<Figure> figures = new ArrayList<>();
        boolean one = request.ranks() > 0;
        int of = one ? request.ranks() : ranks;
        List<Size> others = new ArrayList<>();
        if (of == RANKS && !one) {
            (request.full() ? MORE : SMALL).forEach(n -> others.add(measure(n, 1, FEW_RUNS, request)));
        }
        Size main = measure(of, warm, runs, request);
        String what = of + " ranks x 100 kernels and " + ScaleData.STEPS + " step digests a rank, decoding included, "
                + LANES + " threads, heap of at most "
                + Math.round(Runtime.getRuntime().maxMemory() / (double) (1 << 20)) + " MiB";
        figures.add(Figure.median("windowSeconds", "s", main.seconds(), what, Bar.atMost(BUDGET_SECONDS)));
        figures.add(Figure.median(
                "cpuSeconds",
                "s",
                main.cpuSeconds(),
                "what the process used of the cores meanwhile, collections and compilation included: what is left on a busy machine",
                null));
        figures.add(Figure.single(
                "heapBytes",
                "B",
                main.heapBytes(),
                "in use behind the last window after a collection, encoded frames included",
                Bar.atMost(HEAP_BYTES)));
        figures.add(Figure.single(
                "bytesPerRankStep",
                "B",
                main.bytesPerRankStep(),
                "frames of kernels and digests, over ranks x steps",
                Bar.atMost(BUDGET_BYTES)));
        figures.add(Figure.single(
                "recordsPerSecond",
                "1/s",
                main.records() / Figure.median(main.seconds()),
                "kernels and digests, " + Math.round(main.records()) + " of them",
                null));
        sizes(figures, main, others);
        if (of == RANKS) {
            figures.add(growth(request));
        }
        return figures;
    }

    private static void sizes(List<Figure> figures, Size main, List<Size> others) {
        List<Size> all = new ArrayList<>(others);
        all.add(main);
        all.sort(Comparator.comparingInt(Size::ranks));
        for (Size s : all) {
            figures.add(Figure.median(
                    "secondsPerThousandRanks" + s.ranks(),
                    "s",
                    s.perThousand(),
                    "the same window of " + s.ranks() + " ranks, by 1,000 ranks",
                    null));
        }
        if (all.size() > 1) {
            double least = Figure.median(all.getFirst().perThousand());
            double most = Figure.median(all.getLast().perThousand());
            figures.add(Figure.single(
                    "growthOfCostPerRank",
                    "x",
                    most / least,
                    "cost a rank at " + all.getLast().ranks() + " ranks over that at "
                            + all.getFirst().ranks() + "; 1 where it grows linearly",
                    null));
        }
    }

    /** Memory over many windows of one job: states fill up and then stay. */
    private static Figure growth(BenchRequest request) {
        request.progress()
                .accept("following " + GROWTH_RANKS + " ranks over " + (FULL_WINDOWS + FURTHER_WINDOWS) + " windows");
        ScaleData data = new ScaleData(ScaleJob.ofRanks(GROWTH_RANKS), FULL_WINDOWS + FURTHER_WINDOWS);
        ScaleRun run = new ScaleRun(data, Runnable::run, 1);
        double full = 0;
        for (int w = 0; w < FULL_WINDOWS + FURTHER_WINDOWS; w++) {
            data.makeDigests(w);
            run.take(w);
            full = w == FULL_WINDOWS - 1 ? usedHeap() : full;
        }
        double growth = usedHeap() - full;
        check(data, run.conclude());
        return Figure.single(
                "heapGrowthPerRankWindow",
                "B",
                growth / GROWTH_RANKS / FURTHER_WINDOWS,
                "over " + FURTHER_WINDOWS + " further windows when all states are full, " + GROWTH_RANKS
                        + " ranks; heap then " + Math.round(full / 1e6) + " MB, frames of all windows included",
                null);
    }

    private static Size measure(int ranks, int warm, int runs, BenchRequest request) {
        request.progress().accept("making the frames of " + ranks + " ranks");
        ScaleData data = new ScaleData(ScaleJob.ofRanks(ranks), 2);
        try (ExecutorService others = Executors.newFixedThreadPool(LANES)) {
            return measure(data, new ScaleRun(data, others, LANES), warm, runs, request);
        }
    }

    private static Size measure(ScaleData data, ScaleRun run, int warm, int runs, BenchRequest request) {
        int ranks = data.ranks();
        List<Double> seconds = new ArrayList<>();
        List<Double> cpu = new ArrayList<>();
        for (int i = -warm; i < runs; i++) {
            run.restart();
            run.skip(0);
            System.gc(); // the states of the run before are garbage that no job that goes on leaves
            long cpuStart = cpuNanos();
            long start = System.nanoTime();
            run.take(1);
            Concluded concluded = run.conclude();
            double taken = (System.nanoTime() - start) / 1e9;
            double used = (cpuNanos() - cpuStart) / 1e9;
            request.progress().accept(String.format("%d ranks: %.2f s, %.2f s of CPU", ranks, taken, used));
            check(data, concluded);
            if (i >= 0) {
                seconds.add(taken);
                cpu.add(used);
            }
        }
        double heap = usedHeap();
        double records = ranks * (100.0 + ScaleData.STEPS);
        return new Size(ranks, seconds, cpu, heap, (double) data.bytes(1) / ranks / ScaleData.STEPS, records);
    }

    private static void check(ScaleData data, Concluded concluded) {
        RankSet slow = data.slow();
        RankSet named = ScaleRun.named(concluded);
        if (!named.equals(slow)) {
            List<String> said = concluded.incidents().stream()
                    .limit(12)
                    .map(Incident::summary)
                    .toList();
            throw new IllegalStateException("incidents name ranks " + named + ", but " + slow + " are slow; they say: "
                    + String.join("; ", said));
        }
    }

    private static long cpuNanos() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .map(Duration::toNanos)
                .orElse(0L);
    }

    private static double usedHeap() {
        System.gc();
        Runtime vm = Runtime.getRuntime();
        return (double) (vm.totalMemory() - vm.freeMemory());
    }
}
