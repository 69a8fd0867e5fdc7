package dev.argus.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.argus.model.KernelWindow;
import dev.argus.model.StreamKernel;
import dev.argus.sketch.Rebuilt;
import dev.argus.sketch.WindowCloser;
import dev.argus.stats.QuantileFunction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.zip.CRC32C;

/** How small summaries are, and how much of the distributions they lose, beside other ways to summarise the same events. */
final class CompressionBench implements Bench {
    private static final int STEADY_WINDOWS = 100;
    private static final int STEADY_KEYS = 130;
    private static final int KEY_FRAME_EVERY = 50;

    /** Sums over windows and files. */
    private static final class Totals {
        double error;
        double time;
        double worst;
        long keys;
        long windows;
        long kernels;
        double worstFileRatio;
        String worstFile = "";

        void add(double keyError, double keyTime) {
            error += keyError;
            time += keyTime;
            worst = Math.max(worst, keyTime > 0 ? keyError / keyTime : 0);
            keys++;
        }

        double weighted() {
            return time > 0 ? error / time : 0;
        }
    }

    @Override
    public String name() {
        return "compression";
    }

    @Override
    public String about() {
        return "bytes and W1 error of kernel summaries, beside other sketches";
    }

    @Override
    public Set<String> takes() {
        return Set.of(PATH, "--window", "--rebuilt");
    }

    @Override
    public List<Figure> measure(BenchRequest request) throws IOException, CannotMeasure {
        boolean made = request.paths().isEmpty();
        List<KernelTrace> traces = made ? MadeKernels.traces() : KernelTraceReader.read(request);
        boolean whole = request.window() == BenchRequest.Window.trace;
        List<Figure> figures = new ArrayList<>();
        ours(figures, traces, whole, request);
        for (Contender contender : Contender.ALL) {
            request.progress().accept("comparing with " + contender.about());
            contender(figures, traces, whole, contender);
        }
        request.progress().accept("replaying a steady stream");
        steady(figures, traces);
        return figures;
    }

    private static void ours(List<Figure> figures, List<KernelTrace> traces, boolean whole, BenchRequest request)
            throws IOException {
        Totals totals = new Totals();
        CRC32C checksum = new CRC32C();
        long bytes = 0;
        long names = 0;
        long extremeBytes = 0;
        int extremes = 0;
        long triples = 0;
        try (RebuiltFile rebuilt = new RebuiltFile(request.rebuilt())) {
            for (KernelTrace trace : traces) {
                SummaryStream stream = new SummaryStream(new WindowCloser(WindowCloser.DEFAULT_SHARE, whole));
                long fileTriples = 0;
                for (Map.Entry<Long, List<KernelTrace.Event>> window :
                        (whole ? trace.whole() : trace).windows().entrySet()) {
                    KernelWindow back = stream.send(window.getValue(), window.getKey(), false);
                    check(totals, stream, back, trace.label(), window.getValue(), rebuilt, checksum);
                    fileTriples += KernelTrace.durations(window.getValue()).values().stream()
                            .mapToInt(PublishedTriple::bytes)
                            .sum();
                }
                bytes += stream.bytes();
                names += stream.nameBytes();
                extremeBytes += stream.extremeBytes();
                extremes += stream.extremes();
                triples += fileTriples;
                double ratio = (double) stream.bytes() / fileTriples;
                request.progress()
                        .accept(trace.label() + ": " + stream.bytes() + " B of " + fileTriples + " B in triples");
                if (ratio > totals.worstFileRatio) {
                    totals.worstFileRatio = ratio;
                    totals.worstFile = trace.label();
                }
            }
        }
        String data = traces.size() + " files, " + totals.windows + " windows, " + totals.keys
                + " kernels and streams in them, " + totals.kernels + " events";
        String sum = "; checksum of what is rebuilt " + Long.toHexString(checksum.getValue());
        figures.add(Figure.count(
                "bytesWithoutNames",
                "B",
                bytes,
                data + "; counts, sums, knots, mode borders, framing; encoded, decoded and compared",
                null));
        figures.add(Figure.count("bytesWithNames", "B", bytes + names, "the same with the dictionary", null));
        figures.add(Figure.count(
                "extremeBytes", "B", extremeBytes, extremes + " events kept with their time, shown apart", null));
        figures.add(Figure.single(
                "w1TimeWeighted",
                "1",
                totals.weighted(),
                "W1 against the step function of the events, weighted by time, as a share of the mean" + sum,
                Bar.atMost(0.01)));
        figures.add(Figure.single("w1Worst", "1", totals.worst, "the worst kernel and stream", Bar.atMost(0.02)));
        figures.add(Figure.single(
                "bytesVersusTriples",
                "x",
                (double) bytes / triples,
                triples + " B in the published triples, all files",
                whole ? Bar.atMost(0.5) : null));
        figures.add(Figure.single(
                "bytesVersusTriplesWorstFile",
                "x",
                totals.worstFileRatio,
                totals.worstFile,
                whole ? Bar.atMost(0.65) : null));
    }

