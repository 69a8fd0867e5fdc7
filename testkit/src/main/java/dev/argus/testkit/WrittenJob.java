package dev.argus.testkit;

import java.nio.file.Path;
import java.util.List;

/**
 * What was written, as the writer knows it: the truth for a reader's figures, exact to the nanosecond as spelled in the
 * files.
 *
 * @param folder where the files are
 * @param ranks one entry per rank, in order
 */
public record WrittenJob(Path folder, List<RankFacts> ranks) {

    /**
     * One rank's file.
     *
     * @param rank global rank
     * @param host name of its host
     * @param file the file
     * @param kernels GPU kernel events; copies are none
     * @param kernelNanos plain sum of their durations
     * @param commNanos plain sum over communication kernels
     * @param busyNanos length of the union of the kernels' intervals
     * @param steps CPU marks, empty when the dialect has none
     * @param firstKernelNanos start of the first kernel, epoch nanoseconds by the clock of the host
     * @param lastKernelNanos end of the last kernel, likewise
     * @param rawBytes size uncompressed
     * @param fileBytes size of the file
     */
    public record RankFacts(
            int rank,
            String host,
            Path file,
            long kernels,
            long kernelNanos,
            long commNanos,
            long busyNanos,
            List<StepNanos> steps,
            long firstKernelNanos,
            long lastKernelNanos,
            long rawBytes,
            long fileBytes) {}

    /**
     * Length of one step's CPU mark.
     *
     * @param step the framework's number
     * @param nanos length
     */
    public record StepNanos(int step, long nanos) {}

    /** Copies defensively. */
    public WrittenJob {
        ranks = List.copyOf(ranks);
    }

    /** Kernels of all ranks. */
    public long kernels() {
        return ranks.stream().mapToLong(RankFacts::kernels).sum();
    }

    /** Plain sum of the kernels' durations over all ranks. */
    public long kernelNanos() {
        return ranks.stream().mapToLong(RankFacts::kernelNanos).sum();
    }

    /** Size of all files uncompressed. */
    public long rawBytes() {
        return ranks.stream().mapToLong(RankFacts::rawBytes).sum();
    }

    /** Size of all files. */
    public long fileBytes() {
        return ranks.stream().mapToLong(RankFacts::fileBytes).sum();
    }
}
