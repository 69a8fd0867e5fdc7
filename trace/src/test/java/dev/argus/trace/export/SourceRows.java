package dev.argus.trace.export;

import dev.argus.digest.TraceEventSink;
import dev.argus.model.CpuSpan;
import dev.argus.model.GpuEvent;
import dev.argus.model.LaunchEvent;
import dev.argus.model.NameTable;
import dev.argus.model.SpanKind;
import dev.argus.model.StepMark;
import dev.argus.testkit.PerfettoFile;
import java.util.ArrayList;
import java.util.List;

/** What a timeline must show of the events of a file, told in another way than the exporter does. */
final class SourceRows implements TraceEventSink {
    /** Where, what, when, how long. */
    record Row(String track, String name, long start, long duration) {}

    final List<Row> rows = new ArrayList<>();
    private final NameTable names;

    SourceRows(NameTable names) {
        this.names = names;
    }

    static List<Row> of(PerfettoFile file) {
        return file.slices.stream()
                .map(s -> new Row(
                        s.group().isEmpty() ? s.track() : s.group() + "/" + s.track(),
                        s.name(),
                        s.start(),
                        s.duration()))
                .toList();
    }

    @Override
    public void gpu(GpuEvent e) {
        String track = "GPU " + e.device() + "/stream " + e.stream();
        rows.add(new Row(track, names.name(e.name()), e.startNanos(), e.durationNanos()));
    }

    @Override
    public void launch(LaunchEvent event) {}

    @Override
    public void span(CpuSpan s) {
        String track = s.kind() == SpanKind.GPU_ANNOTATION
                ? "GPU " + s.process() + "/ranges of stream " + s.thread()
                : "thread " + s.thread() + " of process " + s.process();
        rows.add(new Row(track, names.name(s.name()), s.startNanos(), s.durationNanos()));
    }

    @Override
    public void step(StepMark m) {
        rows.add(new Row(
                m.onGpu() ? "steps on the GPU" : "steps", "step " + m.step(), m.startNanos(), m.durationNanos()));
    }

    @Override
    public void quarantine(String reason) {}
}
