package dev.argus.trace;

import dev.argus.digest.TraceEventSink;
import dev.argus.model.CpuSpan;
import dev.argus.model.GpuEvent;
import dev.argus.model.LaunchEvent;
import dev.argus.model.StepMark;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The sink of one part, opened at its first event, with counts of what went through. */
final class PartSink implements TraceEventSink {
    private final SinkFactory sinks;
    private final int part;
    private @Nullable TraceEventSink sink;

    long gpuEvents;
    long collectives;
    long spans;
    long steps;
    long delivered;
    /** Events set aside by reason, in the order of the reasons. */
    final Map<String, Long> aside = new TreeMap<>();

    PartSink(SinkFactory sinks, int part) {
        this.sinks = sinks;
        this.part = part;
    }

    /** Its number, as the factory knows it. */
    int part() {
        return part;
    }

    private TraceEventSink sink() {
        TraceEventSink open = sink;
        if (open == null) {
            open = sinks.open(part);
            sink = open;
        }
        return open;
    }

    /** Opens the sink even if no event came, so that every part of the outcome has one. */
    void openIfNot() {
        sink();
    }

    @Override
    public void gpu(GpuEvent event) {
        gpuEvents++;
        delivered++;
        if (event.collective() != null) {
            collectives++;
        }
        sink().gpu(event);
    }

    @Override
    public void launch(LaunchEvent event) {
        delivered++;
        sink().launch(event);
    }

    @Override
    public void span(CpuSpan span) {
        delivered++;
        spans++;
        if (span.collective() != null) {
            collectives++;
        }
        sink().span(span);
    }

    @Override
    public void step(StepMark mark) {
        delivered++;
        steps++;
        sink().step(mark);
    }

    @Override
    public void quarantine(String reason) {
        aside.merge(reason, 1L, Long::sum);
        sink().quarantine(reason);
    }
}
