package dev.argus.model;

import java.util.List;
import java.util.Map;

/**
 * What was read from one input file, per device where a file holds several.
 *
 * @param file path relative to the argument it was found under, exact
 * @param format {@code kineto}, {@code torch-list}, {@code op-timeline}, {@code flight-recorder}, ...
 * @param rank global rank, or -1 when unknown
 * @param attempt attempt of the job
 * @param host host name, or empty when unknown
 * @param kernels GPU kernel events kept
 * @param kernelNanos plain sum of their durations
 * @param commNanos plain sum over communication kernels
 * @param busyNanos length of the union of their intervals
 * @param steps the CPU marks of steps
 * @param firstEpochNanos start of the first event with a time, 0 when there is none
 * @param lastEpochNanos end of the last event with a time, 0 when there is none
 * @param quarantined events set aside, by reason
 */
public record TraceFacts(
        String file,
        String format,
        int rank,
        int attempt,
        String host,
        long kernels,
        long kernelNanos,
        long commNanos,
        long busyNanos,
        List<StepDuration> steps,
        long firstEpochNanos,
        long lastEpochNanos,
        Map<String, Long> quarantined) {

    /**
     * Duration of one step's CPU mark.
     *
     * @param step the framework's number
     * @param nanos duration in nanoseconds
     */
    public record StepDuration(long step, long nanos) {}
}
