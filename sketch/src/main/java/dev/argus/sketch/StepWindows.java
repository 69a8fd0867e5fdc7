package dev.argus.sketch;

import dev.argus.model.KernelWindow;
import java.util.function.Consumer;

/**
 * Cuts the kernels of one rank into windows of one step each and summarises every window: the one way from kernel events to
 * what detectors see, on traces as live.
 *
 * <p>Cost and footprint: those of {@link KernelSketch} and {@link WindowCloser}. Belongs to one thread.
 */
public final class StepWindows {
    /** Room for kernels and streams; a real job has some hundred. */
    private static final int MOST_KEYS = 4096;

    private final int attempt;
    private final int rank;
    private final Consumer<KernelWindow> sink;
    private final KernelSketch sketch = new KernelSketch(MOST_KEYS);
    private final WindowCloser closer = new WindowCloser(WindowCloser.DEFAULT_SHARE, false);
    private long step;
    private boolean open;

    /**
     * For one rank of an attempt.
     *
     * @param attempt attempt of the job
     * @param rank global rank, -1 while it is unknown
     * @param sink takes the windows, numbered as the steps are
     */
    public StepWindows(int attempt, int rank, Consumer<KernelWindow> sink) {
        this.attempt = attempt;
        this.rank = rank;
        this.sink = sink;
    }

    /**
     * Adds a kernel; one of another step closes the window before.
     *
     * @param ofStep the framework's step number, not below that of the kernel before
     * @param name name id
     * @param stream stream number
     * @param startNanos start, on any clock
     * @param durationNanos duration in nanoseconds
     * @param workItems threads launched, 0 when unknown
     */
    public void add(long ofStep, int name, int stream, long startNanos, long durationNanos, long workItems) {
        if (open && ofStep != step) {
            flush();
        }
        step = ofStep;
        open = true;
        sketch.add(name, stream, startNanos, durationNanos, workItems);
    }

    /** Closes the window, if one is open: after the last kernel. */
    public void flush() {
        if (open) {
            sink.accept(closer.close(sketch, attempt, rank, step));
            sketch.clear();
            open = false;
        }
    }
}
