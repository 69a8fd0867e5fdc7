package dev.argus.model;

/**
 * What one kernel did on one stream in a window.
 *
 * @param name name id of the kernel
 * @param stream stream number as in the trace
 * @param workItems threads launched, summed, exact; 0 when unknown
 * @param durations their durations
 */
public record StreamKernel(int name, int stream, long workItems, DurationSummary durations) {}
