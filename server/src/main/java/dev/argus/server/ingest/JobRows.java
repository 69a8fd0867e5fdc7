package dev.argus.server.ingest;

import dev.argus.storage.Rows;
import dev.argus.storage.StoreBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Rows that no checkpoint has kept yet. Bounded: where the store cannot keep up, the oldest steps of ranks go first, then the oldest of everything else but incidents; all counted, and kept as a loss of their job.
 * One thread at a time.
 */
public final class JobRows {
    static final int MOST_RANK_STEPS = 1_000_000;
    static final int MOST_OTHERS = 100_000;

    /** Each is up to 64 Ki characters. */
    static final int MOST_PICTURES = 256;

    /** A kind of which more than one in so many of its most rows wait is to be kept soon. */
    private static final int CROWDED = 4;

    /** Reason of the loss of rows for which there was no room. */
    static final String NOT_STORED = "row-not-stored";

    private final Deque<Rows.RankStep> rankSteps = new ArrayDeque<>();
    private final Deque<Rows.Step> steps = new ArrayDeque<>();
    private final Deque<Rows.Phase> phases = new ArrayDeque<>();
    private final Deque<Rows.Kernel> kernels = new ArrayDeque<>();
    private final Deque<Rows.Incident> incidents = new ArrayDeque<>();
    private final Map<LossOf, Rows.Loss> losses = new LinkedHashMap<>();
    private final Deque<Rows.Job> jobs = new ArrayDeque<>();
    private final Deque<Rows.Rank> ranks = new ArrayDeque<>();
    private final Deque<Rows.StoredObject> objects = new ArrayDeque<>();
    private final Deque<Rows.Picture> pictures = new ArrayDeque<>();
    private final Map<String, Long> droppedOf = new LinkedHashMap<>();
    private long dropped;
    private boolean crowded;

    void add(Rows.RankStep row) {
        bounded(rankSteps, row, MOST_RANK_STEPS, Rows.RankStep::job);
    }

    void add(Rows.Step row) {
        bounded(steps, row, MOST_OTHERS, Rows.Step::job);
    }

    void add(Rows.Phase row) {
        bounded(phases, row, MOST_OTHERS, Rows.Phase::job);
    }

    void add(Rows.Kernel row) {
        bounded(kernels, row, MOST_OTHERS, Rows.Kernel::job);
    }

    /** Puts a row behind the others of its kind. */
    public void add(Rows.Incident row) {
        bounded(incidents, row, MOST_OTHERS, Rows.Incident::job);
    }

    private record LossOf(String job, String reason) {}

    /** Counts what is missing with what is missing already of the same job for the same reason: one row, however many records, with the moment of the first. */
    public void add(Rows.Loss row) {
        LossOf of = new LossOf(row.job(), row.reason());
        if (losses.size() >= MOST_OTHERS && !losses.containsKey(of)) {
            LossOf oldest = losses.keySet().iterator().next();
            losses.remove(oldest);
            dropped(oldest.job(), 1);
        }
        losses.merge(of, row, (before, now) -> {
            long sum = before.count() + now.count();
            return new Rows.Loss(row.job(), before.atNanos(), row.reason(), sum < 0 ? Long.MAX_VALUE : sum);
        });
    }

    /** Puts a row behind the others of its kind. */
    public void add(Rows.Job row) {
        bounded(jobs, row, MOST_OTHERS, Rows.Job::job);
    }

    void add(Rows.Rank row) {
        bounded(ranks, row, MOST_RANK_STEPS, Rows.Rank::job);
    }

    /** Puts a row behind the others of its kind. */
    public void add(Rows.StoredObject row) {
        bounded(objects, row, MOST_OTHERS, Rows.StoredObject::job);
    }

    void add(Rows.Picture row) {
        bounded(pictures, row, MOST_PICTURES, Rows.Picture::job);
    }

    private <T> void bounded(Deque<T> rows, T row, int most, Function<T, String> job) {
        if (rows.size() >= most) {
            dropped(job.apply(rows.removeFirst()), 1);
        }
        rows.addLast(row);
        crowded |= rows.size() > most / CROWDED;
    }

    private void dropped(String job, long count) {
        dropped += count;
        droppedOf.merge(job, count, Long::sum);
    }

    /** True if so much waits to be kept that it should be kept soon, before there is no room for more. */
    boolean crowded() {
        return crowded;
    }

    /** Puts what others have behind what is here: older rows first. */
    public void addAll(JobRows others) {
        others.rankSteps.forEach(this::add);
        others.steps.forEach(this::add);
        others.phases.forEach(this::add);
        others.kernels.forEach(this::add);
        others.incidents.forEach(this::add);
        others.losses.values().forEach(this::add);
        others.jobs.forEach(this::add);
        others.ranks.forEach(this::add);
        others.objects.forEach(this::add);
        others.pictures.forEach(this::add);
        others.droppedOf.forEach(this::dropped);
    }

    /** Rows dropped for want of room. */
    long dropped() {
        return dropped;
    }

    /** Rows here. */
    public int size() {
        return rankSteps.size()
                + steps.size()
                + phases.size()
                + kernels.size()
                + incidents.size()
                + losses.size()
                + jobs.size()
                + ranks.size()
                + objects.size()
                + pictures.size();
    }

    List<Rows.RankStep> rankSteps() {
        return new ArrayList<>(rankSteps);
    }

    List<Rows.Step> steps() {
        return new ArrayList<>(steps);
    }

    List<Rows.Phase> phases() {
        return new ArrayList<>(phases);
    }

    List<Rows.Kernel> kernels() {
        return new ArrayList<>(kernels);
    }

    List<Rows.Incident> incidents() {
        return new ArrayList<>(incidents);
    }

    List<Rows.Loss> losses() {
        return new ArrayList<>(losses.values());
    }

    /** With what there was no room for. */
    private List<Rows.Loss> losses(long atNanos) {
        List<Rows.Loss> all = losses();
        droppedOf.forEach((job, count) -> all.add(new Rows.Loss(job, atNanos, NOT_STORED, count)));
        return all;
    }

    List<Rows.Job> jobs() {
        return new ArrayList<>(jobs);
    }

    List<Rows.Rank> ranks() {
        return new ArrayList<>(ranks);
    }

    List<Rows.StoredObject> objects() {
        return new ArrayList<>(objects);
    }

    /** What is here as a batch with the state of the same moment. */
    public StoreBatch batch(long number, long atNanos, Map<String, byte[]> state) {
        return new StoreBatch(
                number,
                atNanos,
                jobs(),
                ranks(),
                steps(),
                phases(),
                rankSteps(),
                kernels(),
                incidents(),
                losses(atNanos),
                objects(),
                new ArrayList<>(pictures),
                state);
    }
}
