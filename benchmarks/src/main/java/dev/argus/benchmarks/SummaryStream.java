package dev.argus.benchmarks;

import dev.argus.model.KernelWindow;
import dev.argus.model.NameTable;
import dev.argus.sketch.KernelSketch;
import dev.argus.sketch.WindowCloser;
import dev.argus.wire.KernelWindowDecoder;
import dev.argus.wire.KernelWindowEncoder;
import java.util.List;

/** Our way from events to bytes and back, window by window, as an agent and a server do it; counts the bytes. */
final class SummaryStream {
    private final NameTable names = new NameTable();
    private final KernelSketch sketch = new KernelSketch(1 << 16);
    private final WindowCloser closer;
    private final KernelWindowEncoder encoder = new KernelWindowEncoder(names);
    private final KernelWindowEncoder withoutExtremes = new KernelWindowEncoder(names);
    private final KernelWindowDecoder decoder = new KernelWindowDecoder(names);

    private long bytes;
    private long nameBytes;
    private long extremeBytes;
    private int extremes;

    SummaryStream(WindowCloser closer) {
        this.closer = closer;
    }

    NameTable names() {
        return names;
    }

    /** Summarises a window, writes it, reads it back; what comes back must be what was written. */
    KernelWindow send(List<KernelTrace.Event> events, long window, boolean keyFrame) {
        sketch.clear();
        for (KernelTrace.Event e : events) {
            sketch.add(names.id(e.name()), e.stream(), e.startNanos(), e.nanos());
        }
        KernelWindow closed = closer.close(sketch, 0, 0, window);
        byte[] frame = encoder.encode(closed, keyFrame);
        KernelWindow plain = new KernelWindow(0, 0, window, closed.kernels(), List.of(), closed.lost());
        int without = withoutExtremes.encode(plain, keyFrame).length;
        bytes += without - withoutExtremes.lastNameBytes();
        nameBytes += encoder.lastNameBytes();
        extremeBytes += frame.length - without;
        extremes += closed.extremes().size();
        KernelWindow back = decoder.decode(frame);
        if (!back.kernels().containsAll(closed.kernels()) || !back.extremes().equals(closed.extremes())) {
            throw new IllegalStateException("window " + window + " was not read back as it was written");
        }
        return back;
    }

    /** Without names and extremes. */
    long bytes() {
        return bytes;
    }

    long nameBytes() {
        return nameBytes;
    }

    long extremeBytes() {
        return extremeBytes;
    }

    int extremes() {
        return extremes;
    }
}