    private static void check(
            Totals totals,
            SummaryStream stream,
            KernelWindow back,
            String label,
            List<KernelTrace.Event> events,
            RebuiltFile rebuilt,
            CRC32C checksum)
            throws IOException {
        Map<KernelTrace.Key, long[]> durations = KernelTrace.durations(events);
        totals.windows++;
        totals.kernels += events.size();
        for (StreamKernel kernel : back.kernels()) {
            KernelTrace.Key key = new KernelTrace.Key(stream.names().name(kernel.name()), kernel.stream());
            long[] truth = durations.getOrDefault(key, new long[0]);
            long sum = Arrays.stream(truth).sum();
            if (kernel.durations().count() != truth.length || kernel.durations().sumNanos() != sum) {
                throw new IllegalStateException(label + ": " + key + " has count or sum of " + kernel.durations()
                        + ", expected " + truth.length + " and " + sum);
            }
            QuantileFunction function = Rebuilt.of(kernel.durations());
            double[] exact = Arrays.stream(truth).asDoubleStream().toArray();
            double w1 = QuantileFunction.steps(exact).shiftTo(function).distance();
            if (w1 > kernel.durations().boundRatio() * sum / truth.length + 1e-6) {
                throw new IllegalStateException(label + ": " + key + " is off by " + w1 + " ns, more than its bound of "
                        + kernel.durations().boundRatio() + " of the mean");
            }
            totals.add(w1 * truth.length, (double) sum);
            checksum.update((kernel.durations() + ";").getBytes(UTF_8));
            rebuilt.add(label, key, back.window(), truth.length, function);
        }
    }

    private static void contender(List<Figure> figures, List<KernelTrace> traces, boolean whole, Contender contender) {
        Totals totals = new Totals();
        long bytes = 0;
        for (KernelTrace trace : traces) {
            for (List<KernelTrace.Event> events :
                    (whole ? trace.whole() : trace).windows().values()) {
                for (long[] durations : KernelTrace.durations(events).values()) {
                    Contender.Result result = contender.of(durations);
                    bytes += result.bytes();
                    totals.add(result.error(durations), (double)
                            Arrays.stream(durations).sum());
                }
            }
        }
        String name = contender.name();
        figures.add(Figure.count(name + "BytesWithoutNames", "B", bytes, contender.about(), null));
        figures.add(Figure.count(
                name + "BytesWithNames",
                "B",
                bytes + nameBytes(traces),
                "the same with each file's names once, as ours",
                null));
        figures.add(Figure.single(name + "W1TimeWeighted", "1", totals.weighted(), "as w1TimeWeighted", null));
        figures.add(Figure.single(name + "W1Worst", "1", totals.worst, "as w1Worst", null));
    }

    private static long nameBytes(List<KernelTrace> traces) {
        long bytes = 0;
        for (KernelTrace trace : traces) {
            SummaryStream stream = new SummaryStream(new WindowCloser());
            stream.send(trace.whole().events(), 0, true);
            bytes += stream.nameBytes();
        }
        return bytes;
    }

    private static void steady(List<Figure> figures, List<KernelTrace> traces) {
        KernelTrace trace = traces.stream()
                .max(Comparator.comparingInt((KernelTrace t) ->
                                Math.min(STEADY_KEYS, keys(t.events()).size()))
                        .thenComparingInt(t -> t.events().size()))
                .orElseThrow();
        List<KernelTrace.Event> events = first(trace.whole().events());
        int keys = keys(events).size();
        for (double noise : new double[] {0.005, 0.01}) {
            SummaryStream stream = new SummaryStream(new WindowCloser(WindowCloser.DEFAULT_SHARE, false));
            Random random = new Random(41);
            for (int window = 0; window < STEADY_WINDOWS; window++) {
                stream.send(noisy(events, random, noise), window, window % KEY_FRAME_EVERY == 0);
            }
            double bytes = (double) stream.bytes() / STEADY_WINDOWS * STEADY_KEYS / keys;
            boolean bar = noise == 0.005;
            figures.add(Figure.single(
                    bar ? "steadyBytesPerWindow" : "noisierBytesPerWindow",
                    "B",
                    bytes,
                    trace.label() + " (" + keys + " keys, " + events.size() + " events) as one window " + STEADY_WINDOWS
                            + " times, every event times 1 +- " + noise
                            + ", every key times 1 +- 0.001, a key frame every "
                            + KEY_FRAME_EVERY + "; for " + STEADY_KEYS + " keys, without names",
                    bar ? Bar.atMost(512) : null));
        }
    }

    private static Set<KernelTrace.Key> keys(List<KernelTrace.Event> events) {
        Set<KernelTrace.Key> keys = new LinkedHashSet<>();
        events.forEach(e -> keys.add(new KernelTrace.Key(e.name(), e.stream())));
        return keys;
    }

    /** The events of as many keys as asked for, the first to appear. */
    private static List<KernelTrace.Event> first(List<KernelTrace.Event> events) {
        Set<KernelTrace.Key> kept =
                new LinkedHashSet<>(keys(events).stream().limit(STEADY_KEYS).toList());
        return events.stream()
                .filter(e -> kept.contains(new KernelTrace.Key(e.name(), e.stream())))
                .toList();
    }

    private static List<KernelTrace.Event> noisy(List<KernelTrace.Event> events, Random random, double noise) {
        Map<KernelTrace.Key, Double> drift = new HashMap<>();
        List<KernelTrace.Event> result = new ArrayList<>();
        for (KernelTrace.Event e : events) {
            double factor = drift.computeIfAbsent(
                            new KernelTrace.Key(e.name(), e.stream()), k -> 1 + 0.001 * random.nextGaussian())
                    * (1 + noise * random.nextGaussian());
            result.add(new KernelTrace.Event(
                    e.name(), e.stream(), e.window(), e.startNanos(), Math.max(0, Math.round(e.nanos() * factor))));
        }
        return result;
    }
}
