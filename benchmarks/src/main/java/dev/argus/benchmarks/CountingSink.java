package dev.argus.benchmarks;

import dev.argus.digest.TraceEventSink;
import dev.argus.model.CpuSpan;
import dev.argus.model.GpuActivity;
import dev.argus.model.GpuEvent;
import dev.argus.model.LaunchEvent;
import dev.argus.model.StepMark;

/** Counts what arrives and mixes the times of everything into a checksum that does not depend on the order. */
final class CountingSink implements TraceEventSink {
    private long kernels;
    private long kernelNanos;
    private long events;
    private long checksum;

    @Override
    public void gpu(GpuEvent event) {
        if (event.activity() == GpuActivity.KERNEL) {
            kernels++;
            kernelNanos += event.durationNanos();
        }
        mix(event.startNanos(), event.durationNanos());
    }

    @Override
    public void launch(LaunchEvent event) {
        mix(event.startNanos(), event.durationNanos());
    }

    @Override
    public void span(CpuSpan span) {
        mix(span.startNanos(), span.durationNanos());
    }

    @Override
    public void step(StepMark mark) {
        mix(mark.startNanos(), mark.durationNanos());
    }

    @Override
    public void quarantine(String reason) {
        mix(1, 1);
    }

    private void mix(long start, long nanos) {
        events++;
        checksum += (start ^ nanos << 20) * 0x9E3779B97F4A7C15L;
    }

    long kernels() {
        return kernels;
    }

    long kernelNanos() {
        return kernelNanos;
    }

    long events() {
        return events;
    }

    long checksum() {
        return checksum;
    }
}
