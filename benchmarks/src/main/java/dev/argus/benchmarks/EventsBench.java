package dev.argus.benchmarks;

import dev.argus.model.KernelWindow;
import dev.argus.model.StreamKernel;
import dev.argus.sketch.KernelSketch;
import dev.argus.sketch.WindowCloser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** How fast kernel events in memory become closed summaries, on one thread, beside a scan that only reads the same bytes. */
final class EventsBench implements Bench {
    private static final String SKETCH = "sketch";
    private static final String SCAN = "scan";
    private static final long SEED = 17;
    private static final int CLOSINGS = 41;

    private final long records;
    private final long warmUpNanos;

    EventsBench() {
        this(1L << 23, 2_000_000_000L);
    }

    EventsBench(long records, long warmUpNanos) {
        this.records = records;
        this.warmUpNanos = warmUpNanos;
    }

    @Override
    public String name() {
        return "events";
    }

    @Override
    public String about() {
        return "kernel events in memory to closed summaries, beside a plain scan";
    }

    @Override
    public List<Figure> measure(BenchRequest request) throws IOException {
        request.progress().accept("making " + records + " records");
        return measure(new EventRecords(request.full() ? 4 * records : records, SEED), request);
    }

    private List<Figure> measure(EventRecords events, BenchRequest request) throws IOException {
        KernelSketch sketch = new KernelSketch();
        Rounds rounds = new Rounds(warmUpNanos, Rounds.threadClock())
                .add(SCAN, events::scan)
                .add(SKETCH, () -> summarise(events, sketch));
        request.progress().accept("timing");
        rounds.run(11);
        List<Double> ours = rounds.perSecond(SKETCH, events.count());
        List<Double> scan = rounds.perSecond(SCAN, events.count());
        String data = events.count() + " records of 32 B, " + EventRecords.KEYS + " keys with 3 modes, seed " + SEED
                + ", one thread, by its CPU time; checksum " + Long.toHexString(rounds.checksum(SKETCH));
        List<Figure> figures = new ArrayList<>();
        figures.add(Figure.median("eventsPerSecond", "1/s", ours, data, Bar.atLeast(5e7)));
        figures.add(Figure.median(
                "scanRecordsPerSecond", "1/s", scan, "sum over all bytes of the same records, same run", null));
        figures.add(Figure.median(
                "timeVersusScan",
                "x",
                Figure.ratios(scan, ours),
                "time of ours over that of the scan, round by round",
                Bar.atMost(4)));
        close(figures, sketch);
        return figures;
    }

    /** One window: every record into the open sketch, then closed. */
    private static long summarise(EventRecords events, KernelSketch sketch) {
        sketch.clear();
        events.into(sketch);
        return checksum(new WindowCloser().close(sketch, 0, 0, 0));
    }

    private static long checksum(KernelWindow window) {
        long sum = 0;
        for (StreamKernel kernel : window.kernels()) {
            sum = 31 * sum + kernel.durations().hashCode();
        }
        return sum;
    }

    private static void close(List<Figure> figures, KernelSketch sketch) {
        LongSupplier clock = Rounds.threadClock();
        List<Double> millis = new ArrayList<>();
        int modes = 0;
        int knots = 0;
        for (int i = -CLOSINGS; i < CLOSINGS; i++) {
            long start = clock.getAsLong();
            KernelWindow window = new WindowCloser().close(sketch, 0, 0, 0);
            double taken = (clock.getAsLong() - start) / 1e6;
            if (i >= 0) {
                millis.add(taken);
            }
            modes = window.kernels().stream()
                    .mapToInt(k -> k.durations().modeFirst().length)
                    .sum();
            knots = window.kernels().stream()
                    .mapToInt(k -> k.durations().places().length)
                    .sum();
        }
        figures.add(Figure.median(
                "closeMillis",
                "ms",
                millis,
                "closing " + EventRecords.KEYS + " keys: density, modes, knots, bound",
                Bar.atMost(4)));
        figures.add(Figure.count(
                "modes", "1", modes, "modes found; made with 3 a key", Bar.exactly(3L * EventRecords.KEYS)));
        figures.add(Figure.count("knots", "1", knots, "knots of all keys", null));
        figures.add(Figure.count("footprint", "B", sketch.footprintBytes(), "bytes the open sketch holds", null));
    }
}
