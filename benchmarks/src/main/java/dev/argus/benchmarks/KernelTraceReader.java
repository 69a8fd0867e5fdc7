package dev.argus.benchmarks;

import dev.argus.digest.TraceEventSink;
import dev.argus.model.CpuSpan;
import dev.argus.model.GpuActivity;
import dev.argus.model.GpuEvent;
import dev.argus.model.LaunchEvent;
import dev.argus.model.NameTable;
import dev.argus.model.StepMark;
import dev.argus.trace.ReadOutcome;
import dev.argus.trace.TraceFile;
import dev.argus.trace.TraceInputs;
import dev.argus.trace.TraceReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads the kernels of trace files, each with the step that launched it: by correlation, else by the mark it runs in. */
final class KernelTraceReader {
    private KernelTraceReader() {}

    /** One a part that has kernels; what cannot be read is told to the progress. */
    static List<KernelTrace> read(BenchRequest request) throws CannotMeasure {
        List<KernelTrace> traces = new ArrayList<>();
        for (Path path : request.paths()) {
            for (TraceFile file : TraceInputs.find(List.of(path)).files()) {
                NameTable names = new NameTable();
                Map<Integer, Collector> parts = new TreeMap<>();
                ReadOutcome outcome = TraceReader.read(
                        file, names, part -> parts.computeIfAbsent(part, p -> new Collector()), bytes -> {});
                outcome.problems().forEach(p -> request.progress().accept(file.label() + ": " + p.detail()));
                parts.forEach((part, collector) -> {
                    KernelTrace trace =
                            collector.trace(parts.size() == 1 ? file.label() : file.label() + "#" + part, names);
                    if (!trace.events().isEmpty()) {
                        traces.add(trace);
                    }
                });
            }
        }
        if (traces.isEmpty()) {
            throw new CannotMeasure("no file with GPU kernels under " + request.paths());
        }
        return traces;
    }

    private static final class Collector implements TraceEventSink {
        private final List<GpuEvent> kernels = new ArrayList<>();
        private final Map<Long, Long> launches = new HashMap<>();
        private final TreeMap<Long, StepMark> steps = new TreeMap<>();

        @Override
        public void gpu(GpuEvent event) {
            if (event.activity() == GpuActivity.KERNEL) {
                kernels.add(event);
            }
        }

        @Override
        public void launch(LaunchEvent event) {
            launches.put(event.correlation(), event.startNanos());
        }

        @Override
        public void span(CpuSpan span) {}

        @Override
        public void step(StepMark mark) {
            if (!mark.onGpu()) {
                steps.put(mark.startNanos(), mark);
            }
        }

        @Override
        public void quarantine(String reason) {}

        KernelTrace trace(String label, NameTable names) {
            List<KernelTrace.Event> events = new ArrayList<>();
            for (GpuEvent e : kernels) {
                long asked = launches.getOrDefault(e.correlation(), e.startNanos());
                Map.Entry<Long, StepMark> step = steps.floorEntry(asked);
                step = step == null ? steps.firstEntry() : step;
                long window = step == null ? 0 : step.getValue().step();
                events.add(new KernelTrace.Event(
                        names.name(e.name()), e.stream(), window, e.startNanos(), e.durationNanos()));
            }
            return new KernelTrace(label, events);
        }
    }
}
