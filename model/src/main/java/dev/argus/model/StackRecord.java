package dev.argus.model;

import java.util.List;

/**
 * What one process was doing on its CPU: its call stacks at one moment (a dump), or over a while with their weights (samples).
 *
 * @param attempt attempt of the job
 * @param rank global rank, or -1 when unknown
 * @param process name id of what tells the process from others: file, and its id where the file holds several
 * @param stacks the main thread's first, else by weight, heaviest first; bounded by the reader
 * @param samples weight of all its stacks, kept or not; of a dump the number of its threads
 * @param sampled true for samples over a while, false for one moment
 */
public record StackRecord(int attempt, int rank, int process, List<Stack> stacks, long samples, boolean sampled)
        implements SideRecord {
    /** Copies defensively. */
    public StackRecord {
        stacks = List.copyOf(stacks);
    }

    /**
     * One call stack.
     *
     * @param thread name id of its thread; the empty text when unknown
     * @param active false when the sampler says that the thread is idle
     * @param weight samples, or what the file counts instead; 1 in a dump
     * @param frames name ids such as {@code wait (threading.py:306)}, innermost first
     */
    @SuppressWarnings("ArrayRecordComponent") // compared by its frames only, by whoever compares
    public record Stack(int thread, boolean active, long weight, int[] frames) {}

    @Override
    public long firstNanos() {
        return 0;
    }

    @Override
    public long lastNanos() {
        return 0;
    }

    /** The same of another attempt. */
    public StackRecord of(int newAttempt) {
        return new StackRecord(newAttempt, rank, process, stacks, samples, sampled);
    }
}
