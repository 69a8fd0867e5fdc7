package dev.argus.benchmarks;

import dev.argus.model.NameTable;
import dev.argus.trace.ReadOutcome;
import dev.argus.trace.Status;
import dev.argus.trace.TraceFile;
import dev.argus.trace.TraceReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Our reader of traces, to events with exact times, against Jackson's bare token stream and a sum over all bytes: one
 * thread each, by its processor time, the same uncompressed files in the page cache, in turn.
 */
final class ReaderBench implements Bench {
    private static final long WARM_UP_NANOS = 3_000_000_000L;
    private static final long BYTES_TIMED = 1_000_000_000;
    private static final String OURS = "ours";
    private static final String JACKSON = "jackson";
    private static final String SCAN = "scan";

    private final long warmUpNanos;

    ReaderBench() {
        this(WARM_UP_NANOS);
    }

    /** With another warm-up: tests need no steady figures. */
    ReaderBench(long warmUpNanos) {
        this.warmUpNanos = warmUpNanos;
    }

    @Override
    public String name() {
        return "reader";
    }

    @Override
    public String about() {
        return "reading traces, against Jackson; --full: 1 GiB in 512 MiB of heap";
    }

    @Override
    public Set<String> takes() {
        return Set.of(PATH);
    }

    @Override
    public List<Figure> measure(BenchRequest request) throws IOException, InterruptedException, CannotMeasure {
        List<Figure> figures = new ArrayList<>();
        try (Scratch scratch = new Scratch()) {
            ReaderInput input =
                    request.paths().isEmpty() ? ReaderInput.made(scratch) : ReaderInput.of(request.paths(), scratch);
            input = readable(input, request);
            request.progress().accept("reading " + input.about());
            compare(figures, input);
        }
        if (request.full()) {
            try (Scratch scratch = new Scratch()) {
                new FullDiagnosis(request.progress()).measure(figures, scratch);
            }
        }
        return figures;
    }

    private void compare(List<Figure> figures, ReaderInput input) throws IOException {
        Rounds rounds = new Rounds(warmUpNanos, Rounds.threadClock())
                .add(SCAN, () -> scan(input))
                .add(JACKSON, () -> jackson(input))
                .add(OURS, () -> ours(input).checksum());
        rounds.run(Math.clamp(BYTES_TIMED / input.bytes(), 3, 11));
        List<Double> ours = rounds.perSecond(OURS, input.bytes());
        List<Double> jackson = rounds.perSecond(JACKSON, input.bytes());
        List<Double> ratios = Figure.ratios(ours, jackson);
        String data = input.about() + ", one thread, processor time";
        String checksum = Long.toHexString(rounds.checksum(OURS));
        figures.add(
                Figure.median("readerBytesPerSecond", "B/s", ours, data + "; checksum of all times " + checksum, null));
        figures.add(Figure.median(
                "jacksonBytesPerSecond", "B/s", jackson, "Jackson's nextToken loop, no value read, same files", null));
        figures.add(Figure.median(
                "plainScanBytesPerSecond",
                "B/s",
                rounds.perSecond(SCAN, input.bytes()),
                "sum over all bytes of the same files: what reading them costs at least",
                null));
        figures.add(Figure.median(
                "readerVersusJackson", "x", ratios, "ours over Jackson, round by round", Bar.atLeast(0.8)));
        figures.add(
                Figure.median("readerVersusJacksonTarget", "x", ratios, "the same; the budget is 2x", Bar.atLeast(2)));
        truth(figures, input);
    }

    private static void truth(List<Figure> figures, ReaderInput input) throws IOException {
        CountingSink sink = ours(input);
        Long kernels = input.kernels();
        Long nanos = input.kernelNanos();
        figures.add(Figure.count(
                "kernelsRead",
                "1",
                sink.kernels(),
                kernels == null ? "as found" : "as many as were written",
                kernels == null ? null : Bar.exactly(kernels)));
        figures.add(Figure.count(
                "kernelNanosRead",
                "ns",
                sink.kernelNanos(),
                "plain sum of the kernels' durations, " + (nanos == null ? "as found" : "exact as written"),
                nanos == null ? null : Bar.exactly(nanos)));
    }

    /** Without the files that either reader cannot read to the end. */
    private static ReaderInput readable(ReaderInput input, BenchRequest request) throws IOException, CannotMeasure {
        List<Path> files = new ArrayList<>();
        long bytes = 0;
        for (Path file : input.files()) {
            boolean complete = read(file, new CountingSink()).status() == Status.COMPLETE;
            if (complete && parses(file)) {
                files.add(file);
                bytes += Files.size(file);
            } else {
                request.progress().accept("left out: " + file.getFileName() + ", not read to its end by both readers");
            }
        }
        if (files.isEmpty()) {
            throw new CannotMeasure("none of " + input.about() + " could be read to its end");
        }
        int left = input.files().size() - files.size();
        String about = input.about() + (left == 0 ? "" : ", " + left + " left out, " + bytes + " B timed");
        return new ReaderInput(files, bytes, input.kernels(), input.kernelNanos(), about);
    }

    private static CountingSink ours(ReaderInput input) {
        CountingSink sink = new CountingSink();
        for (Path file : input.files()) {
            read(file, sink);
        }
        return sink;
    }

    private static ReadOutcome read(Path file, CountingSink sink) {
        TraceFile trace =
                new TraceFile(file, file.getFileName().toString(), file.toFile().length());
        return TraceReader.read(trace, new NameTable(), part -> sink, bytes -> {});
    }

    private static boolean parses(Path file) throws IOException {
        try {
            jackson(file);
            return true;
        } catch (JacksonException e) {
            return false;
        }
    }

    private static long jackson(ReaderInput input) throws IOException {
        long tokens = 0;
        for (Path file : input.files()) {
            tokens += jackson(file);
        }
        return tokens;
    }

    private static long jackson(Path file) throws IOException {
        long tokens = 0;
        try (InputStream in = Files.newInputStream(file);
                JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), in)) {
            while (parser.nextToken() != null) {
                tokens++;
            }
        }
        return tokens;
    }

    private static long scan(ReaderInput input) throws IOException {
        byte[] buffer = new byte[1 << 16];
        long sum = 0;
        for (Path file : input.files()) {
            try (InputStream in = Files.newInputStream(file)) {
                for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
                    sum += sum(buffer, read);
                }
            }
        }
        return sum;
    }

    private static int sum(byte[] bytes, int count) {
        int sum = 0;
        for (int i = 0; i < count; i++) {
            sum += bytes[i];
        }
        return sum;
    }
}
