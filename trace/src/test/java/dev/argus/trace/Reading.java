package dev.argus.trace;

import dev.argus.digest.TraceEventSink;
import dev.argus.model.CpuSpan;
import dev.argus.model.GpuActivity;
import dev.argus.model.GpuEvent;
import dev.argus.model.LaunchEvent;
import dev.argus.model.NameTable;
import dev.argus.model.StepMark;
import dev.argus.model.TraceHeader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;

/** Everything that came out of one file. */
final class Reading implements TraceEventSink {
    final NameTable names = new NameTable();
    final List<GpuEvent> gpu = new ArrayList<>();
    final List<LaunchEvent> launches = new ArrayList<>();
    final List<CpuSpan> spans = new ArrayList<>();
    final List<StepMark> steps = new ArrayList<>();
    final Map<String, Integer> quarantined = new TreeMap<>();
    final ReadOutcome outcome;
    long bytesTold;

    private Reading(TraceFile file) {
        outcome = TraceReader.read(file, names, part -> this, n -> bytesTold += n);
    }

    static Reading of(Path path) {
        try {
            return new Reading(new TraceFile(path, String.valueOf(path.getFileName()), Files.size(path)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads bytes as a file of the given name. */
    static Reading of(String name, byte[] bytes) {
        try {
            Path folder = Files.createTempDirectory("argus-trace");
            Path file = folder.resolve(name);
            try {
                Files.write(file, bytes);
                return of(file);
            } finally {
                Files.deleteIfExists(file);
                Files.delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads JSON written with single quotes as {@code rank0.json}. */
    static Reading of(String json) {
        return of("rank0.json", bytes(json));
    }

    static byte[] bytes(String json) {
        return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }

    static byte[] gzip(byte[] bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gz = new GZIPOutputStream(out)) {
            gz.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** A kernel event, with further arguments. */
    static String kernel(String ts, String dur, String args) {
        return "{'ph':'X','cat':'kernel','name':'gemm','pid':0,'tid':7,'ts':" + ts + ",'dur':" + dur
                + ",'args':{'device':0,'stream':7,'correlation':1" + (args.isEmpty() ? "" : "," + args) + "}}";
    }

    /** An event of any category. */
    static String event(String category, String name, String ts, String dur) {
        return "{'ph':'X','cat':'" + category + "','name':'" + name + "','pid':1,'tid':1,'ts':" + ts + ",'dur':" + dur
                + ",'args':{'correlation':5,'External id':9}}";
    }

    /** A file with the given members before the events. */
    static String trace(String members, String... events) {
        return "{" + members + (members.isEmpty() ? "" : ",") + "'traceEvents':[" + String.join(",", events) + "]}";
    }

    List<GpuEvent> kernels() {
        return gpu.stream().filter(e -> e.activity() == GpuActivity.KERNEL).toList();
    }

    long kernelNanos() {
        return kernels().stream().mapToLong(GpuEvent::durationNanos).sum();
    }

    TraceHeader header() {
        return outcome.parts().getFirst().header();
    }

    List<String> problems() {
        return outcome.problems().stream().map(p -> p.kind()).toList();
    }

    String name(CpuSpan span) {
        return names.name(span.name());
    }

    @Override
    public void gpu(GpuEvent event) {
        gpu.add(event);
    }

    @Override
    public void launch(LaunchEvent event) {
        launches.add(event);
    }

    @Override
    public void span(CpuSpan span) {
        spans.add(span);
    }

    @Override
    public void step(StepMark mark) {
        steps.add(mark);
    }

    @Override
    public void quarantine(String reason) {
        quarantined.merge(reason, 1, Integer::sum);
    }
}
