package dev.argus.benchmarks;

import dev.argus.benchmarks.scale.ScaleData;
import dev.argus.benchmarks.scale.ScaleJob;
import dev.argus.benchmarks.scale.ScaleRun;
import dev.argus.engine.Concluded;
import dev.argus.model.Incident;
import dev.argus.model.RankSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** One window of a large job, from encoded frames in memory to incidents. */
final class ScaleBench implements Bench {
    static final int RANKS = 12_960;
    private static final int[] SMALL = {3_240, 6_480};
    private static final int[] LARGE = {25_920, 51_840, 103_680};
    private static final double BUDGET_SECONDS = 2;
    private static final double BUDGET_BYTES = 1536;
    private static final double HEAP_BYTES = 2.0 * (1L << 30);
    private static final int LANES = 2;
    private static final int WARM = 2;
    private static final int RUNS = 5;

    private final int ranks;

    ScaleBench() {
        this(RANKS);
    }

    ScaleBench(int ranks) {
        this.ranks = ranks;
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
    private record Size(int ranks, List<Double> seconds, double heapBytes, double bytesPerRankStep, double records) {
        double perThousand() {
            return Figure.median(seconds) / ranks * 1000;
        }
    }

    @Override
    public List<Figure> measure(BenchRequest request) {
        List<Figure> figures = new ArrayList<>();
        int of = request.ranks() > 0 ? request.ranks() : ranks;
        Size main = measure(of, WARM, RUNS, request);
        String what = of + " ranks x 100 kernels and " + ScaleData.STEPS + " step digests a rank, decoding included";
        figures.add(Figure.median("windowSeconds", "s", main.seconds(), what, Bar.atMost(BUDGET_SECONDS)));
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
        return figures;
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
        for (int i = -warm; i < runs; i++) {
            run.restart();
            run.skip(0);
            long start = System.nanoTime();
            run.take(1);
            Concluded concluded = run.conclude();
            double taken = (System.nanoTime() - start) / 1e9;
            request.progress().accept(String.format("%d ranks: %.2f s", ranks, taken));
            check(data, concluded);
            if (i >= 0) {
                seconds.add(taken);
            }
        }
        double heap = usedHeap();
        double records = ranks * (100.0 + ScaleData.STEPS);
        return new Size(ranks, seconds, heap, (double) data.bytes(1) / ranks / ScaleData.STEPS, records);
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

    private static double usedHeap() {
        System.gc();
        Runtime vm = Runtime.getRuntime();
        return (double) (vm.totalMemory() - vm.freeMemory());
    }
}
