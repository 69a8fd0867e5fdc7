package dev.argus.model;

import java.util.List;

/**
 * All kernels of one rank in one window.
 *
 * @param attempt attempt of the job
 * @param rank global rank
 * @param window number of the window
 * @param kernels one a kernel and stream, in the order in which they were first met
 * @param extremes events kept exactly, at most {@value #MOST_EXTREMES}, longest first
 * @param lost events not in {@code kernels}, because more kernels were met than there is room for, or negative
 */
public record KernelWindow(
        int attempt, int rank, long window, List<StreamKernel> kernels, List<ExtremeEvent> extremes, long lost)
        implements AgentRecord {
    /** Most events kept exactly. */
    public static final int MOST_EXTREMES = 8;

    /** Copies defensively. */
    public KernelWindow {
        kernels = kernels instanceof PackedKernels ? kernels : List.copyOf(kernels);
        extremes = List.copyOf(extremes);
    }

    /** The same window of another attempt and rank. */
    public KernelWindow of(int newAttempt, int newRank) {
        return new KernelWindow(newAttempt, newRank, window, kernels, extremes, lost);
    }

    /** The same window with other kernels. */
    public KernelWindow with(List<StreamKernel> others) {
        return new KernelWindow(attempt, rank, window, others, extremes, lost);
    }
}
