package dev.argus.digest;

import dev.argus.model.CpuSpan;
import dev.argus.model.GpuEvent;
import dev.argus.model.LaunchEvent;
import dev.argus.model.StepMark;

/**
 * Takes the events of one rank, in whatever order the source has them.
 *
 * <p>Used by one thread at a time. Times are nanoseconds since the Unix epoch by the clock of the rank's host. The source
 * sets impossible events aside before it calls ({@code quarantine} counts them by reason); whatever arrives here counts.
 */
public interface TraceEventSink {
    /** A kernel, copy or set on a GPU. */
    void gpu(GpuEvent event);

    /** A call of the GPU runtime that may have started work. */
    void launch(LaunchEvent event);

    /** A named interval on the CPU, or the shadow of one on a GPU stream. */
    void span(CpuSpan span);

    /** The framework's mark of a step. */
    void step(StepMark mark);

    /** One event was set aside; the reason is a kebab-case word such as {@code negative-duration}. */
    void quarantine(String reason);
}
