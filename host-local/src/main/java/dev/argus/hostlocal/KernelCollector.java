package dev.argus.hostlocal;

import dev.argus.digest.KernelListener;
import dev.argus.model.KernelClass;
import dev.argus.model.KernelSummary;
import dev.argus.sketch.DurationHistogram;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Summarises kernels step by step: one summary a kernel, its streams together. */
final class KernelCollector implements KernelListener {
    private final Consumer<KernelSummary> sink;
    private final Map<Integer, Open> open = new TreeMap<>();
    private long step = Long.MIN_VALUE;

    KernelCollector(Consumer<KernelSummary> sink) {
        this.sink = sink;
    }

    @Override
    public void kernel(
            long kernelStep, int name, int stream, KernelClass kernelClass, long durationNanos, long workItems) {
        if (kernelStep != step) {
            flush();
            step = kernelStep;
        }
        Open o = open.computeIfAbsent(name, n -> new Open(kernelClass));
        o.histogram.add(durationNanos);
        o.work += workItems;
    }

    void flush() {
        open.forEach((name, o) -> {
            double[] quantiles = new double[KernelSummary.KNOTS];
            o.histogram.quantiles(quantiles);
            sink.accept(new KernelSummary(
                    0, -1, step, name, o.kernelClass, o.histogram.count(), o.histogram.sumNanos(), o.work, quantiles));
        });
        open.clear();
    }

    private static final class Open {
        private final DurationHistogram histogram = new DurationHistogram();
        private final KernelClass kernelClass;
        private long work;

        Open(KernelClass kernelClass) {
            this.kernelClass = kernelClass;
        }
    }
}
