package dev.argus.hostflink;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Records of one job judged at once and in one thread, without Flink: the same work, as a reference. */
public final class PlainRun {
    private final HostedJob job;

    /** A job that nothing was heard of. */
    public PlainRun(String job, HostOptions options) {
        this.job = new HostedJob(job, options);
    }

    /**
     * Judges records of all partitions, ticks among them, up to the time that all partitions have come to.
     *
     * @param inOrder records of this job and ticks, by time
     * @param gapMillis longest time without any record on a partition in which somebody listened
     * @param out hears what is said
     */
    public void play(List<Arrival> inOrder, long gapMillis, Consumer<Said> out) {
        judge(inOrder, gapMillis, out::accept);
    }

    /** As {@link #play}, for who hears more. */
    void judge(List<Arrival> inOrder, long gapMillis, HostedJob.Out out) {
        Map<Integer, Long> newest = new HashMap<>();
        boolean begun = false;
        for (Arrival a : inOrder) {
            begun |= !a.isTick();
            Long before = newest.put(a.partition(), a.atMillis());
            if (begun && before != null && a.atMillis() - before > gapMillis) {
                job.gap(new Gap(before, a.atMillis()));
            }
            if (!a.isTick()) {
                job.add(a);
            }
        }
        long end = newest.values().stream().mapToLong(t -> t).min().orElse(0);
        job.advance(end - 1, end, out);
    }

    /** Bytes of its state, written down. */
    public long stateBytes() {
        return job.snapshot().length;
    }
}
